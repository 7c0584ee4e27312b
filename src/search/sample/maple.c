/* SPDX-License-Identifier: BSD-2-Clause
 *
 * maple.c - covers interleaving idioms (J. Yu, S. Narayanasamy, C. Pereira, G. Pokam, "Maple: a
 * coverage-driven testing tool for multithreaded programs", OOPSLA 2012), from its public description.
 *
 * The first executions are profiles: one without preemptions, then ones with random priorities.  Each shows
 * some idioms (idioms.h) and predicts others that another order of its accesses could show.  Then, for each
 * idiom that was predicted but has not occurred yet, an execution tries to force it: when a thread reaches an
 * access of the idiom too early, it is held before the access until the other thread has made the one that must
 * come first.  If a held thread blocks all progress, it is released.  An idiom that does not occur is tried a
 * few times with other priorities, and then counts as impossible.  The search ends when no idiom is left; that
 * proves nothing about the program.
 *
 * maple:profile=K  number of profiles (default 10)
 * maple:tries=N    number of attempts per idiom (default 5)
 * maple:window=N   maximum distance of a thread's accesses in one idiom (default 8)
 *
 * Differences from the paper: executions are serial and repeatable, so a thread is delayed by decisions and not
 * by a low priority; accesses are those of the model (model/event.h); forced executions also serve as profiles.
 *
 * Several workers share the tables.  A task is one profile, or one idiom with all its attempts.  A worker without a
 * task creates the next one itself, from the tables as they are then.  So the speed of the workers influences which
 * idioms are forced and how many executions that takes.
 *
 * M1  The cursor says which idiom an execution forces, and which attempt it is.  The tables only grow, by
 *     entries that the execution determines.  So a repeated execution is the same.
 * M2  A thread is held only while another thread that is not held can run.
 * M3  A worker that has found new racing sites keeps its task until it has run its profiles with these sites.
 *     Otherwise the search could end, because it ends when there is no task. */
#include <string.h>

#include "search/core/stay.h"
#include "search/core/strategies.h"
#include "search/sample/draw.h"
#include "search/sample/idiom_trace.h"

#define HOLD_MAX 4096 /* number of decisions after which a held thread is released */

/* Whether a thread's pending access is used for the target idiom. */
enum opinion { UNDECIDED, TAKES_PART, LET_GO };

struct maple {
    struct hd_draws draws;
    uint32_t profiles, tries, window;
    const struct hd_execution *exec;
    struct hd_idioms idioms;
    struct hd_idiom_trace trace;
    struct hd_share *share;  /* NULL: there is one worker */
    uint32_t worker;

    /* State of this execution: */
    uint64_t task;           /* with several workers: serial number of the worker's task */
    uint64_t aim;            /* number of the idiom to force, plus 1; 0: none */
    uint64_t tried;          /* number of earlier attempts to force it */
    bool plain;              /* a profile without random numbers */
    struct hd_idiom target;  /* the idiom to force; shape 0: none */
    bool skips_some;         /* only some occurrences of the places are used */
    uint32_t done;           /* number of accesses of the target made so far */
    uint32_t waited;         /* decisions since the last of these accesses, or since a thread was first held */
    hd_tid who[2];           /* threads by role in the idiom; HD_NO_TID: not found yet */
    uint32_t obj[2];         /* objects of the idiom; 0: not found yet */
    uint32_t nknown;
    uint64_t priority[HD_MAX_THREADS];
    uint8_t opinion[HD_MAX_THREADS]; /* enum opinion */
};

/* Words of the cursor.  PROFILED and FORCED are used with one worker only; several workers have these numbers in
 * shared memory. */
enum { CUR_PROFILED, CUR_TARGET, CUR_TRIES, CUR_SITES, CUR_UNTIL, CUR_FORCED, CUR_TASK, CUR_TASK_OVER };

