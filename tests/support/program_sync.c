/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program_sync.c - semaphores, read-write locks, barriers, once, conditions and
 * futexes of in-memory programs.
 *
 * Conditions have tokens: a signal adds one if there are more waiters than tokens.  The first thread to relock the
 * mutex, among those that waited at the signal, takes the token.  A futex works in the same way without a mutex, and
 * its wait begins only if the word contains the expected value. */
#include "support/program_sync.h"

#include <string.h>

#include "model/automaton.h"

/* Phases of a wait. */
enum { WAIT_BEGIN, WAIT_BLOCKED, WAIT_RELOCK };

/* Which scripts use which barriers: bits. */
static unsigned barriers_of(const struct prog_op *script)
{
    unsigned used = 0;

    for (unsigned i = 0; i < PROG_OPS && script[i].kind != OP_END; i++)
        used |= script[i].kind == OP_BARRIER ? 1u << script[i].arg : 0;
    return used;
}

void prog_sync_start(struct prog_sync *s, const struct program *p)
{
    uint8_t users[PROG_SYNCS] = { 0 };

    memcpy(s->sem, p->sem, sizeof s->sem);
    memset(s->writer, -1, sizeof s->writer);
    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned used = barriers_of(p->op[t]); used != 0; used &= used - 1)
            users[__builtin_ctz(used)]++;
    for (unsigned b = 0; b < PROG_SYNCS; b++)
        s->surplus |= (uint8_t)((users[b] > p->barrier[b]) << b);
}

uint32_t prog_sync_object(const struct prog_op *op)
{
    switch (op->kind) {
    case OP_WAIT:
    case OP_TIMEDWAIT:
        return (uint32_t)(PROG_OBJ_LOCK + op->value);
    case OP_SIGNAL:
    case OP_BROADCAST:
        return PROG_OBJ_QUEUE + 2u * op->arg;
    case OP_FUTEX_WAKE:
        return PROG_OBJ_QUEUE + 2u * (PROG_FUTEX + op->arg);
    case OP_POST:
    case OP_SEM_WAIT:
    case OP_SEM_TRY:
        return (uint32_t)PROG_OBJ_SEM + op->arg;
    case OP_RDLOCK:
    case OP_WRLOCK:
    case OP_TRYRD:
    case OP_TRYWR:
    case OP_RDUNLOCK:
    case OP_WRUNLOCK:
        return (uint32_t)PROG_OBJ_RW + op->arg;
    case OP_BARRIER:
        return (uint32_t)PROG_OBJ_BARRIER + op->arg;
    case OP_ONCE_BEGIN:
    case OP_ONCE_END:
        return (uint32_t)PROG_OBJ_ONCE + op->arg;
    default:
        return 0;
    }
}

/* Returns the oldest token that is younger than the thread's wait, or ntokens if there is none. */
static unsigned my_token(const struct prog_state *s, unsigned tid, unsigned cond)
{
    unsigned i = 0;

    while (i < s->sync.ntokens[cond] && s->sync.token[cond][i] < s->sync.stamp[tid])
        i++;
    return i;
}

static bool has_token(const struct prog_state *s, unsigned tid, unsigned cond)
{
    return my_token(s, tid, cond) < s->sync.ntokens[cond];
}

static bool wait_enabled(const struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    bool mutex_free = s->owner[op->value] < 0;

    if (s->phase[tid] == WAIT_BEGIN)
        return true;
    if (s->phase[tid] == WAIT_RELOCK)
        return mutex_free;
    return has_token(s, tid, op->arg) ? mutex_free : op->kind == OP_TIMEDWAIT;
}

bool prog_sync_enabled(const struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    const struct prog_sync *y = &s->sync;

    switch (op->kind) {
    case OP_WAIT:
    case OP_TIMEDWAIT:
        return wait_enabled(s, tid, op);
    case OP_FUTEX_WAIT:
        return s->phase[tid] == WAIT_BEGIN || op->extra == 1 ||
               has_token(s, tid, PROG_FUTEX + op->arg);
    case OP_SEM_WAIT:
        return y->sem[op->arg] > 0;
    case OP_RDLOCK:
        return y->writer[op->arg] < 0;
    case OP_WRLOCK:
        return y->writer[op->arg] < 0 && y->readers[op->arg] == 0;
    case OP_BARRIER:
        return s->phase[tid] == 0 || y->round[op->arg] != y->stamp[tid];
    case OP_ONCE_BEGIN:
        return y->once[op->arg] != 1;
    default:
        return true;
    }
}

