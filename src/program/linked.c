/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linked.c - reports the unseen functions of a linked file by their origin. */
#include "program/linked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "report/names/demangle.h"
#include "scan/scan.h"

struct origin {
    unsigned long long addr, size;
    char *file;
};

struct origins {
    struct origin *list;
    size_t n;
};

static void add(struct origins *o, unsigned long long addr, unsigned long long size, const char *file)
{
    if (size != 0)
        *HD_PUSH(o->list, o->n) = (struct origin){ addr, size, hd_copied(file) };
}

/* Reads GNU ld's map: " .text 0xADDRESS 0xSIZE file.o".  A long section name is alone on the line
 * before. */
static void read_map(struct origins *o, const char *map)
{
    FILE *f = map != NULL ? fopen(map, "r") : NULL;
    char line[8192], section[512], file[4096];
    unsigned long long addr, size;
    bool waits = false;

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        bool whole = sscanf(line, " %511s 0x%llx 0x%llx %4095[^\n]", section, &addr, &size, file) == 4;

        if (whole && strncmp(section, ".text", 5) == 0)
            add(o, addr, size, file);
        else if (waits && sscanf(line, " 0x%llx 0x%llx %4095[^\n]", &addr, &size, file) == 3)
            add(o, addr, size, file);
        waits = !whole && strncmp(line, " .text", 6) == 0;
    }
    if (f != NULL)
        fclose(f);
}

static const char *origin_of(const struct origins *o, const struct hd_unseen *u, const char *otherwise)
{
    for (size_t i = 0; i < o->n; i++)
        if (u->addr - o->list[i].addr < o->list[i].size)
            return o->list[i].file;
    return otherwise;
}

/* Returns the end of a path from its last component on: "libplain.a(lib.o)" for
 * "/usr/lib/libplain.a(lib.o)". */
static const char *short_name(const char *file)
{
    const char *slash = NULL;

    for (const char *c = file; *c != '\0' && *c != '('; c++)
        if (*c == '/')
            slash = c;
    return slash != NULL ? slash + 1 : file;
}

/* Returns the name of an origin for the message.  An object file that was compiled and linked in
 * one step no longer exists, so the linked file is named instead. */
static const char *readable(const char *origin, const char *file)
{
    return strchr(origin, '(') == NULL && access(origin, F_OK) != 0 ? file : short_name(origin);
}

/* Reports all functions of one origin together. */
static void tell(const struct hd_scan *s, const char **origin, size_t first, const char *file)
{
    enum { SHOWN = 3 };
    const char *from = origin[first];
    size_t n = 0;

    fprintf(stderr, "heddle: warning: %s: not seen, because it is not instrumented:", from);
    for (size_t i = first; i < s->n; i++) {
        if (origin[i] == NULL || strcmp(origin[i], from) != 0)
            continue;
        if (n++ < SHOWN) {
            char name[201];

            hd_demangle_into(s->list[i].name, name, sizeof name);
            fprintf(stderr, "%s %s", n > 1 ? "," : "", name);
        }
        origin[i] = NULL;
    }
    if (n > SHOWN)
        fprintf(stderr, " and %zu more", n - SHOWN);
    if (strcmp(from, file) != 0)
        fprintf(stderr, " (in %s)", file);
    fputc('\n', stderr);
}

/* True for an archive of the system (usually a test framework), which the user would not recompile. */
static bool is_systems(const char *origin)
{
    return (strncmp(origin, "/usr/lib/", 9) == 0 || strncmp(origin, "/lib/", 5) == 0) &&
           strchr(origin, '(') != NULL;
}

/* Reports all origins.  Skips functions with a place, which the compiler's wrapper has reported,
 * functions that were made a scheduling point, which Heddle sees, and trusted ones. */
static void tell_all(const struct hd_scan *s, const struct origins *o, const char *file)
{
    enum { MOST = 8 };
    const char **origin = hd_zeroed(s->n, sizeof *origin);
    size_t told = 0;

    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].place == NULL && !s->list[i].point && !s->list[i].trusted &&
            !is_systems(origin_of(o, &s->list[i], file)))
            origin[i] = readable(origin_of(o, &s->list[i], file), short_name(file));
    for (size_t i = 0; i < s->n; i++)
        if (origin[i] != NULL && told++ < MOST)
            tell(s, origin, i, short_name(file));
    if (told > 0)
        fputs("note: if it runs beside other threads, a search proves nothing; compile it with 'heddle cc' as "
              "well\n", stderr);
    free(origin);
}

void hd_linked_warn(const char *file, const char *map)
{
    struct origins o = { 0 };
    struct hd_scan s;

    hd_scan_object(file, false, &s);
    if (s.n > 0) {
        read_map(&o, map);
        tell_all(&s, &o, file);
    }
    for (size_t i = 0; i < o.n; i++)
        free(o.list[i].file);
    free(o.list);
    hd_scan_free(&s);
}
