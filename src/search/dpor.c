/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dpor.c - dynamic partial-order reduction: one execution per class of equivalent
 * ones instead of one per schedule.
 *
 * dpor-optimal follows Abdulla, Aronis, Jonsson, Sagonas, "Source sets: a foundation
 * for optimal dynamic partial order reduction" (J. ACM 64(4), 2017), with wakeup
 * trees: it never begins an execution that turns out to be equivalent to an earlier
 * one.  dpor uses source sets and sleep sets: less memory, some redundant executions.
 * Where the paper leaves it open (blocking operations, several objects, choices),
 * see reversal.h, step.h and the comments below.
 *
 * The search is a path through the tree of wakeup.h.  Frame k belongs to decision k:
 * the node on the path, and the steps that sleep before it.  Races are looked for
 * when an execution is over, and the sequences that reverse them are hung beside the
 * path; the deepest node with a sibling is the next to be executed.
 *
 * D1  Frames below the changed decision are those of the execution before.
 * D2  begin does what the cursor says and can be repeated; end adds sequences, which
 *     can be repeated too (W2), and chooses the next sibling in the cursor only.  So
 *     a worker may be killed at any instruction.
 * D3  Whether the step of the tree can be taken is looked at when it is due, also the
 *     first one: should the model know less than the runtime (a thread that polls is
 *     held back), the search is not complete, but the program is not to blame.
 * D4  At a frame sleep: those inherited, and the siblings before the path. */
#include <stdatomic.h>

#include "base/check.h"
#include "search/reversal.h"
#include "search/strategies.h"
#include "search/wakeup.h"

#define MAX_SLEEP (1u << 20)

struct frame {
    struct hd_wakeup *node;
    uint32_t sleep;       /* range in dpor.sleep */
    uint32_t nsleep;
    uint32_t first_event; /* of the step that was decided here */
    uint64_t born;        /* execution that came here first ... */
    uint64_t since;       /* ... and the first one through this node */
};

struct dpor {
    bool optimal;
    struct hd_decision *decisions;
    const struct hd_execution *exec;
    struct hd_wakeup_pool pool;
    struct hd_wakeup root;
    struct hd_trace trace;
    struct hd_reversal reversal;
    uint32_t *seen; /* [HD_TRACE_STEPS]: race candidates of the step in hand */
    uint32_t seen_stamp;
    struct frame *frames; /* [HD_MAX_STEPS] */
    struct hd_step *sleep; /* [MAX_SLEEP] */
    struct hd_set asleep; /* threads whose pending operation sleeps at the cut */
    uint32_t resume;      /* decision at which this execution leaves the one before */
    uint32_t ndecided;    /* decisions of the last execution that are in the tree */
    uint64_t index;       /* of this execution */
    bool choices;         /* the program has made one: only grows */
    bool misled;          /* a step of the tree could not be taken */
    uint32_t end;         /* decision at which nobody could run but threads that poll in vain: as far
                           * as the model goes the execution ends there; UINT32_MAX none */
    uint32_t nwaiting;
    struct hd_event waiting[HD_MAX_THREADS]; /* what was pending at that end */
};

/* Words of the cursor. */
enum { CUR_DEPTH, CUR_NODE, CUR_FLAGS };

enum cursor_flag { NOT_ALL_SEEN = 1 };

static const char *const no_params[] = { NULL };

static bool dpor_open(void **self, const struct hd_strategy_cfg *cfg, bool optimal)
{
    struct dpor *d = hd_strategy_state(*self, cfg, sizeof *d);

    *self = d;
    d->optimal = optimal;
    d->decisions = cfg->decisions;
    d->exec = cfg->exec;
    d->pool.arena = cfg->arena;
    hd_trace_init(&d->trace, cfg->arena);
    hd_reversal_init(&d->reversal, &d->trace, cfg->arena);
    if (d->frames == NULL) {
        d->seen = hd_arena_alloc(cfg->arena, HD_TRACE_STEPS * sizeof *d->seen);
        d->sleep = hd_arena_alloc(cfg->arena, MAX_SLEEP * sizeof *d->sleep);
        d->frames = hd_arena_alloc(cfg->arena, HD_MAX_STEPS * sizeof *d->frames);
    }
    return hd_strategy_params_known(cfg->params, no_params);
}

static bool optimal_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return dpor_open(self, cfg, true);
}

