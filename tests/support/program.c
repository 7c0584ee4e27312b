/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.c - the interpreter of in-memory programs. */
#include "support/program.h"

#include <string.h>

#include "model/point_class.h"
#include "support/program_sync.h"

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
    [OP_PICK] = HD_EV_CHOOSE,
    [OP_CAS] = HD_EV_ATOMIC_CAS,
    [OP_TRYLOCK] = HD_EV_MUTEX_TRYLOCK,
    [OP_WAIT] = HD_EV_COND_WAIT,
    [OP_TIMEDWAIT] = HD_EV_COND_WAIT,
    [OP_SIGNAL] = HD_EV_COND_SIGNAL,
    [OP_BROADCAST] = HD_EV_COND_BROADCAST,
    [OP_POST] = HD_EV_SEM_POST,
    [OP_SEM_WAIT] = HD_EV_SEM_WAIT,
    [OP_SEM_TRY] = HD_EV_SEM_TRYWAIT,
    [OP_RDLOCK] = HD_EV_RWLOCK_RDLOCK,
    [OP_WRLOCK] = HD_EV_RWLOCK_WRLOCK,
    [OP_TRYRD] = HD_EV_RWLOCK_TRYRDLOCK,
    [OP_TRYWR] = HD_EV_RWLOCK_TRYWRLOCK,
    [OP_RDUNLOCK] = HD_EV_RWLOCK_RDUNLOCK,
    [OP_WRUNLOCK] = HD_EV_RWLOCK_WRUNLOCK,
    [OP_BARRIER] = HD_EV_BARRIER_ARRIVE,
    [OP_ONCE_BEGIN] = HD_EV_ONCE_BEGIN,
    [OP_ONCE_END] = HD_EV_ONCE_END,
    [OP_FUTEX_WAIT] = HD_EV_FUTEX_WAIT,
    [OP_FUTEX_WAKE] = HD_EV_FUTEX_WAKE,
    [OP_SECTION_BEGIN] = HD_EV_SECTION_BEGIN,
    [OP_SECTION_END] = HD_EV_SECTION_END,
    [OP_TRYJOIN] = HD_EV_THREAD_TRYJOIN,
    [OP_LAST] = HD_EV_THREAD_LAST,
};

/* A thread that skips past the end of its script has ended. */
static const struct prog_op *next_op(const struct prog_state *s, unsigned tid)
{
    static const struct prog_op beyond = { .kind = OP_END };
    unsigned pc = s->pc[tid];

    return pc < PROG_OPS ? &s->program->op[s->script[tid]][pc] : &beyond;
}

void prog_start(struct prog_state *s, const struct program *p)
{
    memset(s, 0, sizeof *s);
    memset(s->owner, -1, sizeof s->owner);
    s->program = p;
    s->created = p->start > 0 ? p->start : 1;
    for (unsigned t = 0; t < s->created; t++)
        s->script[t] = (uint8_t)t;
    prog_sync_start(&s->sync, p);
}

bool prog_finished(const struct prog_state *s, unsigned tid)
{
    return next_op(s, tid)->kind == OP_END;
}

/* Returns the thread that runs script k, or -1 if it was not created yet. */
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
        return prog_sync_enabled(s, tid, op);
    }
}

int prog_chooser(const struct prog_state *s, uint32_t *n)
{
    for (unsigned t = 0; t < s->created && !s->failed; t++) {
        const struct prog_op *op = next_op(s, t);

        if (op->kind == OP_CHOOSE || op->kind == OP_PICK) {
            *n = op->arg;
            return (int)t;
        }
    }
    return -1;
}

static void create(struct prog_state *s, unsigned script)
{
    s->misused |= thread_of(s, script) >= 0;
    s->script[s->created++] = (uint8_t)script;
}

