/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explore.c - searches for an order of the operations in which the model gives the recorded results (Wing and Gong
 * 1993; Lowe 2017).
 *
 * The search goes through the calls and returns in the order of time.  It has a choice only at returns: the
 * returning operation must have taken effect by then, and any number of other operations that have been called
 * may take effect before it.  A configuration consists of the return that has been reached, the set of
 * operations under way that have taken effect, and the state.  No configuration is explored twice.  For this,
 * states are numbered: equal ones, compared word by word, have the same number. */
#include "history/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/vec.h"
#include "history/calls.h"

enum { SLOTS = 64, MOST_WORDS = 1 << 26 /* maximum number of words of all states together */ };

struct moment {
    uint32_t op; /* index of the operation in the part of the history */
    bool is_return;
    uint32_t first, n; /* for a return: the operations under way are n entries of `open`, from `first` on */
};

struct config {
    uint32_t moment, state;
    uint64_t done; /* bits by slot: operations under way that have taken effect */
};

struct frame {
    struct config at;
    uint32_t next; /* the next operation to try */
};

struct search {
    struct hd_history_part *p;
    struct moment *moment;
    uint32_t nmoments;
    uint32_t *open, nopen;
    uint8_t *slot; /* the slot of each operation from its call to its return */
    /* The states: */
    uint32_t *word, nwords, room, *state, nstates; /* where each state begins in `word`; it ends where the next one
                                                    * begins */
    uint32_t *bucket, nbuckets;              /* 1 + the number of a state; 0: free */
    /* The configurations that were reached: */
    struct config *seen;
    uint64_t nseen, capacity;
    struct frame *stack;
    uint32_t depth;
    uint32_t furthest; /* the last return that could not be passed */
};

/* ---- preparation -------------------------------------------------------------------------------- */

static int compare(const void *pa, const void *pb)
{
    const uint64_t *a = pa, *b = pb;

    return (*a > *b) - (*a < *b);
}

/* Lists the calls and returns in the order of time. */
static void list_moments(struct search *s)
{
    uint64_t *key = hd_zeroed(2 * (size_t)s->p->n, sizeof *key);
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->p->n; i++) {
        key[n++] = (uint64_t)s->p->op[i]->call << 32 | i;
        if (s->p->op[i]->ret != HD_NEVER)
            key[n++] = (uint64_t)s->p->op[i]->ret << 32 | i;
    }
    qsort(key, n, sizeof *key, compare);
    s->moment = hd_zeroed(n, sizeof *s->moment);
    for (uint32_t i = 0; i < n; i++)
        s->moment[i] = (struct moment){ .op = (uint32_t)key[i], .is_return = s->p->op[(uint32_t)key[i]]->call != key[i] >> 32 };
    s->nmoments = n;
    free(key);
}

/* Assigns a slot to each operation, and to each return the list of operations under way, its own first.
 * Returns false if there are not enough slots. */
static bool list_open(struct search *s)
{
    uint32_t in[SLOTS];
    uint64_t used = 0;

    s->slot = hd_zeroed(s->p->n, 1);
    for (uint32_t i = 0; i < s->nmoments; i++) {
        struct moment *m = &s->moment[i];

        if (!m->is_return) {
            if (used == UINT64_MAX)
                return false;
            s->slot[m->op] = (uint8_t)__builtin_ctzll(~used);
            in[s->slot[m->op]] = m->op;
            used |= UINT64_C(1) << s->slot[m->op];
            continue;
        }
        m->first = s->nopen;
        *HD_PUSH(s->open, s->nopen) = m->op;
        used &= ~(UINT64_C(1) << s->slot[m->op]);
        for (uint64_t left = used; left != 0; left &= left - 1)
            *HD_PUSH(s->open, s->nopen) = in[__builtin_ctzll(left)];
        m->n = s->nopen - m->first;
    }
    return true;
}

/* ---- states -------------------------------------------------------------------------------------- */

static struct hd_state state_of(const struct search *s, uint32_t number)
{
    uint32_t end = number + 1 < s->nstates ? s->state[number + 1] : s->nwords;

    return (struct hd_state){ s->word + s->state[number], end - s->state[number] };
}

static uint64_t hash_state(struct hd_state of)
{
    return hd_hash_bytes(of.n, of.word, of.n * sizeof *of.word);
}

static void grow_buckets(struct search *s)
{
    s->nbuckets = s->nbuckets == 0 ? 1024 : 2 * s->nbuckets;
    free(s->bucket);
    s->bucket = hd_zeroed(s->nbuckets, sizeof *s->bucket);
    for (uint32_t i = 0; i < s->nstates; i++) {
        uint64_t at = hash_state(state_of(s, i)) & (s->nbuckets - 1);

        while (s->bucket[at] != 0)
            at = (at + 1) & (s->nbuckets - 1);
        s->bucket[at] = i + 1;
    }
}

/* Adds the n words after those of all states as a new state, unless an equal one exists.  Returns its number. */
static uint32_t number_of(struct search *s, uint32_t n)
{
    struct hd_state own = { s->word + s->nwords, n };

    if (2 * s->nstates >= s->nbuckets)
        grow_buckets(s);
    uint64_t at = hash_state(own) & (s->nbuckets - 1);

    for (; s->bucket[at] != 0; at = (at + 1) & (s->nbuckets - 1)) {
        struct hd_state other = state_of(s, s->bucket[at] - 1);

        if (other.n == n && memcmp(other.word, own.word, n * sizeof *own.word) == 0)
            return s->bucket[at] - 1;
    }
    *HD_PUSH(s->state, s->nstates) = s->nwords;
    s->nwords += n;
    s->bucket[at] = s->nstates;
    return s->nstates - 1;
}