static const struct hd_param params[] = {
    { "profile", 1, 1000, 10, "number of profiling executions at the start (10)" },
    { "tries", 1, 1000, 5, "how often the search tries to force an order before the order counts as impossible (5)" },
    { "window", 1, HD_IDIOM_WINDOW_MAX, 8, "maximum distance between a thread's accesses in one idiom, in accesses "
                                           "(8)" },
    { .key = NULL },
};

/* Returns the index plus 1 of the first idiom, from index `from` on, that was predicted but has never occurred; 0 if
 * there is none. */
static uint64_t find_target(const struct maple *m, uint64_t from)
{
    for (uint64_t i = from, n = hd_idioms_count(&m->idioms); i < n; i++)
        if (!hd_idioms_seen(&m->idioms, i))
            return i + 1;
    return 0;
}

/* ---- several workers ---- */

/* Payload of a task: the number of an idiom plus 1, or 0 for a profile; and the number of profiles that were begun
 * before. */
enum { TASK_AIM, TASK_PROFILE, TASK_WORDS };

static void queue(struct hd_share *sh, uint64_t aim)
{
    struct hd_task *t = hd_share_task(sh, TASK_WORDS * sizeof t->payload[0]);

    t->payload[TASK_AIM] = aim;
    t->payload[TASK_PROFILE] = sh->bound;
    hd_share_queue(sh, t);
}

static void queue_profile(struct hd_share *sh)
{
    queue(sh, 0);
    hd_share_write(sh, &sh->bound, sh->bound + 1);
}

static void start_tasks(void *self, struct hd_share *sh)
{
    struct hd_idioms *tables = hd_share_alloc(sh, sizeof *tables);

    (void)self;
    hd_idioms_init_shared(tables, sh);
    hd_share_write_pointer(sh, &sh->root, tables);
    queue_profile(sh);
}

static void finish_task(void *self, struct hd_share *sh, struct hd_task *t)
{
    (void)self;
    (void)sh;
    (void)t;
}

/* Creates a task if none is queued: the next profile, or the next idiom that has not occurred.  If idioms were
 * dropped for lack of room, not all can be tried, and profiles follow without end. */
static void make_task(void *self, struct hd_share *sh)
{
    struct maple *m = self;
    uint64_t aim;

    if (sh->first != NULL)
        return;
    if (sh->bound < m->profiles) {
        queue_profile(sh);
    } else if ((aim = find_target(m, sh->flags)) != 0) {
        queue(sh, aim);
        hd_share_write(sh, &sh->flags, aim); /* later calls continue after this idiom */
    } else if (m->idioms.n->full) {
        queue_profile(sh);
    }
    hd_share_commit(sh);
}

static bool fits_always(void *self, struct hd_share *sh, const struct hd_task *t)
{
    (void)self;
    (void)sh;
    (void)t;
    return true;
}

static void nothing_left(void *self, struct hd_share *sh)
{
    (void)self;
    hd_share_write(sh, &sh->verdict, HD_SHARE_OVER);
}

static const struct hd_share_user tasks = {
    .start = start_tasks,
    .finish = finish_task,
    .settle = make_task,
    .fits = fits_always,
    .idle = nothing_left,
};

/* Continues the worker's task or takes another one.  Returns false if there is none at the moment. */
static bool take_task(struct maple *m, const struct hd_cursor *now)
{
    m->plain = false;
    m->task = now->w[CUR_TASK];
    if (m->task != 0 && !now->w[CUR_TASK_OVER])
        return true;
    const struct hd_task *t = hd_share_next(m->share, m->worker, m->task, &tasks, m);

    if (t == NULL)
        return false;
    m->task = t->serial;
    m->aim = t->payload[TASK_AIM];
    m->tried = 0;
    m->plain = m->aim == 0 && t->payload[TASK_PROFILE] == 0;
    return true;
}

