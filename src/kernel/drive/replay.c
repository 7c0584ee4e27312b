/* SPDX-License-Identifier: BSD-2-Clause
 *
 * replay.c - runs a recorded schedule again, on the same kernel or on a new build of it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "kernel/drive/report.h"
#include "kernel/drive/schedule.h"

/* Copies the schedule into the link.  Returns false if a place does not exist in this kernel. */
static bool apply(struct hd_ksession *s, const struct hd_k_schedule *k)
{
    struct hd_klink *l = s->machine.link;

    l->recorded = true;
    l->batch = k->windows > 0 ? k->windows : 1;
    l->nsites = l->nticks = 0;
    for (uint32_t i = 0; i < k->nsites; i++) {
        uint64_t at = hd_kimage_parse(s->image, k->site[i]);

        if (at >= l->code_low && at < l->code_high)
            l->sites[l->nsites++] = at;
    }
    for (uint32_t i = 0; i < k->nticks; i++) {
        l->ticks[i] = k->tick[i].tick;
        l->ticks[i].address = hd_kimage_parse(s->image, k->tick[i].place);
        if (l->ticks[i].address == 0) {
            fprintf(stderr, "heddle: the schedule does not fit: the kernel has no place '%s'\n", k->tick[i].place);
            return false;
        }
    }
    l->nticks = k->nticks;
    return true;
}

struct tally {
    uint32_t same, equal; /* number of runs with the same finding, and of those with an equal hash */
};

static bool repeat(struct hd_ksession *s, const struct hd_k_schedule *k, struct tally *t)
{
    const struct hd_klink *l = s->machine.link;

    for (uint32_t i = 0; i < s->request->repeats; i++) {
        if (!hd_ksession_run(s))
            return false;
        bool same = hd_ksession_signature(s) == k->signature;

        t->same += same;
        t->equal += same && l->hash == k->hash;
    }
    return true;
}

static int show(struct hd_ksession *s, const struct hd_k_schedule *k, const struct tally *t, bool other)
{
    const struct hd_klink *l = s->machine.link;
    struct hd_kernel_finding f = { .hash = l->hash, .ticks = l->nticks, .reproduced = t->same,
                                   .tried = s->request->repeats, .windows = l->batch };

    hd_ksession_kind(s, f.kind, sizeof f.kind);
    hd_kreport_message(s, f.message, sizeof f.message);
    if (!s->request->quiet && f.kind[0] != '\0')
        hd_kreport_finding(s, &f, stdout);
    if (!s->request->quiet)
        printf("reproduced %u of %u, trace hash equal %u of %u\n", t->same, f.tried, t->equal, f.tried);
    if (t->same == f.tried && (other || t->equal == f.tried))
        return HD_EXIT_FINDING;
    if (other && f.kind[0] == '\0' && l->matched == l->nticks) {
        printf("the finding (%s) does not occur any more\n", k->kind);
        return HD_EXIT_CLEAN;
    }
    fprintf(stderr, "heddle: the execution did not follow the schedule (%u of %u interrupts)\n", l->matched, l->nticks);
    return HD_EXIT_DIVERGED;
}

static void warn(const struct hd_ksession *s, const struct hd_k_schedule *k)
{
    char version[160];

    hd_machine_version(version, sizeof version);
    if (hd_kimage_hash(s->image) != k->kernel_hash)
        fputs("heddle: the kernel is another one than that of the schedule: places are found by their names\n", stderr);
    if (strcmp(version, k->qemu) != 0)
        fprintf(stderr, "heddle: the schedule was recorded with %s, this is %s\n", k->qemu, version);
}

int hd_kernel_replay(const struct hd_kernel_request *given, const char *file)
{
    struct hd_k_schedule k;
    struct hd_kernel_request r = *given;
    struct hd_ksession s = { .request = &r };
    struct tally t = { 0, 0 };
    char why[128];

    if (!hd_kschedule_load(&k, file, why, sizeof why)) {
        fprintf(stderr, "heddle: %s: %s\n", file, why);
        hd_kschedule_free(&k);
        return HD_EXIT_USAGE;
    }
    r.kernel = given->kernel != NULL ? given->kernel : k.kernel;
    r.words = k.words;
    r.modules = k.modules[0] != '\0' ? k.modules : NULL;
    r.ntests = k.ntests;
    memcpy(r.test, k.test, sizeof r.test);
    r.describe = given->describe != NULL ? given->describe : k.describe[0] != '\0' ? k.describe : NULL;
    r.megabytes = k.megabytes;
    r.max_instructions = k.max_instructions;
    r.max_points = k.max_points;
    r.nfilters = k.nfilters;
    for (uint32_t i = 0; i < k.nfilters; i++) {
        r.filter[i].within = k.filter[i].within;
        r.filter[i].function = k.filter[i].function;
    }
    int code = hd_ksession_open(&s, &r);

    if (code == HD_EXIT_CLEAN) {
        warn(&s, &k);
        code = !apply(&s, &k) ? HD_EXIT_DIVERGED : !repeat(&s, &k, &t) ? HD_EXIT_INTERNAL : HD_EXIT_CLEAN;
        if (code == HD_EXIT_CLEAN)
            code = show(&s, &k, &t, hd_kimage_hash(s.image) != k.kernel_hash);
    }
    hd_ksession_close(&s);
    hd_kschedule_free(&k);
    return code;
}
