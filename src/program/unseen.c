/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen.c - scans all loaded objects.  Scanning a program with large libraries takes longer than many searches,
 * and all searches of --each scan the same objects.  So the result of a scan is kept for the next one, as long as
 * the file does not change. */
#include "program/unseen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "program/loads.h"
#include "report/names/demangle.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool is_one_of(const char *path, const char *const *names)
{
    for (const char *const *n = names; *n != NULL; n++)
        if (begins(base_name(path), *n))
            return true;
    return false;
}

/* True for libraries whose calls the runtime intercepts, or which access only memory of their callers that the
 * runtime knows. */
bool hd_unseen_is_known(const char *path)
{
    static const char *const names[] = {
        "libc.so.", "libm.so.", "libmvec.so.", "ld-linux", "ld-musl", "libgcc_s.so", "libpthread.so.",
        "libdl.so.", "librt.so.", "libatomic.so.", "libheddle", "libtsan.so.", "libclang_rt.tsan",
        "linux-vdso", NULL
    };

    return is_one_of(path, names);
}

bool hd_unseen_is_cplusplus(const char *path)
{
    static const char *const names[] = { "libstdc++.so.", "libc++.so.", "libc++abi.so.", NULL };

    return is_one_of(path, names);
}

static bool is_openmp(const char *path)
{
    static const char *const names[] = { "libgomp.so.", "libomp.so.", "libiomp5.so", NULL };

    return is_one_of(path, names);
}

static bool is_system(const char *path)
{
    static const char *const directories[] = { "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", NULL };

    for (const char *const *d = directories; *d != NULL; d++)
        if (begins(path, *d))
            return true;
    return false;
}

/* True if the file is so large that scanning it would take longer than most searches. */
static bool is_large(const char *path)
{
    enum { LARGE = 8 << 20 };
    struct stat st;

    return stat(path, &st) == 0 && st.st_size > LARGE && is_system(path);
}

/* The objects of the last scan.  take_kept empties an object when a later scan takes it over. */
static struct hd_unseen_objects kept;

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Moves the kept scan of this object to *to.  Returns false if there is none, or if the file has
 * changed since. */
static bool take_kept(struct hd_unseen_object *to)
{
    for (size_t i = 0; i < kept.n; i++) {
        struct hd_unseen_object *o = &kept.object[i];

        if (!o->scan.readable || strcmp(o->path, to->path) != 0 || !is_same_file(&o->file, &to->file))
            continue;
        to->scan = o->scan;
        memset(&o->scan, 0, sizeof o->scan);
        return true;
    }
    return false;
}

static void add(const char *path, void *arg)
{
    struct hd_unseen_objects *o = arg;
    struct hd_unseen_object *to;

    if (o->n > 0 && hd_unseen_is_known(path))
        return;
    to = HD_PUSH(o->object, o->n);
    *to = (struct hd_unseen_object){ .path = hd_copied(path), .system = o->n > 1 && is_system(path) };
    to->openmp = is_openmp(path);
    to->cplusplus = hd_unseen_is_cplusplus(path);
    if (stat(path, &to->file) != 0 || !take_kept(to))
        hd_scan_object(path, to->cplusplus || is_large(path), &to->scan);
    to->quick = (to->cplusplus || is_large(path)) && !to->scan.instrumented;
}

void hd_unseen_open(struct hd_unseen_objects *o, struct hd_elf_info *info)
{
    memset(o, 0, sizeof *o);
    add(info->path, o);
    hd_loads_each(info, add, o);
}

void hd_unseen_close(struct hd_unseen_objects *o)
{
    for (size_t i = 0; i < kept.n; i++) {
        hd_scan_free(&kept.object[i].scan);
        free(kept.object[i].path);
    }
    free(kept.object);
    kept = *o;
    memset(o, 0, sizeof *o);
}

enum hd_ledger_effect hd_unseen_effect(const struct hd_unseen_object *o, const struct hd_unseen *u)
{
    if (u->point || u->trusted || o->cplusplus)
        return HD_QUALIFIES;
    return !o->system || u->locked || u->syscall ? HD_DENIES : HD_QUALIFIES;
}

void hd_unseen_names(const struct hd_scan *s, char *buf, size_t cap)
{
    enum { SHOWN = 3 };
    size_t at = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < s->n && i < SHOWN && at < cap; i++) {
        char name[101];

        hd_demangle_into(s->list[i].name, name, sizeof name);
        at += (size_t)snprintf(buf + at, cap - at, "%s%s", i > 0 ? ", " : "", name);
    }
    if (s->n > SHOWN && at < cap)
        snprintf(buf + at, cap - at, " and %zu more", s->n - SHOWN);
}