static void open_tables(struct maple *m, const struct hd_strategy_cfg *cfg, bool is_new)
{
    m->worker = cfg->worker;
    m->share = hd_share_open(cfg, &tasks, m);
    if (m->share != NULL) {
        m->idioms = *(const struct hd_idioms *)m->share->root;
        m->idioms.share = m->share;
        m->idioms.worker = m->worker;
    } else if (is_new) {
        hd_idioms_init(&m->idioms, cfg->arena);
    }
    if (is_new)
        hd_idiom_trace_init(&m->trace, &m->idioms, cfg->arena);
}

static bool maple_open(void **self, const struct hd_strategy_cfg *cfg)
{
    bool is_new = *self == NULL;
    struct maple *m = hd_strategy_state(*self, cfg, sizeof *m);

    *self = m;
    m->draws.seed = cfg->seed;
    m->exec = cfg->exec;
    m->profiles = (uint32_t)hd_param_value(params, cfg->params, "profile");
    m->tries = (uint32_t)hd_param_value(params, cfg->params, "tries");
    m->window = (uint32_t)hd_param_value(params, cfg->params, "window");
    open_tables(m, cfg, is_new);
    return true;
}

static uint32_t maple_begin(void *self, const struct hd_cursor *now, uint64_t index)
{
    struct maple *m = self;

    m->draws.rng = hd_rng_for(m->draws.seed, index);
    m->plain = index == 0;
    m->aim = now->w[CUR_TARGET];
    m->tried = now->w[CUR_TRIES];
    if (m->share != NULL && !take_task(m, now))
        return hd_share_nothing(m->share);
    m->target = (struct hd_idiom){ .shape = 0 };
    if (m->aim != 0)
        m->target = m->idioms.idiom[m->aim - 1];
    m->skips_some = m->tried > 0;
    m->done = m->waited = 0;
    m->who[0] = m->who[1] = HD_NO_TID;
    m->obj[0] = m->obj[1] = 0;
    m->nknown = 0;
    return 0;
}

/* ---- priorities ---- */

static void welcome(struct maple *m, const struct hd_point *at)
{
    for (; m->nknown < at->nthreads; m->nknown++) {
        m->priority[m->nknown] = hd_rng_next(&m->draws.rng);
        m->opinion[m->nknown] = UNDECIDED;
    }
}

static hd_tid highest(const struct maple *m, const struct hd_set *among)
{
    hd_tid best = HD_NO_TID;

    HD_SET_EACH(t, among)
        if (best == HD_NO_TID || m->priority[t] > m->priority[best])
            best = (hd_tid)t;
    return best;
}

/* Returns the thread with the highest priority.  Threads that have yielded come last. */
static hd_tid by_priority(const struct maple *m, const struct hd_point *at, const struct hd_set *among)
{
    struct hd_set eager = hd_set_minus(among, &at->yielded);

    return highest(m, hd_set_is_empty(&eager) ? among : &eager);
}

/* ---- forcing an idiom --------------------------------------------------------------------- */

/* Returns the object that e uses as access i of the target; 0 if e is not such an access. */
static uint32_t object_at(const struct maple *m, const struct hd_event *e, unsigned i)
{
    const struct hd_idiom_place *p = &m->idioms.place[m->target.at[i]];
    struct hd_access_of on[2];

    if (e->pc != p->pc || e->kind != p->kind || hd_event_accesses(e, on) <= p->which)
        return 0;
    return on[p->which].obj;
}

/* True if the pending operation of t can be access i of the target. */
static bool fits(const struct maple *m, const struct hd_point *at, hd_tid t, unsigned i)
{
    unsigned role = hd_idiom_role(m->target.shape, i), o = hd_idiom_object(m->target.shape, i);
    uint32_t obj = object_at(m, &at->pending[t], i);

    return obj != 0 && m->who[role ^ 1] != t && (m->who[role] == t || m->who[role] == HD_NO_TID) &&
           (m->obj[o] == obj || (m->obj[o] == 0 && m->obj[o ^ 1] != obj));
}