/* Executes an operation that only changes where the thread continues.  Returns false for other operations. */
static bool jump(struct prog_state *s, unsigned tid, const struct prog_op *op)
{
    switch (op->kind) {
    case OP_BACK:
        s->pc[tid] = (uint8_t)(s->pc[tid] - 1 - op->arg);
        return true;
    case OP_LOOP:
        if (s->reg[tid] != op->value && s->loops[tid] < op->extra) {
            s->loops[tid]++;
            s->pc[tid] = (uint8_t)(s->pc[tid] - 1 - op->arg);
        } else {
            s->loops[tid] = 0;
        }
        return true;
    case OP_SKIP_NE:
        for (unsigned i = 0; i < op->arg && s->reg[tid] != op->value && !prog_finished(s, tid); i++)
            s->pc[tid]++;
        return true;
    default:
        return false;
    }
}

/* True if the thread with this script has ended.  A thread that was never created cannot be queried. */
static bool has_ended(struct prog_state *s, unsigned script)
{
    int target = thread_of(s, script);

    s->misused |= target < 0;
    return target >= 0 && prog_finished(s, (unsigned)target);
}

static void execute(struct prog_state *s, unsigned tid)
{
    const struct prog_op *op = next_op(s, tid);

    s->pc[tid]++;
    if (jump(s, tid, op))
        return;
    s->reg[tid] = (int8_t)(op->kind == OP_READ ? s->cell[op->arg] : s->reg[tid]);
    switch (op->kind) {
    case OP_CREATE:
        create(s, op->arg);
        for (int k = op->arg + 1; k <= op->value; k++)
            create(s, (unsigned)k);
        break;
    case OP_LOCK:
        s->owner[op->arg] = (int8_t)tid;
        break;
    case OP_UNLOCK:
        s->misused |= s->owner[op->arg] != (int)tid;
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
        s->yielded |= (uint16_t)(1u << tid);
        break;
    case OP_CAS:
        s->reg[tid] = s->cell[op->arg] == op->value;
        if (s->reg[tid])
            s->cell[op->arg] = op->extra;
        break;
    case OP_TRYJOIN:
        s->reg[tid] = has_ended(s, op->arg);
        break;
    case OP_SECTION_BEGIN:
    case OP_SECTION_END:
    case OP_LAST:
        break;
    default:
        s->pc[tid]--;
        prog_sync_execute(s, tid, op);
        break;
    }
}

static bool next_is_plain(const struct prog_state *s, unsigned tid)
{
    uint8_t kind = next_op(s, tid)->kind;

    return kind == OP_PLAIN_ADD || kind == OP_PLAIN_BELOW || kind == OP_SKIP_NE ||
           kind == OP_BACK || kind == OP_LOOP;
}

static uint32_t first_object(const struct prog_op *op)
{
    switch (op->kind) {
    case OP_CREATE:
    case OP_JOIN:
    case OP_TRYJOIN:
        return PROG_OBJ_THREAD + op->arg;
    case OP_LOCK:
    case OP_UNLOCK:
    case OP_TRYLOCK:
        return PROG_OBJ_LOCK + op->arg;
    case OP_SECTION_BEGIN:
    case OP_SECTION_END:
        return op->extra ? 0 : PROG_OBJ_SECTION + op->arg;
    case OP_YIELD:
    case OP_CHOOSE:
    case OP_PICK:
    case OP_END:
        return 0;
    default:
        return prog_sync_object(op) != 0 ? prog_sync_object(op) : (uint32_t)PROG_OBJ_CELL + op->arg;
    }
}

/* The pending operation as an event, before its outcome is known. */
static struct hd_event announce(const struct prog_state *s, unsigned tid)
{
    const struct prog_op *op = next_op(s, tid);
    struct hd_event e = { .tid = (hd_tid)tid, .kind = event_kind[op->kind], .peer = HD_NO_TID,
                          .obj = first_object(op), .pc = s->pc[tid] };

    if (op->kind == OP_SECTION_BEGIN && op->extra)
        e.kind = HD_EV_TX_BEGIN;
    if (op->kind == OP_SECTION_END && op->extra)
        e.kind = HD_EV_TX_END;

    if (op->kind == OP_LAST)
        e.obj = PROG_OBJ_THREAD + s->script[tid];
    if (op->kind == OP_CAS)
        e.obj2 = hd_event_value_hash((uint64_t)(int64_t)op->value);
    if (op->kind == OP_WRITE || op->kind == OP_ADD)
        e.obj2 = hd_event_value_hash((uint64_t)(int64_t)s->cell[op->arg]);
    prog_sync_announce(s, tid, op, &e);
    return e;
}