/* Runs an operation.  Returns false if its result would differ from the recorded one. */
static bool step(struct search *s, const struct hd_history_op *op, uint32_t from, uint32_t *to)
{
    uint32_t n, room = state_of(s, from).n + HD_STATE_GROWS;

    if (s->nwords + room > s->room)
        s->word = hd_resized(s->word, s->room = 2 * (s->nwords + room), sizeof *s->word);
    if (!hd_state_step(s->p->h, op, state_of(s, from), s->word + s->nwords, &n))
        return false;
    *to = number_of(s, n);
    return true;
}

/* ---- configurations -------------------------------------------------------------------------------- */

static uint64_t hash_config(const struct config *c)
{
    return hd_hash_mix(hd_hash_mix(c->moment, c->state), c->done);
}

static void put(struct search *s, struct config c)
{
    uint64_t at = hash_config(&c) & (s->capacity - 1);

    while (s->seen[at].moment != 0)
        at = (at + 1) & (s->capacity - 1);
    s->seen[at] = c;
}

static void grow_seen(struct search *s)
{
    struct config *old = s->seen;
    uint64_t n = s->capacity;

    s->capacity = n == 0 ? 1024 : 2 * n;
    s->seen = hd_zeroed(s->capacity, sizeof *s->seen);
    for (uint64_t i = 0; i < n; i++)
        if (old[i].moment != 0)
            put(s, old[i]);
    free(old);
}

/* Records the configuration.  Returns false if it was reached before.  A return is never moment 0, so an entry
 * with moment 0 is free. */
static bool is_new(struct search *s, struct config c)
{
    if (2 * s->nseen >= s->capacity)
        grow_seen(s);
    for (uint64_t at = hash_config(&c) & (s->capacity - 1); s->seen[at].moment != 0; at = (at + 1) & (s->capacity - 1))
        if (s->seen[at].moment == c.moment && s->seen[at].state == c.state && s->seen[at].done == c.done)
            return false;
    put(s, c);
    s->nseen++;
    return true;
}

/* Moves on over calls, and over returns of operations that have taken effect. */
static void pass(const struct search *s, struct config *c)
{
    for (; c->moment < s->nmoments; c->moment++) {
        const struct moment *m = &s->moment[c->moment];
        uint64_t bit = UINT64_C(1) << s->slot[m->op];

        if (m->is_return && !(c->done & bit))
            return;
        if (m->is_return)
            c->done &= ~bit;
    }
}

/* Adds the configuration to the search.  Returns true if it is the end of the history. */
static bool reach(struct search *s, struct config c)
{
    pass(s, &c);
    if (c.moment == s->nmoments)
        return true;
    if (c.moment > s->furthest)
        s->furthest = c.moment;
    if (is_new(s, c))
        *HD_PUSH(s->stack, s->depth) = (struct frame){ c, 0 };
    return false;
}

static enum hd_history_verdict explore(struct search *s)
{
    while (s->depth > 0) {
        struct frame *top = &s->stack[s->depth - 1];
        const struct moment *m = &s->moment[top->at.moment];

        if (top->next == m->n) {
            s->depth--;
            continue;
        }
        uint32_t op = s->open[m->first + top->next++];
        struct config c = top->at;

        if (c.done >> s->slot[op] & 1)
            continue;
        if (s->p->steps == 0 || s->nwords > MOST_WORDS)
            return HD_HISTORY_UNKNOWN;
        s->p->steps--;
        c.done |= UINT64_C(1) << s->slot[op];
        if (step(s, s->p->op[op], c.state, &c.state) && reach(s, c))
            return HD_HISTORY_FITS;
    }
    return HD_HISTORY_MISFIT;
}

static enum hd_history_verdict run(struct search *s, struct hd_history_result *result)
{
    enum hd_history_verdict v;

    list_moments(s);
    if (!list_open(s)) {
        hd_history_blame(result, s->p->op[0], "more than %d operations are under way at the same time", SLOTS);
        return HD_HISTORY_UNKNOWN;
    }
    s->word = hd_zeroed(s->room = 1024, sizeof *s->word);
    struct config first = { .state = number_of(s, hd_state_first(s->p->h, s->word)) };

    v = reach(s, first) ? HD_HISTORY_FITS : explore(s);
    const struct hd_history_op *last = s->furthest > 0 ? s->p->op[s->moment[s->furthest].op] : s->p->op[0];

    if (v == HD_HISTORY_MISFIT)
        hd_history_blame(result, last, "no order explains the history up to the return of this operation");
    else if (v == HD_HISTORY_UNKNOWN)
        hd_history_blame(result, last, "the steps do not suffice; the furthest order ends before the return of this operation");
    return v;
}

enum hd_history_verdict hd_explore_judge(struct hd_history_part *p, struct hd_history_result *result)
{
    struct search s = { .p = p };
    enum hd_history_verdict v = run(&s, result);

    free(s.moment);
    free(s.open);
    free(s.slot);
    free(s.word);
    free(s.state);
    free(s.bucket);
    free(s.seen);
    free(s.stack);
    return v;
}
