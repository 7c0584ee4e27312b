/* SPDX-License-Identifier: BSD-2-Clause
 *
 * baselines.c - the list of strategies that run the program on native threads. */
#include "campaign/setup/baselines.h"

#include <string.h>

#define TIMEOUT { "timeout", 1, 3600000, 10000, "milliseconds after which an execution counts as hanging (10000)" }

static const struct hd_param stress_params[] = {
    TIMEOUT,
    { .key = NULL },
};

static const struct hd_param noise_params[] = {
    TIMEOUT,
    { "p", 0, 100, 10, "delay before this many of 100 operations (10)" },
    { "us", 0, 1000000, 1000, "maximum delay in microseconds; 0: only yield (1000)" },
    { .key = NULL },
};

const struct hd_baseline hd_baselines[] = {
    { "stress", "run the program repeatedly on native threads, without control",
      { .native = true }, stress_params },
    { "noise", "like stress, with random delays before synchronisation",
      { .native = true, .draws = HD_DRAWS_RANDOM }, noise_params },
    { .name = NULL },
};

const struct hd_baseline *hd_baseline_find(const char *name)
{
    size_t n = strcspn(name, ":");

    for (const struct hd_baseline *b = hd_baselines; b->name != NULL; b++)
        if (strlen(b->name) == n && memcmp(b->name, name, n) == 0)
            return b;
    return NULL;
}

const char *hd_baseline_obstacle(const struct hd_options *o, enum hd_verb verb)
{
    if (verb != HD_VERB_RUN)
        return "native threads are not explored, only run: use 'heddle run'";
    if (o->each)
        return "--each: native threads run in whole programs only; leave it out";
    if (o->points != HD_POINTS_SYNC || o->nfilters > 0)
        return "--points, --within, --without: native threads have no scheduling points; leave them out";
    if (o->faults != 0)
        return "--faults: native threads get no faults; leave it out";
    if (o->expect != HD_EXPECT_NOTHING || o->livelock != 0)
        return "--expect, --expect-same, --livelock: Heddle sees only crashes and hangs of native executions; "
               "leave them out";
    if (o->count != 0)
        return "--count: Heddle does not see what a native execution reaches; leave it out";
    if (o->nsuppressions > 0 || o->mute != 0)
        return "--suppressions, --mute: failures of native threads have no place that could be matched; leave "
               "them out";
    if (o->files[HD_FORMAT_sarif] != NULL || o->files[HD_FORMAT_html] != NULL)
        return "--sarif, --html: the interleaving of a native execution is not known; use --json or --junit";
    return NULL;
}
