/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schedule.c - writes and reads schedules.  A file may come from anywhere: every number is checked. */
#include "kernel/drive/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

#define RAM_MAX 3072 /* in megabytes: a PC has no RAM between this and 4 GB */

static void absolute(const char *path, char *buf)
{
    if (realpath(path, buf) == NULL)
        snprintf(buf, PATH_MAX, "%s", path);
}

static void write_places(const struct hd_ksession *s, FILE *f)
{
    const struct hd_klink *l = s->machine.link;
    char place[256];

    /* an instruction of Linux is a point if the schedule has an interrupt there */
    for (uint32_t i = 0; i < l->active && s->request->ntests == 0; i++) {
        hd_kimage_symbol(s->image, l->sites[i], place, sizeof place);
        fprintf(f, "site %s\n", place);
    }
    for (uint32_t i = 0; i < l->nticks; i++) {
        const struct hd_k_tick *t = &l->ticks[i];

        hd_kimage_symbol(s->image, t->address, place, sizeof place);
        fprintf(f, "tick %u %u %s %u %u %u\n", t->context, t->want, place, t->occurrence, t->step, t->window);
    }
}

static void write_all(const struct hd_ksession *s, const struct hd_kernel_finding *found, FILE *f)
{
    const struct hd_kernel_request *r = s->request;
    char path[PATH_MAX], version[160];

    hd_machine_version(version, sizeof version);
    absolute(r->kernel, path);
    fprintf(f, "%s\nkernel %s\nkernel-hash %016" PRIx64 "\nwords %s\nqemu %s\n", HD_K_SCHEDULE_FIRST_LINE, path,
            hd_kimage_hash(s->image), r->words, version);
    if (r->describe != NULL) {
        absolute(r->describe, path);
        fprintf(f, "describe %s\n", path);
    }
    for (uint32_t i = 0; i < r->ntests; i++) {
        absolute(r->test[i], path);
        fprintf(f, "test %s\n", path);
    }
    if (r->ntests > 0)
        fprintf(f, "executions %u\n", found->windows);
    if (r->modules != NULL) {
        absolute(r->modules, path);
        fprintf(f, "modules %s\n", path);
    }
    fprintf(f, "finding %s\nsignature %016" PRIx64 "\nhash %016" PRIx64 "\nmemory %u\ninstructions %u\npoints %u\n",
            found->kind, hd_ksession_signature(s), found->hash, r->megabytes, r->max_instructions, r->max_points);
    for (uint32_t i = 0; i < r->nfilters; i++)
        fprintf(f, "%s %s\n", r->filter[i].within ? "within" : "without", r->filter[i].function);
    write_places(s, f);
}

void hd_kschedule_save(const struct hd_ksession *s, struct hd_kernel_finding *found)
{
    snprintf(found->schedule, sizeof found->schedule, "%.400s/%s.kernel", s->request->out_dir, found->id);
    FILE *f = fopen(found->schedule, "w");

    if (f != NULL)
        write_all(s, found, f);
    if (f == NULL || fclose(f) != 0) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", found->schedule, strerror(errno));
        found->schedule[0] = '\0';
    }
}

/* ---- reading --------------------------------------------------------------------------- */

static bool number(const char *text, int base, uint64_t max, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, base);
    return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *out <= max;
}

static bool read_tick(struct hd_k_schedule *k, char *rest)
{
    char *word[6];
    uint64_t n[6] = { 0 };

    for (unsigned i = 0; i < 6; i++) {
        word[i] = strtok_r(rest, " ", &rest);
        if (word[i] == NULL && i == 5)
            break; /* schedules of the first version do not contain the number of the execution */
        if (word[i] == NULL)
            return false;
        if (i != 2 && !number(word[i], 10, i < 2 ? HD_K_CONTEXTS - 1 : UINT32_MAX, &n[i]))
            return false;
    }
    if (k->nticks == HD_K_TICKS || n[0] == 0)
        return false;
    k->tick = hd_vec_room(k->tick, k->nticks, sizeof *k->tick);
    k->tick[k->nticks++] = (struct hd_k_saved){
        { .context = (uint16_t)n[0], .want = (uint16_t)n[1], .occurrence = (uint32_t)n[3], .step = (uint32_t)n[4],
          .window = (uint32_t)n[5] }, word[2]
    };
    return true;
}