static bool source_open(void **self, const struct hd_strategy_cfg *cfg)
{
    return dpor_open(self, cfg, false);
}

static struct hd_wakeup *parent_of(struct dpor *d, uint32_t k)
{
    return k == 0 ? &d->root : d->frames[k - 1].node;
}

/* The thread with that slot, or HD_NO_TID. */
static hd_tid tid_of(const struct dpor *d, uint16_t slot, uint32_t nthreads)
{
    for (uint32_t t = 0; t < nthreads; t++)
        if (d->exec->threads[t].slot == slot)
            return (hd_tid)t;
    return HD_NO_TID;
}

static uint32_t dpor_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct dpor *d = self;
    uint32_t k = (uint32_t)now->w[CUR_DEPTH];
    struct hd_wakeup *next = (struct hd_wakeup *)(uintptr_t)now->w[CUR_NODE];

    d->resume = UINT32_MAX;
    d->end = UINT32_MAX;
    d->misled = false;
    d->index = index;
    hd_set_clear(&d->asleep);
    if (index == 0 || next == NULL)
        return 0;
    d->frames[k].node = next;
    d->frames[k].since = index;
    for (struct hd_wakeup *n = parent_of(d, k)->child; n != next; n = n->next)
        hd_wakeup_prune(&d->pool, n);
    d->resume = k;
    return k;
}

/* ---- going forward --------------------------------------------------------------- */

static void put_to_sleep(struct dpor *d, struct frame *f, const struct hd_step *s,
                         const struct hd_step *taken)
{
    if (hd_step_conflict(s, taken))
        return;
    HD_INVARIANT(f->sleep + f->nsleep < MAX_SLEEP, "too many sleeping steps");
    d->sleep[f->sleep + f->nsleep++] = *s;
}

/* A step that is done, with all of its alternatives or with some. */
static void sleep_done(struct dpor *d, struct frame *f, const struct hd_wakeup *n,
                       const struct hd_step *taken)
{
    if (hd_wakeup_covers_choice(n)) {
        put_to_sleep(d, f, &n->step, taken);
        return;
    }
    for (const struct hd_wakeup *c = n->child; c != NULL; c = c->next) {
        struct hd_step s = n->step;

        s.flags |= HD_STEP_ONLY;
        s.alt = c->step.alt;
        put_to_sleep(d, f, &s, taken);
    }
}

/* What step k did is known when the next decision comes. */
static void step_is_over(struct dpor *d, uint32_t k)
{
    struct frame *f = &d->frames[k];
    uint32_t n = d->exec->nevents - f->first_event;
    const struct hd_event *events = &d->exec->events[f->first_event];
    uint16_t slot = f->node->step.slot;

    if (n > 0)
        slot = d->exec->threads[events[0].tid].slot;
    f->node->step = hd_step_make(slot, events, n);
}

/* D4 for the frame behind k. */
static void inherit_sleep(struct dpor *d, uint32_t k, struct frame *next)
{
    const struct frame *f = &d->frames[k];
    const struct hd_step *taken = &f->node->step;

    next->sleep = f->sleep + f->nsleep;
    next->nsleep = 0;
    for (uint32_t i = 0; i < f->nsleep; i++)
        put_to_sleep(d, next, &d->sleep[f->sleep + i], taken);
    for (const struct hd_wakeup *n = parent_of(d, k)->child; n != f->node; n = n->next)
        sleep_done(d, next, n, taken);
}

static void enter(struct dpor *d, uint32_t k)
{
    struct frame *f = &d->frames[k];

    HD_INVARIANT(k < HD_MAX_STEPS, "more steps than frames");
    *f = (struct frame){ .first_event = d->exec->nevents, .born = d->index, .since = d->index };
    if (k > 0) {
        step_is_over(d, k - 1);
        inherit_sleep(d, k - 1, f);
    }
}

static void hang(struct dpor *d, uint32_t k, struct hd_wakeup *n)
{
    atomic_signal_fence(memory_order_release);
    parent_of(d, k)->child = n;
    d->frames[k].node = n;
}

static bool asleep(const struct dpor *d, const struct frame *f, uint16_t slot)
{
    for (uint32_t i = 0; i < f->nsleep; i++) {
        const struct hd_step *s = &d->sleep[f->sleep + i];

        if (s->slot == slot && !(s->flags & HD_STEP_ONLY))
            return true;
    }
    return false;
}