static void announce_futex_wait(const struct prog_state *s, unsigned tid, const struct prog_op *op,
                                struct hd_event *e)
{
    uint32_t queue = PROG_OBJ_QUEUE + 2u * (PROG_FUTEX + op->arg);

    e->aux = op->extra == 1 ? HD_AUX_TIMED : 0;
    e->obj2 = queue;
    if (s->phase[tid] == WAIT_BEGIN)
        return;
    e->kind = op->extra == 1 && !has_token(s, tid, PROG_FUTEX + op->arg) ? HD_EV_FUTEX_TIMEOUT
                                                                         : HD_EV_FUTEX_WAKEUP;
    e->obj = queue;
    e->obj2 = queue + 1;
}

void prog_sync_announce(const struct prog_state *s, unsigned tid, const struct prog_op *op,
                        struct hd_event *e)
{
    uint32_t queue = PROG_OBJ_QUEUE + 2u * op->arg;

    if (op->kind == OP_SIGNAL || op->kind == OP_BROADCAST || op->kind == OP_FUTEX_WAKE)
        e->obj2 = e->obj + 1;
    if (op->kind == OP_FUTEX_WAIT)
        announce_futex_wait(s, tid, op, e);
    if (op->kind == OP_BARRIER && s->phase[tid] == 1) {
        e->kind = HD_EV_BARRIER_LEAVE;
        e->flags = s->sync.may_win >> tid & 1 ? 0 : HD_EVF_FAILED;
    } else if (op->kind == OP_BARRIER && (s->sync.surplus >> op->arg & 1) != 0)
        e->flags = HD_EVF_FAILED; /* the order matters */
    if (op->kind == OP_BARRIER && s->phase[tid] == 0)
        e->aux = op->value == 1;
    if (op->kind != OP_WAIT && op->kind != OP_TIMEDWAIT)
        return;
    if (s->phase[tid] == WAIT_RELOCK) {
        e->kind = HD_EV_MUTEX_LOCK;
        return;
    }
    e->aux = op->kind == OP_TIMEDWAIT ? HD_AUX_TIMED : 0;
    if (s->phase[tid] == WAIT_BEGIN) {
        e->obj2 = queue;
        return;
    }
    e->kind = HD_EV_COND_WAKE;
    e->obj2 = queue + 1;
    if (op->kind == OP_TIMEDWAIT && !has_token(s, tid, op->arg)) {
        e->kind = HD_EV_COND_TIMEOUT;
        e->obj = queue;
    }
}

static void next_phase(struct prog_state *s, unsigned tid, unsigned phase)
{
    s->phase[tid] = (uint8_t)phase;
    s->pc[tid] = (uint8_t)(s->pc[tid] + (phase == 0));
}

static void give(struct prog_sync *y, unsigned cond, unsigned n)
{
    for (; n > 0 && y->ntokens[cond] < y->nwaiting[cond]; n--)
        y->token[cond][y->ntokens[cond]++] = ++y->seq[cond];
}

static void take(struct prog_sync *y, unsigned cond, unsigned i)
{
    memmove(&y->token[cond][i], &y->token[cond][i + 1], PROG_THREADS - 1 - i);
    y->token[cond][--y->ntokens[cond]] = 0;
}

static void step_of_wait(struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    struct prog_sync *y = &s->sync;
    unsigned c = op->arg;

    if (s->phase[tid] == WAIT_BEGIN) {
        s->misused |= s->owner[op->value] != (int)tid;
        s->owner[op->value] = -1;
        y->stamp[tid] = ++y->seq[c];
        y->nwaiting[c]++;
        next_phase(s, tid, WAIT_BLOCKED);
        return;
    }
    if (s->phase[tid] == WAIT_BLOCKED) {
        bool woken = has_token(s, tid, c);

        s->reg[tid] = woken;
        y->nwaiting[c]--;
        if (!woken) {
            next_phase(s, tid, WAIT_RELOCK);
            return;
        }
        take(y, c, my_token(s, tid, c));
    }
    s->owner[op->value] = (int8_t)tid;
    next_phase(s, tid, 0);
}

static void step_of_futex_wait(struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    struct prog_sync *y = &s->sync;
    unsigned q = PROG_FUTEX + op->arg;

    if (s->phase[tid] == WAIT_BEGIN) {
        s->reg[tid] = 0;
        if (s->cell[op->arg] != op->value) {
            next_phase(s, tid, 0);
            return;
        }
        y->stamp[tid] = ++y->seq[q];
        y->nwaiting[q]++;
        next_phase(s, tid, WAIT_BLOCKED);
        return;
    }
    s->reg[tid] = has_token(s, tid, q);
    y->nwaiting[q]--;
    if (s->reg[tid])
        take(y, q, my_token(s, tid, q));
    next_phase(s, tid, 0);
}