static bool read_filter(struct hd_k_schedule *k, bool within, const char *function)
{
    if (k->nfilters == HD_K_FILTERS)
        return false;
    k->filter[k->nfilters].within = within;
    k->filter[k->nfilters++].function = function;
    return true;
}

static bool read_site(struct hd_k_schedule *k, const char *place)
{
    if (k->nsites == HD_K_SITES)
        return false;
    k->site = hd_vec_room(k->site, k->nsites, sizeof *k->site);
    k->site[k->nsites++] = place;
    return true;
}

static bool read_test(struct hd_k_schedule *k, const char *file)
{
    if (k->ntests == HD_K_TESTS)
        return false;
    k->test[k->ntests++] = file;
    return true;
}

static bool read_text(char *into, size_t cap, const char *text)
{
    return (size_t)snprintf(into, cap, "%s", text) < cap;
}

static bool read_number(uint32_t *into, const char *text, uint64_t min, uint64_t max)
{
    uint64_t n;

    if (!number(text, 10, max, &n) || n < min)
        return false;
    *into = (uint32_t)n;
    return true;
}

static bool read_item(struct hd_k_schedule *k, const char *key, char *rest)
{
#define IS(word) (strcmp(key, word) == 0)
    if (IS("kernel")) return read_text(k->kernel, sizeof k->kernel, rest);
    if (IS("words")) return read_text(k->words, sizeof k->words, rest);
    if (IS("describe")) return read_text(k->describe, sizeof k->describe, rest);
    if (IS("test")) return read_test(k, rest);
    if (IS("modules")) return read_text(k->modules, sizeof k->modules, rest);
    if (IS("executions")) return read_number(&k->windows, rest, 1, UINT32_MAX);
    if (IS("qemu")) return read_text(k->qemu, sizeof k->qemu, rest);
    if (IS("finding")) return read_text(k->kind, sizeof k->kind, rest);
    if (IS("kernel-hash")) return number(rest, 16, UINT64_MAX, &k->kernel_hash);
    if (IS("hash")) return number(rest, 16, UINT64_MAX, &k->hash);
    if (IS("signature")) return number(rest, 16, UINT64_MAX, &k->signature);
    if (IS("memory")) return read_number(&k->megabytes, rest, 1, RAM_MAX);
    if (IS("instructions")) return read_number(&k->max_instructions, rest, 1, UINT32_MAX);
    if (IS("points")) return read_number(&k->max_points, rest, 1, HD_MAX_STEPS - 1);
    if (IS("within") || IS("without")) return read_filter(k, IS("within"), rest);
    if (IS("site")) return read_site(k, rest);
    if (IS("tick")) return read_tick(k, rest);
#undef IS
    return false;
}

bool hd_kschedule_load(struct hd_k_schedule *k, const char *path, char *why, size_t cap)
{
    unsigned line = 1;

    *k = (struct hd_k_schedule){ .text = hd_text_of_file(path) };
    char *rest = k->text, *item = rest == NULL ? NULL : strtok_r(rest, "\n", &rest);

    if (item == NULL || strcmp(item, HD_K_SCHEDULE_FIRST_LINE) != 0) {
        snprintf(why, cap, item == NULL ? "it cannot be read, or is empty" : "it is no schedule of a kernel");
        return false;
    }
    while ((item = strtok_r(rest, "\n", &rest)) != NULL) {
        char *space = strchr(item, ' ');

        line++;
        if (space != NULL)
            *space = '\0';
        if (space == NULL || !read_item(k, item, space + 1)) {
            snprintf(why, cap, "line %u is damaged", line);
            return false;
        }
    }
    if (k->kernel[0] == '\0' || k->megabytes == 0 || k->max_instructions == 0 || k->max_points == 0) {
        snprintf(why, cap, "it is incomplete");
        return false;
    }
    return true;
}

void hd_kschedule_free(struct hd_k_schedule *k)
{
    free(k->text);
    free(k->site);
    free(k->tick);
}
