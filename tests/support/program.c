/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.c - the interpreter of in-memory programs. */
#include "support/program.h"

#include <string.h>

static const uint8_t event_kind[] = {
    [OP_END] = HD_EV_NONE,
    [OP_CREATE] = HD_EV_THREAD_CREATE,
    [OP_JOIN] = HD_EV_THREAD_JOIN,
    [OP_LOCK] = HD_EV_MUTEX_LOCK,
    [OP_UNLOCK] = HD_EV_MUTEX_UNLOCK,
    [OP_READ] = HD_EV_ATOMIC_LOAD,
    [OP_WRITE] = HD_EV_ATOMIC_STORE,
    [OP_ADD] = HD_EV_ATOMIC_RMW,
    [OP_ASSERT_EQ] = HD_EV_ATOMIC_LOAD,
    [OP_ASSERT_BELOW] = HD_EV_ATOMIC_LOAD,
    [OP_YIELD] = HD_EV_YIELD,
    [OP_CHOOSE] = HD_EV_CHOOSE,
    [OP_PLAIN_ADD] = HD_EV_PLAIN_WRITE,
    [OP_PLAIN_BELOW] = HD_EV_PLAIN_READ,
};

static const struct prog_op *next_op(const struct prog_state *s, unsigned tid)
{
    return &s->program->op[s->script[tid]][s->pc[tid]];
}

void prog_start(struct prog_state *s, const struct program *p)
{
    memset(s, 0, sizeof *s);
    memset(s->owner, -1, sizeof s->owner);
    s->program = p;
    s->created = 1;
}

bool prog_finished(const struct prog_state *s, unsigned tid)
{
    return next_op(s, tid)->kind == OP_END;
}

/* The thread that runs script k, or -1 when it was not created yet. */
static int thread_of(const struct prog_state *s, unsigned k)
{
    for (int t = 0; t < s->created; t++)
        if (s->script[t] == k)
            return t;
    return -1;
}

bool prog_enabled(const struct prog_state *s, unsigned tid)
{
    const struct prog_op *op = next_op(s, tid);

    if (s->failed || tid >= s->created)
        return false;
    switch (op->kind) {
    case OP_END:
        return false;
    case OP_LOCK:
        return s->owner[op->arg] < 0;
    case OP_JOIN: {
        int target = thread_of(s, op->arg);

        return target >= 0 && prog_finished(s, (unsigned)target);
    }
    default:
        return true;
    }
}

int prog_chooser(const struct prog_state *s, uint32_t *n)
{
    for (unsigned t = 0; t < s->created && !s->failed; t++) {
        const struct prog_op *op = next_op(s, t);

        if (op->kind == OP_CHOOSE) {
            *n = op->arg;
            return (int)t;
        }
    }
    return -1;
}

void prog_choose(struct prog_state *s, unsigned tid, uint32_t alternative)
{
    const struct prog_op *op = next_op(s, tid);

    s->cell[op->value] = (int16_t)(s->cell[op->value] + (int)alternative);
    s->pc[tid]++;
}

static void execute(struct prog_state *s, unsigned tid)
{
    const struct prog_op *op = next_op(s, tid);

    s->pc[tid]++;
    switch (op->kind) {
    case OP_CREATE:
        s->script[s->created++] = op->arg;
        for (int k = op->arg + 1; k <= op->value; k++)
            s->script[s->created++] = (uint8_t)k;
        break;
    case OP_LOCK:
        s->owner[op->arg] = (int8_t)tid;
        break;
    case OP_UNLOCK:
        s->owner[op->arg] = -1;
        break;
    case OP_WRITE:
        s->cell[op->arg] = op->value;
        break;
    case OP_ADD:
    case OP_PLAIN_ADD:
        s->cell[op->arg] = (int16_t)(s->cell[op->arg] + op->value);
        break;
    case OP_ASSERT_EQ:
        s->failed = s->cell[op->arg] != s->cell[op->value];
        break;
    case OP_ASSERT_BELOW:
    case OP_PLAIN_BELOW:
        s->failed = s->cell[op->arg] >= op->value;
        break;
    case OP_YIELD:
        s->yielded |= (uint8_t)(1u << tid);
        break;
    default:
        break;
    }
}