/* The thread that ran last goes on if it may; else the next in creation order.
 * Those that yielded come last. */
static hd_tid free_choice(const struct dpor *d, const struct frame *f, const struct hd_point *at)
{
    for (int yielded = 0; yielded < 2; yielded++)
        for (uint32_t i = 0; i < at->nthreads; i++) {
            uint32_t t = (at->last + i) % at->nthreads;

            if (hd_set_has(&at->enabled, t) && hd_set_has(&at->yielded, t) == yielded &&
                !asleep(d, f, d->exec->threads[t].slot))
                return (hd_tid)t;
        }
    return HD_NO_TID;
}

/* The rest is run, since it may fail, but nothing is learnt of it. */
static hd_tid run_on(struct dpor *d, const struct hd_point *at)
{
    if (d->end == UINT32_MAX) {
        d->nwaiting = at->nthreads;
        for (uint32_t t = 0; t < at->nthreads; t++)
            d->waiting[t] = at->pending[t];
        d->end = at->step;
    }
    return (hd_tid)hd_set_next(&at->enabled, 0);
}

static hd_tid dpor_pick(void *self, const struct hd_point *at)
{
    struct dpor *d = self;
    uint32_t k = at->step;

    if (d->end != UINT32_MAX)
        return run_on(d, at);
    struct frame *f = &d->frames[k];
    struct hd_wakeup *next = f->node;
    hd_tid t;

    if (k != d->resume) {
        enter(d, k);
        next = parent_of(d, k)->child;
    }
    if (at->last_resort) {
        d->misled |= next != NULL;
        return run_on(d, at);
    }
    if (next != NULL) {
        t = tid_of(d, next->step.slot, at->nthreads);
        if (t != HD_NO_TID && hd_set_has(&at->enabled, t) && !(next->step.flags & HD_STEP_CHOICE)) {
            f->node = next;
            return t;
        }
        d->misled = true;
        return HD_NO_TID;
    }
    t = free_choice(d, f, at);
    if (t == HD_NO_TID) {
        d->asleep = at->enabled;
        return HD_NO_TID;
    }
    hang(d, k, hd_wakeup_new(&d->pool, &(struct hd_step){ .slot = d->exec->threads[t].slot }));
    return t;
}

static bool alternative_asleep(const struct dpor *d, uint32_t k, uint32_t a)
{
    const struct frame *f = &d->frames[k - 1];

    for (uint32_t i = 0; i < f->nsleep; i++) {
        const struct hd_step *s = &d->sleep[f->sleep + i];

        if (s->slot == f->node->step.slot && s->flags & HD_STEP_ONLY && s->alt == a)
            return true;
    }
    return false;
}

/* A choice that the tree says nothing about has all alternatives. */
static uint32_t dpor_choose(void *self, const struct hd_point *at, uint32_t n)
{
    struct dpor *d = self;
    uint32_t k = at->step;

    if (d->end != UINT32_MAX)
        return 0;
    struct frame *f = &d->frames[k];
    struct hd_wakeup *next = f->node;

    if (k != d->resume) {
        enter(d, k);
        next = parent_of(d, k)->child;
    }
    d->choices = true;
    if (next != NULL && next->step.flags & HD_STEP_CHOICE && next->step.n == n) {
        f->node = next;
        return next->step.alt;
    }
    if (next != NULL) {
        d->misled = true;
        return HD_NO_ALTERNATIVE;
    }
    for (uint32_t a = n; a > 0; a--) {
        if (k > 0 && alternative_asleep(d, k, a - 1))
            continue;
        struct hd_wakeup *c = hd_wakeup_new(&d->pool, &(struct hd_step){
            .flags = HD_STEP_CHOICE, .alt = (uint16_t)(a - 1), .n = (uint16_t)n,
            .slot = k > 0 ? d->frames[k - 1].node->step.slot : 0 });

        c->next = next;
        next = c;
    }
    if (next == NULL)
        return HD_NO_ALTERNATIVE;
    hang(d, k, next);
    return next->step.alt;
}

/* ---- races ----------------------------------------------------------------------- */

/* A wakeup tree keeps all of v, so a step beside v covers it too; a source set keeps
 * its first step only, and then what covers v must be in v. */
static bool leads(const struct dpor *d, const struct hd_step *q, const struct hd_step *const *v,
                  uint32_t nv)
{
    return d->optimal ? hd_step_weak_initial(q, v, nv) : hd_step_initial(q, v, nv);
}

