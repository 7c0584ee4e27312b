/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache.c - see cache.h. */
#include "serve/cache.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

#define LARGEST (1u << 20) /* largest answer that is cached, in bytes */
enum { KEPT = 32 };

struct entry {
    char *path; /* NULL: the entry is free */
    struct hd_answer answer;
    double until; /* seconds */
};

struct hd_cache {
    struct entry entry[KEPT];
    size_t next; /* index of the entry that is replaced next */
    struct hd_answer single; /* an answer too large for the cache */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct hd_cache *hd_cache_open(void)
{
    return hd_zeroed(1, sizeof(struct hd_cache));
}

static void drop(struct entry *e)
{
    hd_answer_free(&e->answer);
    free(e->path);
    e->path = NULL;
}

void hd_cache_close(struct hd_cache *c)
{
    for (size_t i = 0; i < KEPT; i++)
        drop(&c->entry[i]);
    hd_answer_free(&c->single);
    free(c);
}

static struct entry *find(struct hd_cache *c, const char *path)
{
    for (size_t i = 0; i < KEPT; i++)
        if (c->entry[i].path != NULL && strcmp(c->entry[i].path, path) == 0)
            return &c->entry[i];
    return NULL;
}

static double time_to_keep(const struct hd_answer *a, double cost)
{
    if (a->status == 503)
        return 1;
    if (a->status != 200 || a->size > LARGEST || a->file != NULL || a->policy == HD_POLICY_REPORT)
        return 0;
    return cost < 0.05 ? 0.5 : cost * 10;
}

const struct hd_answer *hd_cache_answer(struct hd_cache *c, struct hd_site *site, const char *path)
{
    struct entry *e = find(c, path);
    double begun = now();

    if (e != NULL && begun < e->until)
        return &e->answer;
    if (e != NULL)
        drop(e);
    hd_answer_free(&c->single);
    hd_answer(site, path, &c->single);
    double over = now(), keep = time_to_keep(&c->single, over - begun);

    if (keep == 0)
        return &c->single;
    e = e != NULL ? e : &c->entry[c->next++ % KEPT];
    drop(e);
    *e = (struct entry){ .path = hd_copied(path), .answer = c->single, .until = over + keep };
    c->single = (struct hd_answer){ .status = 0 };
    return &e->answer;
}