static bool next_is_plain(const struct prog_state *s, unsigned tid)
{
    uint8_t kind = next_op(s, tid)->kind;

    return kind == OP_PLAIN_ADD || kind == OP_PLAIN_BELOW;
}

void prog_step(struct prog_state *s, unsigned tid)
{
    s->last = (uint8_t)tid;
    s->yielded &= (uint8_t)~(1u << tid);
    execute(s, tid);
    while (!s->failed && next_is_plain(s, tid))
        execute(s, tid);
}

bool prog_over(const struct prog_state *s)
{
    for (unsigned t = 0; t < s->created; t++)
        if (prog_enabled(s, t))
            return false;
    return true;
}

bool prog_buggy(const struct prog_state *s)
{
    bool unfinished = false;

    for (unsigned t = 0; t < s->created; t++)
        unfinished |= !prog_finished(s, t);
    return s->failed || (unfinished && prog_over(s));
}

void prog_point(const struct prog_state *s, uint32_t step, struct hd_event *pending,
                struct hd_point *at)
{
    memset(at, 0, sizeof *at);
    at->step = step;
    at->nthreads = s->created;
    at->last = s->last;
    at->pending = pending;
    for (unsigned t = 0; t < s->created; t++) {
        const struct prog_op *op = next_op(s, t);
        bool enabled = prog_enabled(s, t);

        pending[t] = (struct hd_event){ .tid = (hd_tid)t, .kind = event_kind[op->kind],
                                        .obj = op->arg + 1u, .pc = s->pc[t] };
        hd_set_put(&at->enabled, t, enabled);
        hd_set_put(&at->yielded, t, enabled && (s->yielded >> t & 1) != 0);
    }
    at->last_enabled = hd_set_has(&at->enabled, s->last);
    at->last_yielded = hd_set_has(&at->yielded, s->last);
}

static void random_script(struct prog_op *op, unsigned length, struct hd_rng *rng)
{
    static const uint8_t kinds[] = { OP_READ, OP_WRITE, OP_ADD, OP_YIELD, OP_CHOOSE,
                                     OP_ASSERT_BELOW, OP_LOCK, OP_LOCK };
    int held = -1;

    for (unsigned i = 0; i < length; i++) {
        struct prog_op o = { .kind = kinds[hd_rng_below(rng, sizeof kinds)],
                             .arg = (uint8_t)hd_rng_below(rng, 2),
                             .value = (int8_t)hd_rng_below(rng, 2) };

        if (o.kind == OP_LOCK && held >= 0) {
            /* Nested with the other lock, which gives deadlocks, or released. */
            if (hd_rng_below(rng, 3) == 0)
                o.arg = (uint8_t)(1 - held);
            else
                o = (struct prog_op){ .kind = OP_UNLOCK, .arg = (uint8_t)held };
        }
        if (o.kind == OP_CHOOSE)
            o.arg = 2;
        if (o.kind == OP_ASSERT_BELOW)
            o.value = 2;
        if (o.kind == OP_LOCK)
            held = o.arg;
        if (o.kind == OP_UNLOCK)
            held = -1;
        op[i] = o;
    }
}

void prog_random(struct program *p, struct hd_rng *rng)
{
    unsigned children = 1 + hd_rng_below(rng, 3);
    unsigned n = 0;

    memset(p, 0, sizeof *p);
    for (unsigned c = 1; c <= children; c++) {
        p->op[0][n++] = (struct prog_op){ .kind = OP_CREATE, .arg = (uint8_t)c };
        random_script(p->op[c], 1 + hd_rng_below(rng, children == 1 ? 6 : 3), rng);
    }
    if (hd_rng_below(rng, 2) == 0)
        p->op[0][n++] = (struct prog_op){ .kind = OP_ADD, .arg = 0, .value = 1 };
    if (hd_rng_below(rng, 2) == 0)
        p->op[0][n++] = (struct prog_op){ .kind = OP_JOIN, .arg = 1 };
}