static bool done_leads(const struct dpor *d, const struct hd_wakeup *n,
                       const struct hd_step *const *v, uint32_t nv)
{
    struct hd_step s = n->step;

    if (hd_wakeup_covers_choice(n))
        return leads(d, &s, v, nv);
    s.flags |= HD_STEP_ONLY;
    for (const struct hd_wakeup *c = n->child; c != NULL; c = c->next) {
        s.alt = c->step.alt;
        if (leads(d, &s, v, nv))
            return true;
    }
    return false;
}

/* Is v covered by what sleeps at frame k or was executed from there? */
static bool is_covered(struct dpor *d, uint32_t k, const struct hd_step *const *v, uint32_t nv)
{
    const struct frame *f = &d->frames[k];

    for (uint32_t i = 0; i < f->nsleep; i++)
        if (leads(d, &d->sleep[f->sleep + i], v, nv))
            return true;
    for (const struct hd_wakeup *n = parent_of(d, k)->child; n != f->node; n = n->next)
        if (done_leads(d, n, v, nv))
            return true;
    /* Candidates may turn out to be independent of e. */
    return hd_step_weak_initial(&f->node->step, v, nv);
}

static void reverse(struct dpor *d, uint32_t e, const struct hd_racer *racer)
{
    struct hd_reversal *r = &d->reversal;
    struct frame *f = &d->frames[e];

    if (!hd_reversal_make(r, e, racer) || is_covered(d, e, r->v, r->nv))
        return;
    if (d->optimal) {
        hd_wakeup_insert(&d->pool, &f->node->next, r->v, r->nv);
        return;
    }
    for (const struct hd_wakeup *n = f->node->next; n != NULL; n = n->next)
        if (hd_step_initial(&n->step, r->v, r->nv))
            return;
    struct hd_wakeup **end = &f->node->next;

    while (*end != NULL)
        end = &(*end)->next;
    *end = hd_wakeup_new(&d->pool, r->v[0]);
}

/* Earlier accesses to the object that conflict with the racer's and of which its
 * thread did not know before: also those that are not the latest, because the latest
 * may be impossible to reverse (an unlock). */
static void look_back(struct dpor *d, const struct hd_racer *racer, uint32_t obj, unsigned access,
                      uint32_t from)
{
    const struct hd_trace *t = &d->trace;

    for (uint32_t i = from; i != 0; i = t->access[i - 1].previous) {
        const struct hd_trace_access *a = &t->access[i - 1];
        bool known = hd_trace_before(t, a->step, racer->before);

        if (known && a->access == HD_ACC_W)
            return;
        if (known || a->step == racer->step || obj != a->obj ||
            t->step[a->step].tid == racer->tid || d->seen[a->step] == d->seen_stamp ||
            !hd_access_conflict(a->access, access))
            continue;
        d->seen[a->step] = d->seen_stamp;
        reverse(d, a->step, racer);
    }
}

static void races_of_step(struct dpor *d, uint32_t s)
{
    const struct hd_trace *t = &d->trace;
    const struct hd_trace_step *step = &t->step[s];
    struct hd_racer racer = { step->tid, s, step->before, hd_reversal_operation(t, s) };

    if (racer.op == NULL || step->step.flags & HD_STEP_CHOICE)
        return;
    d->seen_stamp++;
    for (uint32_t i = step->access; i < step->access + step->naccesses; i++)
        look_back(d, &racer, t->access[i].obj, t->access[i].access, t->access[i].previous);
}

/* What a thread waited for when the execution ended or was cut; what it would have
 * done, had it not been asleep, is known. */
static void races_of_pending(struct dpor *d, hd_tid tid, const struct hd_event *op)
{
    const struct hd_trace *t = &d->trace;
    struct hd_racer racer = { tid, HD_NO_STEP, t->last_of[tid], op };
    struct hd_access_of on[2];

    if (op->kind == HD_EV_NONE || op->kind == HD_EV_EXIT_END)
        return;
    struct hd_event normal = hd_reversal_normal(t, &racer);
    unsigned n = hd_event_accesses(&normal, on);

    d->seen_stamp++;
    for (unsigned i = 0; i < n; i++)
        look_back(d, &racer, on[i].obj, on[i].access, hd_trace_last_access(t, on[i].obj));
}