static void note(struct hd_event *log, unsigned *n, unsigned tid, enum hd_kind kind, uint32_t obj,
                 uint64_t value)
{
    log[(*n)++] = (struct hd_event){ .tid = (hd_tid)tid, .kind = (uint8_t)kind,
                                     .peer = HD_NO_TID, .obj = obj, .value = value };
}

#define RUN_ON 100

/* Executes the invisible operations after the step, and the end of the thread. */
static void run_on(struct prog_state *s, unsigned tid, struct hd_event *log, unsigned *n)
{
    for (unsigned i = 0; !s->failed && !s->misused && next_is_plain(s, tid); i++) {
        s->misused |= i == RUN_ON; /* an endless loop */
        execute(s, tid);
    }
    if (prog_finished(s, tid))
        note(log, n, tid, HD_EV_THREAD_END, PROG_OBJ_THREAD + s->script[tid], 0);
}

unsigned prog_start_log(const struct prog_state *s, struct hd_event *log)
{
    unsigned n = 0;

    for (unsigned i = 0; i < PROG_SYNCS; i++) {
        if (s->program->sem[i] > 0)
            note(log, &n, 0, HD_EV_SEM_INIT, PROG_OBJ_SEM + i, s->program->sem[i]);
        if (s->program->barrier[i] > 0)
            note(log, &n, 0, HD_EV_BARRIER_INIT, PROG_OBJ_BARRIER + i, s->program->barrier[i]);
    }
    return n;
}

static bool failed_attempt(const struct prog_state *s, unsigned tid, unsigned kind,
                           unsigned kind_of_step)
{
    switch (kind) {
    case OP_CAS:
    case OP_TRYLOCK:
    case OP_SEM_TRY:
    case OP_TRYRD:
    case OP_TRYWR:
    case OP_ONCE_BEGIN:
    case OP_TRYJOIN:
        return s->reg[tid] == 0;
    case OP_FUTEX_WAIT: /* the flag was set in its first step: the wait did not begin */
        return s->reg[tid] == 0 && kind_of_step == HD_EV_FUTEX_WAIT && s->phase[tid] == 0;
    default:
        return false;
    }
}

/* Executes one operation and makes its event.  Returns its kind. */
static unsigned act(struct prog_state *s, unsigned tid, struct hd_event *log, unsigned *n)
{
    struct hd_event e = announce(s, tid);
    struct prog_op op = *next_op(s, tid);
    unsigned before = s->created;

    execute(s, tid);
    if (op.kind == OP_CREATE) {
        e.value = before;
    } else if (op.kind == OP_FUTEX_WAKE) {
        e.value = (uint64_t)s->reg[tid];
    } else if (e.obj >= PROG_OBJ_CELL) {
        e.value = (uint64_t)(int64_t)s->cell[op.arg];
    }
    if (failed_attempt(s, tid, op.kind, e.kind))
        e.flags |= HD_EVF_FAILED;
    log[(*n)++] = e;
    return op.kind;
}

static bool fits_section(unsigned kind)
{
    return kind == OP_READ || kind == OP_WRITE || kind == OP_ADD || kind == OP_CAS ||
           kind == OP_SECTION_END;
}

/* What follows its begin. */
static void run_section(struct prog_state *s, unsigned tid, struct hd_event *log, unsigned *n)
{
    unsigned kind = OP_SECTION_BEGIN;

    while (kind != OP_SECTION_END && !s->misused && !prog_finished(s, tid)) {
        if (next_is_plain(s, tid)) {
            s->misused |= next_op(s, tid)->kind != OP_SKIP_NE; /* other operations may form an endless loop */
            execute(s, tid);
            continue;
        }
        kind = next_op(s, tid)->kind;
        s->misused |= !fits_section(kind) || *n + 2 >= PROG_EVENTS;
        if (!s->misused)
            act(s, tid, log, n);
    }
}

/* The pending operation as the points see it.  An operation of several steps is filtered as a whole. */
static struct hd_point_op point_op(const struct prog_state *s, unsigned tid)
{
    bool filtered = s->program->filtered[s->script[tid]] >> s->pc[tid] & 1;

