/* SPDX-License-Identifier: BSD-2-Clause
 *
 * brute.c - the brute-force enumerator.  States are copied, not undone: slow,
 * and hard to get wrong. */
#include "support/brute.h"

#include "base/hash.h"

#define BRUTE_STEPS 128

uint64_t schedule_hash(const struct hd_decision *d, uint32_t n)
{
    uint64_t h = n;

    for (uint32_t i = 0; i < n; i++)
        h = hd_hash_mix(h, (uint64_t)d[i].alternatives << 16 | d[i].chosen);
    return h;
}

unsigned brute_delays(const bool *offered, unsigned nthreads, unsigned first, unsigned t)
{
    unsigned delays = 0;

    for (unsigned u = first % nthreads; u != t; u = (u + 1) % nthreads)
        delays += offered[u];
    return delays;
}

struct path {
    struct hd_decision decision[BRUTE_STEPS];
    uint32_t n;
    unsigned preemptions;
    unsigned delays;
};

static void explore(struct brute *b, const struct prog_state *s, struct path *path);

static void record(struct brute *b, const struct prog_state *s, const struct path *path)
{
    if (b->n == b->capacity) {
        b->full = true;
        return;
    }
    b->schedule[b->n++] = (struct brute_schedule){
        .hash = schedule_hash(path->decision, path->n),
        .preemptions = path->preemptions,
        .delays = path->delays,
        .buggy = prog_buggy(s),
    };
}

static void explore_choice(struct brute *b, const struct prog_state *s, struct path *path,
                           unsigned tid, uint32_t n)
{
    for (uint32_t a = 0; a < n; a++) {
        struct prog_state after = *s;

        prog_choose(&after, tid, a);
        path->decision[path->n++] = (struct hd_decision){ .chosen = (uint16_t)a,
                                                          .alternatives = (uint16_t)n };
        explore(b, &after, path);
        path->n--;
    }
}

/* A thread that has yielded may not run, unless all enabled threads have yielded. */
static void offered_threads(const struct prog_state *s, bool *offered)
{
    bool any = false;

    for (unsigned t = 0; t < s->created; t++)
        any |= offered[t] = prog_enabled(s, t) && (s->yielded >> t & 1) == 0;
    for (unsigned t = 0; t < s->created && !any; t++)
        offered[t] = prog_enabled(s, t);
}

static void explore(struct brute *b, const struct prog_state *s, struct path *path)
{
    bool offered[PROG_THREADS] = { false };
    bool last_yielded = prog_enabled(s, s->last) && s->just_yielded;
    bool last_goes_on = prog_enabled(s, s->last) && !last_yielded;
    uint32_t n = 0;
    int chooser = prog_chooser(s, &n);

    if (b->full)
        return;
    if (chooser >= 0) {
        explore_choice(b, s, path, (unsigned)chooser, n);
        return;
    }
    if (prog_over(s)) {
        record(b, s, path);
        return;
    }
    offered_threads(s, offered);
    for (unsigned t = 0; t < s->created; t++) {
        struct prog_state after = *s;
        struct path saved = *path;

        if (!offered[t])
            continue;
        path->preemptions += last_goes_on && t != s->last;
        path->delays += brute_delays(offered, s->created, s->last + last_yielded, t);
        path->decision[path->n++] = (struct hd_decision){ .chosen = (uint16_t)t };
        prog_step(&after, t);
        explore(b, &after, path);
        *path = saved;
    }
}

void brute_enumerate(struct brute *b, const struct program *p)
{
    struct prog_state s;
    struct path path = { .n = 0 };

    prog_start(&s, p);
    b->n = 0;
    b->full = false;
    explore(b, &s, &path);
}
