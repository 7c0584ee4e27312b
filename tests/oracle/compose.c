/* SPDX-License-Identifier: BSD-2-Clause
 *
 * compose.c - renames threads and objects. */
#include "oracle/compose.h"

#include <string.h>

/* Objects that generate.c uses of a kind; a part that uses others must not come here. */
#define CELLS 2
#define MUTEXES 2

struct renaming {
    unsigned thread[PROG_THREADS];
    unsigned cell, mutex, other; /* added to the number */
};

static unsigned started(const struct program *p)
{
    return p->start > 0 ? p->start : 1;
}

static unsigned threads_of(const struct program *p)
{
    unsigned n = PROG_THREADS;

    while (n > started(p) && p->op[n - 1][0].kind == OP_END)
        n--;
    return n;
}

static bool is_cell(const struct prog_op *op)
{
    return op->kind == OP_READ || op->kind == OP_WRITE || op->kind == OP_ADD ||
           op->kind == OP_CAS || op->kind == OP_FUTEX_WAIT || op->kind == OP_FUTEX_WAKE;
}

static bool has_no_object(const struct prog_op *op)
{
    return op->kind == OP_PICK || op->kind == OP_SKIP_NE || op->kind == OP_BACK ||
           op->kind == OP_LOOP;
}

static void rename_operation(struct prog_op *op, const struct renaming *r)
{
    if (has_no_object(op))
        return;
    if (op->kind == OP_CREATE || op->kind == OP_JOIN)
        op->arg = (uint8_t)r->thread[op->arg];
    else if (is_cell(op))
        op->arg = (uint8_t)(op->arg + r->cell);
    else if (op->kind == OP_LOCK || op->kind == OP_UNLOCK || op->kind == OP_TRYLOCK)
        op->arg = (uint8_t)(op->arg + r->mutex);
    else
        op->arg = (uint8_t)(op->arg + r->other);
    if (op->kind == OP_WAIT || op->kind == OP_TIMEDWAIT)
        op->value = (int8_t)(op->value + (int)r->mutex);
}

static void add_part(struct program *p, const struct program *part, const struct renaming *r)
{
    for (unsigned t = 0; t < threads_of(part); t++)
        for (unsigned i = 0; i < PROG_OPS && part->op[t][i].kind != OP_END; i++) {
            struct prog_op *op = &p->op[r->thread[t]][i];

            *op = part->op[t][i];
            rename_operation(op, r);
        }
    p->sem[r->other] = part->sem[0];
    p->barrier[r->other] = part->barrier[0];
}

static bool uses(const struct program *p, unsigned kind, unsigned other)
{
    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < PROG_OPS; i++)
            if (p->op[t][i].kind == kind || p->op[t][i].kind == other)
                return true;
    return false;
}

/* Of n threads that exist at the start, which place each has. */
static void shuffle(unsigned *place, unsigned n, uint64_t order)
{
    struct hd_rng rng = hd_rng_for(41, order);

    for (unsigned i = 0; i < n; i++) {
        unsigned k = hd_rng_below(&rng, i + 1);

        place[i] = place[k];
        place[k] = i;
    }
}

/* Threads that exist at the start come first. */
static bool compose(struct program *p, const struct program *parts, unsigned n, uint64_t order,
                    bool apart)
{
    unsigned first = 0, created = 0, threads = 0, place[PROG_THREADS];

    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < n; i++) {
        created += started(&parts[i]);
        threads += threads_of(&parts[i]);
    }
    if (threads > PROG_THREADS)
        return false;
    shuffle(place, created, order);
    p->start = (uint8_t)created;
    for (unsigned i = 0; i < n; i++) {
        struct renaming r = { .cell = apart ? i * CELLS : 0, .mutex = apart ? i * MUTEXES : 0,
                              .other = apart ? i : 0 };

        for (unsigned t = 0; t < threads_of(&parts[i]); t++)
            r.thread[t] = t < started(&parts[i]) ? place[first++] : created++;
        if (r.cell + CELLS > PROG_FUTEX && uses(&parts[i], OP_FUTEX_WAIT, OP_FUTEX_WAKE))
            return false;
        add_part(p, &parts[i], &r);
    }
    return true;
}

bool compose_apart(struct program *p, const struct program *parts, unsigned n, uint64_t order)
{
    return compose(p, parts, n, order, true);
}

bool compose_together(struct program *p, const struct program *parts, unsigned n, uint64_t order)
{
    return compose(p, parts, n, order, false);
}