/* Decides whether the thread's pending access is used.  A thread may reach a place many times, so later
 * attempts use only some occurrences. */
static bool takes_part(struct maple *m, hd_tid t)
{
    if (m->opinion[t] == UNDECIDED)
        m->opinion[t] = m->skips_some && hd_rng_below(&m->draws.rng, 2) == 0 ? LET_GO : TAKES_PART;
    return m->opinion[t] == TAKES_PART;
}

/* True if the operation would come between accesses of the target that must have nothing between them. */
static bool disturbs(const struct maple *m, const struct hd_event *e)
{
    struct hd_access_of on[2];

    for (unsigned k = hd_event_accesses(e, on); k > 0; k--)
        if (hd_idiom_counts(e, k - 1) && (on[k - 1].obj == m->obj[0] || on[k - 1].obj == m->obj[1]))
            return true;
    return false;
}

/* True if t must wait until another thread has made access m->done, which no thread can make now. */
static bool has_to_wait(struct maple *m, const struct hd_point *at, hd_tid t)
{
    unsigned next = hd_idiom_role(m->target.shape, m->done);

    if (m->opinion[t] == LET_GO)
        return false;
    if (m->done > 0 && (t == m->who[next ^ 1] || (t != m->who[next] && disturbs(m, &at->pending[t]))))
        return true;
    unsigned i = m->done + 1;

    while (i < hd_idiom_length(m->target.shape) && hd_idiom_role(m->target.shape, i) == next)
        i++;
    return i < hd_idiom_length(m->target.shape) && fits(m, at, t, i) && takes_part(m, t);
}

static void forget(struct maple *m)
{
    m->done = m->waited = 0;
    m->who[0] = m->who[1] = HD_NO_TID;
    m->obj[0] = m->obj[1] = 0;
}

/* Returns a thread that can make the next access of the target; HD_NO_TID if there is none. */
static hd_tid next_of_target(struct maple *m, const struct hd_point *at)
{
    struct hd_set may;

    hd_set_clear(&may);
    HD_SET_EACH(t, &at->enabled)
        if (fits(m, at, (hd_tid)t, m->done) && (m->done > 0 || takes_part(m, (hd_tid)t)))
            hd_set_add(&may, t);
    hd_tid next = highest(m, &may);

    if (next == HD_NO_TID)
        return HD_NO_TID;
    unsigned shape = m->target.shape;

    m->obj[hd_idiom_object(shape, m->done)] = object_at(m, &at->pending[next], m->done);
    m->who[hd_idiom_role(shape, m->done)] = next;
    m->done++;
    m->waited = 0;
    return next;
}

/* The thread that made the last access may continue up to its own next one if no other thread can run: it may
 * hold a lock that the others need. */
static hd_tid goes_on(const struct maple *m, const struct hd_point *at)
{
    hd_tid t = m->done == 0 ? HD_NO_TID : m->who[hd_idiom_role(m->target.shape, m->done) ^ 1];

    if (t == HD_NO_TID || !hd_set_has(&at->enabled, t) || disturbs(m, &at->pending[t]))
        return HD_NO_TID;
    for (unsigned i = m->done + 1; i < hd_idiom_length(m->target.shape); i++)
        if (fits(m, at, t, i))
            return HD_NO_TID;
    return t;
}

static hd_tid force(struct maple *m, const struct hd_point *at)
{
    hd_tid next = next_of_target(m, at);
    struct hd_set may = at->enabled;

    if (next != HD_NO_TID)
        return next;
    HD_SET_EACH(t, &at->enabled)
        if (has_to_wait(m, at, (hd_tid)t))
            hd_set_remove(&may, t);
    hd_tid led = m->who[hd_idiom_role(m->target.shape, m->done)];

    if (m->done > 0 && led != HD_NO_TID && hd_set_has(&may, led))
        next = led;
    else
        next = by_priority(m, at, &may);
    if (next == HD_NO_TID)
        next = goes_on(m, at);
    if (next != HD_NO_TID && ++m->waited < HOLD_MAX)
        return next;
    next = by_priority(m, at, &at->enabled); /* rule M2: no other thread can run, so held threads are released */
    forget(m);
    return next;
}