/* Bits: the threads that are in this round of the barrier and have not left it. */
static uint16_t of_round(const struct prog_state *s, unsigned b, unsigned round)
{
    uint16_t in = 0;

    for (unsigned t = 0; t < s->created; t++) {
        const struct prog_op *op = &s->program->op[s->script[t]][s->pc[t]];

        if (s->pc[t] < PROG_OPS && op->kind == OP_BARRIER && op->arg == b && s->phase[t] == 1 &&
            s->sync.stamp[t] == round)
            in |= (uint16_t)(1u << t);
    }
    return in;
}

static void step_of_barrier(struct prog_state *s, unsigned tid, unsigned b, bool looks)
{
    struct prog_sync *y = &s->sync;

    if (s->phase[tid] == 1) {
        bool first = (y->may_win >> tid & 1) != 0;

        if (looks)
            s->reg[tid] = first;
        if (first)
            y->may_win &= (uint16_t)~of_round(s, b, y->stamp[tid]);
        next_phase(s, tid, 0);
        return;
    }
    y->stamp[tid] = y->round[b];
    y->looks |= (uint8_t)(looks << b);
    next_phase(s, tid, 1);
    if (++y->arrived[b] == s->program->barrier[b]) {
        if (y->looks >> b & 1)
            y->may_win |= of_round(s, b, y->round[b]);
        y->looks &= (uint8_t)~(1u << b);
        y->arrived[b] = 0;
        y->round[b]++;
    }
}

static bool can_write(const struct prog_sync *y, unsigned rw)
{
    return y->writer[rw] < 0 && y->readers[rw] == 0;
}

/* True if the operation releases something that the thread does not hold. */
static bool releases_wrongly(const struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    switch (op->kind) {
    case OP_RDUNLOCK:
        return s->sync.readers[op->arg] == 0;
    case OP_WRUNLOCK:
        return s->sync.writer[op->arg] != (int)tid;
    case OP_ONCE_END:
        return s->sync.once[op->arg] != 1;
    default:
        return false;
    }
}

void prog_sync_execute(struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    struct prog_sync *y = &s->sync;
    unsigned a = op->arg;

    if (op->kind == OP_WAIT || op->kind == OP_TIMEDWAIT) {
        step_of_wait(s, tid, op);
        return;
    }
    if (op->kind == OP_FUTEX_WAIT) {
        step_of_futex_wait(s, tid, op);
        return;
    }
    if (op->kind == OP_BARRIER) {
        step_of_barrier(s, tid, a, op->value == 1);
        return;
    }
    s->pc[tid]++;
    s->misused |= releases_wrongly(s, tid, op);
    switch (op->kind) {
    case OP_TRYLOCK:
        s->reg[tid] = s->owner[a] < 0;
        if (s->reg[tid])
            s->owner[a] = (int8_t)tid;
        break;
    case OP_SIGNAL:
        give(y, a, 1);
        break;
    case OP_BROADCAST:
        give(y, a, PROG_THREADS);
        break;
    case OP_FUTEX_WAKE:
        s->reg[tid] = (int8_t)-y->ntokens[PROG_FUTEX + a];
        give(y, PROG_FUTEX + a, (unsigned)op->value);
        s->reg[tid] = (int8_t)(s->reg[tid] + y->ntokens[PROG_FUTEX + a]);
        break;
    case OP_POST:
        y->sem[a]++;
        break;
    case OP_SEM_WAIT:
    case OP_SEM_TRY:
        s->reg[tid] = y->sem[a] > 0;
        y->sem[a] = (uint8_t)(y->sem[a] - s->reg[tid]);
        break;
    case OP_RDLOCK:
    case OP_TRYRD:
        s->reg[tid] = y->writer[a] < 0;
        y->readers[a] = (uint8_t)(y->readers[a] + s->reg[tid]);
        break;
    case OP_WRLOCK:
    case OP_TRYWR:
        s->reg[tid] = can_write(y, a);
        if (s->reg[tid])
            y->writer[a] = (int8_t)tid;
        break;
    case OP_RDUNLOCK:
        y->readers[a]--;
        break;
    case OP_WRUNLOCK:
        y->writer[a] = -1;
        break;
    case OP_ONCE_BEGIN:
        s->reg[tid] = y->once[a] == 0;
        y->once[a] = (uint8_t)(s->reg[tid] ? 1 : y->once[a]);
        break;
    case OP_ONCE_END:
        y->once[a] = 2;
        break;
    default:
        break;
    }
}