    return (struct hd_point_op){ (uint8_t)announce(s, tid).kind,
                                 (uint16_t)(filtered ? HD_POINT_ALL : s->program->masked) };
}

/* The pending operation with everything that belongs to it. */
static void operate(struct prog_state *s, unsigned tid, struct hd_event *log, unsigned *n)
{
    unsigned before = s->created;

    s->yielded &= (uint16_t)~(1u << tid);
    s->before[tid] = point_op(s, tid);
    s->just_yielded = (hd_kind_traits[s->before[tid].kind] & HD_TRAIT_YIELDS) != 0;
    unsigned kind = act(s, tid, log, n);

    s->misused |= kind == OP_SECTION_END; /* there is none */
    if (kind == OP_SECTION_BEGIN)
        run_section(s, tid, log, n);
    for (unsigned t = before + 1; t < s->created; t++)
        note(log, n, tid, HD_EV_THREAD_CREATE, PROG_OBJ_THREAD + s->script[t], t);
    run_on(s, tid, log, n);
}

bool prog_has_blocks(const struct program *p)
{
    uint32_t any = p->masked;

    for (unsigned t = 0; t < PROG_THREADS; t++)
        any |= p->filtered[t];
    return any != 0;
}

/* True if the thread is before an operation that is not a scheduling point (model/point_class.h). */
static bool is_inside(const struct prog_state *s, unsigned tid)
{
    unsigned kind = next_op(s, tid)->kind;

    return prog_has_blocks(s->program) && !s->failed && !s->misused && kind != OP_END && kind != OP_CHOOSE &&
           kind != OP_PICK && !hd_point_between(s->before[tid], point_op(s, tid));
}

unsigned prog_step_log(struct prog_state *s, unsigned tid, struct hd_event *log)
{
    struct hd_event scratch[PROG_EVENTS];
    unsigned n = 0;

    if (log == NULL)
        log = scratch;
    if (tid != 0 && (s->started >> tid & 1) == 0)
        note(log, &n, tid, HD_EV_THREAD_START, PROG_OBJ_THREAD + s->script[tid], 0);
    s->started |= (uint16_t)(1u << tid);
    s->last = (uint8_t)tid;
    operate(s, tid, log, &n);
    for (; is_inside(s, tid) && prog_enabled(s, tid); operate(s, tid, log, &n))
        s->misused |= n + PROG_THREADS + 2 >= PROG_EVENTS;
    if (is_inside(s, tid)) { /* the operation has to wait */
        note(log, &n, tid, HD_EV_TOUCH, announce(s, tid).obj, 0);
        log[n - 1].flags = HD_EVF_FAILED;
    }
    return n;
}

void prog_step(struct prog_state *s, unsigned tid)
{
    prog_step_log(s, tid, NULL);
}

unsigned prog_choose_log(struct prog_state *s, unsigned tid, uint32_t alternative,
                         struct hd_event *log)
{
    const struct prog_op *op = next_op(s, tid);
    struct hd_event scratch[PROG_EVENTS];
    unsigned n = 0;

    if (log == NULL)
        log = scratch;
    note(log, &n, tid, HD_EV_CHOOSE, 0, alternative);
    log[0].flags = HD_EVF_CHOICE;
    log[0].aux = op->arg;
    if (op->kind == OP_PICK)
        s->reg[tid] = (int8_t)alternative;
    else
        s->cell[op->value] = (int16_t)(s->cell[op->value] + (int)alternative);
    s->pc[tid]++;
    if (op->kind == OP_PICK)
        run_on(s, tid, log, &n);
    return n;
}

void prog_choose(struct prog_state *s, unsigned tid, uint32_t alternative)
{
    prog_choose_log(s, tid, alternative, NULL);
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
        bool enabled = prog_enabled(s, t);

        pending[t] = announce(s, t);
        hd_set_put(&at->enabled, t, enabled);
        hd_set_put(&at->yielded, t, enabled && (s->yielded >> t & 1) != 0);
    }
    at->last_enabled = hd_set_has(&at->enabled, s->last);
    at->last_yielded = at->last_enabled && s->just_yielded;
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