static hd_tid maple_pick(void *self, const struct hd_point *at)
{
    struct maple *m = self;
    hd_tid next;

    welcome(m, at);
    if (m->plain)
        next = hd_stay(at);
    else if (m->target.shape != 0 && m->done < hd_idiom_length(m->target.shape))
        next = force(m, at);
    else
        next = by_priority(m, at, &at->enabled);
    m->opinion[next] = UNDECIDED;
    return next;
}

/* ---- the next execution ----------------------------------------------------------------- */

/* True if the execution's idiom has not occurred and is to be attempted again. */
static bool try_again(const struct maple *m)
{
    return m->aim != 0 && !hd_idioms_seen(&m->idioms, m->aim - 1) && m->tried + 1 < m->tries;
}

/* Chooses the same idiom again, or the next one. */
static void aim(const struct maple *m, const struct hd_cursor *now, struct hd_cursor *next)
{
    next->w[CUR_TRIES] = 0;
    if (try_again(m)) {
        next->w[CUR_TRIES] = m->tried + 1;
        return;
    }
    next->w[CUR_TARGET] = find_target(m, now->w[CUR_FORCED]);
    if (next->w[CUR_TARGET] != 0)
        next->w[CUR_FORCED] = next->w[CUR_TARGET];
}

/* New racing sites were found, which will become scheduling points (V6 of runtime/watch/points.h): continues at
 * least until then, with profiles that include them. */
static void notice_sites(const struct maple *m, const struct hd_execution *done,
                         const struct hd_cursor *now, struct hd_cursor *next)
{
    if (done->sites <= now->w[CUR_SITES])
        return;
    next->w[CUR_SITES] = done->sites;
    next->w[CUR_UNTIL] = done->index + done->index / 4 + 2 + m->profiles;
}

/* With several workers: continues the task or ends it (M3). */
static void go_on_with_task(const struct maple *m, const struct hd_execution *done, struct hd_cursor *next)
{
    bool again = try_again(m);

    next->w[CUR_TASK] = m->task;
    next->w[CUR_TARGET] = again ? m->aim : 0;
    next->w[CUR_TRIES] = again ? m->tried + 1 : 0;
    next->w[CUR_TASK_OVER] = !again && done->index + 1 >= next->w[CUR_UNTIL];
}

static void maple_end(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                      struct hd_cursor *next, struct hd_outcome *out)
{
    struct maple *m = self;

    out->bound = -1;
    hd_idiom_trace_learn(&m->trace, done, m->window);
    notice_sites(m, done, now, next);
    if (m->share != NULL) {
        go_on_with_task(m, done, next);
        return;
    }
    if (now->w[CUR_PROFILED] + 1 < m->profiles) {
        next->w[CUR_PROFILED] = now->w[CUR_PROFILED] + 1;
        return;
    }
    aim(m, now, next);
    /* If idioms were dropped, not all have been tried. */
    out->exhausted = next->w[CUR_TARGET] == 0 && done->index + 1 >= next->w[CUR_UNTIL] &&
                     !m->idioms.n->full;
}

const struct hd_strategy_ops hd_strategy_maple = {
    .name = "maple",
    .split = HD_SPLIT_TASKS,
    .summary = "idiom coverage: profiles, then forces each order of accesses that was not seen",
    .traits = { .draws = HD_DRAWS_DIRECTED },
    .params = params,
    .open = maple_open,
    .begin = maple_begin,
    .pick = maple_pick,
    .choose = hd_draw_choose,
    .end = maple_end,
};
