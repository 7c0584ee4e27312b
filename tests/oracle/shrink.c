/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink.c - greedy: a change that keeps the failure is kept, the largest are tried
 * first, and all are tried again until none succeeds. */
#include "oracle/shrink.h"

#include <string.h>

#include "oracle/print_c.h"

struct shrinking {
    struct program *program;
    shrink_predicate fails;
    const void *ctx;
};

/* Keep the candidate if it fails as well. */
static bool keep(struct shrinking *s, const struct program *candidate)
{
    if (memcmp(candidate, s->program, sizeof *candidate) == 0 || !print_c_possible(candidate) ||
        !s->fails(candidate, s->ctx))
        return false;
    *s->program = *candidate;
    return true;
}

/* Without operations i to end - 1; jumps over them get shorter. */
static void cut(struct program *p, unsigned t, unsigned i, unsigned end)
{
    unsigned n = print_c_length(p, t);
    struct prog_op *op = p->op[t];

    for (unsigned k = 0; k < n; k++) {
        unsigned to = op[k].kind == OP_SKIP_NE ? k + 1 + op[k].arg : k - op[k].arg;

        if (op[k].kind == OP_SKIP_NE && k < i && to > i)
            op[k].arg = (uint8_t)(op[k].arg - ((to < end ? to : end) - i));
        if ((op[k].kind == OP_BACK || op[k].kind == OP_LOOP) && k >= end && to < end)
            op[k].arg = (uint8_t)(op[k].arg - (end - (to > i ? to : i)));
    }
    memmove(&op[i], &op[end], (n - end) * sizeof *op);
    memset(&op[n - (end - i)], 0, (end - i) * sizeof *op);
}

/* References to thread t vanish, those to later ones move down by one. */
static void forget_thread(struct program *p, unsigned t)
{
    for (unsigned u = 0; u < PROG_THREADS; u++)
        for (unsigned i = print_c_length(p, u); i-- > 0;) {
            struct prog_op *op = &p->op[u][i];
            bool range = op->kind == OP_CREATE && op->value > op->arg;

            if (op->kind != OP_CREATE && op->kind != OP_JOIN)
                continue;
            if (!range && op->arg == t) {
                cut(p, u, i, i + 1);
                continue;
            }
            op->value = (int8_t)(op->value - (range && op->value >= (int)t));
            op->arg = (uint8_t)(op->arg - (op->arg > t));
        }
}

static bool without_threads(struct shrinking *s)
{
    bool changed = false;

    for (unsigned t = PROG_THREADS; t-- > 0;) {
        struct program c = *s->program;

        if (c.start > 0 ? t >= c.start || c.start == 1 : t == 0)
            continue;
        memmove(c.op[t], c.op[t + 1], (PROG_THREADS - 1 - t) * sizeof c.op[t]);
        memset(c.op[PROG_THREADS - 1], 0, sizeof c.op[t]);
        c.start = (uint8_t)(c.start - (c.start > 0));
        forget_thread(&c, t);
        changed |= keep(s, &c);
    }
    return changed;
}

static bool without_operations(struct shrinking *s)
{
    bool changed = false;

    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned size = print_c_length(s->program, t); size > 0; size--)
            for (unsigned i = 0; i + size <= print_c_length(s->program, t); i++) {
                struct program c = *s->program;

                cut(&c, t, i, i + size);
                changed |= keep(s, &c);
            }
    return changed;
}

/* Two operations at once, as a lock and its unlock around something needed. */
static bool without_pairs(struct shrinking *s)
{
    bool changed = false;

    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(s->program, t); i++)
            for (unsigned k = i + 1; k < print_c_length(s->program, t); k++) {
                struct program c = *s->program;

                cut(&c, t, k, k + 1);
                cut(&c, t, i, i + 1);
                changed |= keep(s, &c);
            }
    return changed;
}

/* A smaller number of the same place: zero at best, or one less. */
static bool lower(struct shrinking *s, const void *place, bool is_signed)
{
    size_t at = (size_t)((const char *)place - (const char *)s->program);
    int8_t now = *(const int8_t *)place;
    int best[] = { 0, now - 1, now + 1 };
    bool changed = false;

    for (unsigned i = 0; i < 3 && !changed && now != 0; i++) {
        struct program c = *s->program;

        if (i > 0 && (i == 2) != (is_signed && now < 0))
            continue;
        ((int8_t *)&c)[at] = (int8_t)best[i];
        changed |= keep(s, &c);
    }
    return changed;
}

static bool with_lower_operands(struct shrinking *s)
{
    struct program *p = s->program;
    bool changed = false;

    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(p, t); i++) {
            changed |= lower(s, &p->op[t][i].arg, false);
            changed |= lower(s, &p->op[t][i].value, true);
            changed |= lower(s, &p->op[t][i].extra, true);
        }
    for (unsigned i = 0; i < PROG_SYNCS; i++) {
        changed |= lower(s, &p->sem[i], false);
        changed |= lower(s, &p->barrier[i], false);
    }
    return changed;
}

void shrink(struct program *p, shrink_predicate fails, const void *ctx)
{
    struct shrinking s = { p, fails, ctx };

    while (without_threads(&s) || without_operations(&s) || without_pairs(&s) ||
           with_lower_operands(&s))
        ;
}