static bool build_trace(struct dpor *d, const struct hd_execution *done, uint32_t nsteps,
                        uint32_t prefix)
{
    uint32_t kept = hd_trace_start(&d->trace, done, prefix > 0 ? prefix - 1 : 0);

    for (uint32_t k = kept; k < nsteps; k++) {
        uint32_t first = d->frames[k].first_event;
        uint32_t after = k + 1 < nsteps || k + 1 == d->end ? d->frames[k + 1].first_event
                                                           : done->nevents;
        hd_tid tid = after > first ? done->events[first].tid : done->decisions[k].chosen;

        if (!hd_trace_add(&d->trace, first, after - first, tid))
            return false;
        d->frames[k].node->step = d->trace.step[k].step;
    }
    hd_trace_finish(&d->trace);
    return true;
}

/* Races between steps of the prefix were reversed after an earlier execution, with
 * another v; what this one's v holds beyond it is found from there, by races.  Not so
 * the alternatives of choices, of which v holds one each. */
static uint32_t first_new_step(const struct dpor *d, uint32_t prefix)
{
    return prefix == 0 || d->choices ? 0 : prefix - 1;
}

static bool broke_off(const struct hd_execution *done)
{
    return done->ending == HD_END_RUNNING || done->ending == HD_END_LOST ||
           done->ending == HD_END_TOO_LONG || done->ending == HD_END_DIVERGED;
}

static void dpor_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                     struct hd_cursor *next, struct hd_outcome *out)
{
    struct dpor *d = self;
    bool ran_on = d->end < done->nsteps;
    uint32_t n = ran_on ? d->end : done->nsteps;
    uint32_t prefix = now->w[CUR_NODE] != 0 ? (uint32_t)now->w[CUR_DEPTH] + 1 : 0;

    if (broke_off(done) || d->misled)
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    if (n < prefix || done->ending == HD_END_DIVERGED) {
        n = prefix; /* nothing was learnt; the branch is given up */
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    } else if (build_trace(d, done, n, prefix)) {
        for (uint32_t s = first_new_step(d, prefix); s < n; s++)
            races_of_step(d, s);
        for (uint32_t t = 0; t < (ran_on ? d->nwaiting : done->nthreads); t++)
            if (!hd_set_has(&d->asleep, t))
                races_of_pending(d, (hd_tid)t, ran_on ? &d->waiting[t] : &done->pending[t]);
    } else {
        next->w[CUR_FLAGS] |= NOT_ALL_SEEN;
    }
    d->ndecided = n;
    for (; n > 0; n--)
        if (d->frames[n - 1].node->next != NULL) {
            next->w[CUR_DEPTH] = n - 1;
            next->w[CUR_NODE] = (uintptr_t)d->frames[n - 1].node->next;
            return;
        }
    out->exhausted = true;
    out->complete = (next->w[CUR_FLAGS] & NOT_ALL_SEEN) == 0;
}

/* Siblings may still be added, so there may be more branches than this. */
static bool dpor_branch(const void *self, uint32_t i, struct hd_branch *out)
{
    const struct dpor *d = self;
    const struct frame *f = &d->frames[i];
    const struct hd_wakeup *first = i == 0 ? d->root.child : d->frames[i - 1].node->child;

    if (i >= d->ndecided)
        return false;
    *out = (struct hd_branch){ .born = f->born, .since = f->since };
    for (const struct hd_wakeup *n = first; n != NULL && n != f->node; n = n->next)
        out->explored++;
    out->all = out->explored;
    for (const struct hd_wakeup *n = f->node; n != NULL; n = n->next)
        out->all++;
    return true;
}

const struct hd_strategy_ops hd_strategy_dpor_optimal = {
    .name = "dpor-optimal",
    .summary = "partial-order reduction with wakeup trees: each behaviour exactly once",
    .open = optimal_open,
    .begin = dpor_begin,
    .pick = dpor_pick,
    .choose = dpor_choose,
    .end = dpor_end,
    .branch = dpor_branch,
};

const struct hd_strategy_ops hd_strategy_dpor = {
    .name = "dpor",
    .summary = "partial-order reduction with source sets and sleep sets",
    .open = source_open,
    .begin = dpor_begin,
    .pick = dpor_pick,
    .choose = dpor_choose,
    .end = dpor_end,
    .branch = dpor_branch,
};
