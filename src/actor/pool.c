/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pool.c - the executor of ordinary runs: a pool of threads, each with a queue of actors.  A thread whose queue is
 * empty takes actors from the queues of others.
 *
 * P1  An actor is in one queue, or runs, or neither.  Only in the last case its inbox is HA_IDLE (or HA_CLOSED).
 * P2  A worker is a queue together with the right to run actors from it. Only one thread has a worker at a time.  When
 *     an actor waits inside an action, its thread gives its worker to another thread, and gets a worker again after the
 *     action.  So the number of threads is that of the workers plus that of the waiting actions, and no waiting action
 *     occupies a worker.
 * P3  No thread sleeps while there is work.  A thread that adds an actor to a queue then reads the number of
 *     sleeping threads; a thread that is about to sleep first adds itself to that number and then reads the queues.
 *     All these operations are seq_cst.
 * P4  Numbers of tasks are compared only while all workers sleep, with `pool` locked.  So a worker counts its tasks
 *     in plain variables, and only threads without a worker need atomic ones. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "actor/cell.h"
#include "actor/clock.h"

enum {
    TURN = 64,     /* number of messages in one turn */
    LOOKS = 60,    /* how often a thread looks at the queues before it sleeps */
    PAUSES = 32,   /* between two looks */
    PATIENCE = 2   /* number of looks before a thread takes the only actor of another queue */
};

/* The number of actors in a queue. */
enum filling { NONE, ONE, SEVERAL };

struct worker {
    _Alignas(128) pthread_mutex_t lock;
    struct heddle_cell_ *head, **tail;
    _Atomic unsigned filling, taken; /* written with `lock`: enum filling; number of actors taken from the queue */
    /* used by the thread that has the worker, and by others as P4 says: number of tasks added, and of tasks done */
    _Alignas(64) uint64_t todo;
    uint64_t done;
};

struct thread {
    struct worker *worker; /* null: the thread has no worker (P2) */
    struct thread *next;   /* next thread in the list of those that wait for a worker */
    pthread_cond_t given;
    sem_t woken; /* posted when the mailbox of the running actor is no longer empty */
};

static struct worker *workers;
static unsigned nworkers;
static _Atomic unsigned next_worker, sleepers, searching;
static _Atomic uint64_t others_todo, others_done; /* like worker.todo and worker.done, for threads without a worker */
static unsigned looks;

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER; /* protects the following variables */
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, change = PTHREAD_COND_INITIALIZER;
static struct thread *spare;
static unsigned nthreads, quiet_waiters;
static bool stopping;

static _Thread_local struct thread *self;

/* ---- counting: all actors are idle when all tasks are done ---------------------------------------------- */

/* With `pool` locked: true if all tasks are done (P4).  Both sums only grow, and done never exceeds todo. done is read
 * before todo, so if they are equal, they were equal at the moment in between. */
static bool is_quiet(void)
{
    uint64_t done, todo = 0;

    if (atomic_load(&sleepers) != nworkers)
        return false;
    done = atomic_load(&others_done);
    for (unsigned i = 0; i < nworkers; i++) {
        done += workers[i].done;
        todo += workers[i].todo;
    }
    return todo + atomic_load(&others_todo) == done;
}

/* If all tasks are done, wakes the threads that wait for that.  The caller holds the lock `pool`. */
static void tell_quiet(void)
{
    if (quiet_waiters != 0 && is_quiet())
        pthread_cond_broadcast(&change);
}

static void counts(int more)
{
    struct worker *w = self != NULL ? self->worker : NULL;

    if (w != NULL) {
        ++*(more > 0 ? &w->todo : &w->done);
        return;
    }
    atomic_fetch_add(more > 0 ? &others_todo : &others_done, 1);
    if (more > 0)
        return;
    pthread_mutex_lock(&pool); /* a thread with a worker does this when it begins to sleep */
    tell_quiet();
    pthread_mutex_unlock(&pool);
}

static void quiet(void)
{
    pthread_mutex_lock(&pool);
    quiet_waiters++;
    while (!is_quiet())
        pthread_cond_wait(&change, &pool);
    quiet_waiters--;
    pthread_mutex_unlock(&pool);
}

/* ---- queues --------------------------------------------------------------------------------------------------- */

/* Publishes the number of actors in the queue.  The caller holds the lock of the queue. */
static void note_filling(struct worker *w)
{
    enum filling now = w->head == NULL ? NONE : w->head->next == NULL ? ONE : SEVERAL;

    if (atomic_load_explicit(&w->filling, memory_order_relaxed) != now)
        atomic_store(&w->filling, now);
}

static void enqueue(struct worker *w, struct heddle_cell_ *c)
{
    c->next = NULL;
    pthread_mutex_lock(&w->lock);
    *w->tail = c;
    w->tail = &c->next;
    note_filling(w);
    pthread_mutex_unlock(&w->lock);
}

static struct heddle_cell_ *dequeue(struct worker *w)
{
    struct heddle_cell_ *c;

    if (atomic_load(&w->filling) == NONE)
        return NULL;
    pthread_mutex_lock(&w->lock);
    c = w->head;
    if (c != NULL) {
        w->head = c->next;
        if (w->head == NULL)
            w->tail = &w->head;
        note_filling(w);
        atomic_store_explicit(&w->taken, atomic_load_explicit(&w->taken, memory_order_relaxed) + 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&w->lock);
    return c;
}

static bool any_work(void)
{
    for (unsigned i = 0; i < nworkers; i++)
        if (atomic_load(&workers[i].filling) != NONE)
            return true;
    return false;
}

/* Wakes a thread if there may be work that no thread looks for. */
static void wake_one(void)
{
    if (atomic_load(&sleepers) == 0 || atomic_load(&searching) != 0)
        return;
    pthread_mutex_lock(&pool);
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&pool);
}

static void ready(struct heddle_cell_ *c)
{
    struct worker *w = self != NULL ? self->worker : NULL;

    if (w == NULL)
        w = &workers[atomic_fetch_add_explicit(&next_worker, 1, memory_order_relaxed) % nworkers];
    enqueue(w, c);
    wake_one();
}

/* ---- workers --------------------------------------------------------------------------------------------------- */

static struct heddle_cell_ *from_any(struct worker *own)
{
    struct heddle_cell_ *c = dequeue(own);
    unsigned first = (unsigned)(own - workers);

    for (unsigned i = 1; c == NULL && i < nworkers; i++)
        c = dequeue(&workers[(first + i) % nworkers]);
    return c;
}

/* If a queue has only one actor, its worker is about to run it, and it often is the partner of the running actor.  To
 * take it away costs more than it gains, so another thread does so only if the worker has taken none for some time. */
struct neglected {
    struct worker *worker; /* null: none is watched */
    unsigned taken, looks;
};

static bool is_neglected(struct worker *w, struct neglected *n)
{
    unsigned taken = atomic_load_explicit(&w->taken, memory_order_relaxed);

    if (n->worker == NULL || (n->worker == w && n->taken != taken))
        *n = (struct neglected){ .worker = w, .taken = taken };
    return n->worker == w && n->looks++ >= PATIENCE;
}

static struct heddle_cell_ *steal(struct worker *own, struct neglected *n)
{
    unsigned first = (unsigned)(own - workers);
    struct heddle_cell_ *c = NULL;

    for (unsigned i = 1; c == NULL && i < nworkers; i++) {
        struct worker *w = &workers[(first + i) % nworkers];
        unsigned filling = atomic_load(&w->filling);

        if (filling == NONE && n->worker == w)
            n->worker = NULL;
        if (filling == SEVERAL || (filling == ONE && is_neglected(w, n)))
            c = dequeue(w);
    }
    return c;
}

/* Looks for an actor for a short while before the thread sleeps, because sleeping and waking take longer. */
static struct heddle_cell_ *search(struct worker *own)
{
    struct neglected n = { .worker = NULL };
    struct heddle_cell_ *c;

    if (nworkers == 1 || looks == 0)
        return from_any(own);
    c = dequeue(own);
    if (c != NULL)
        return c;
    atomic_fetch_add(&searching, 1);
    for (unsigned i = 0; i < looks && c == NULL; i++) {
        for (unsigned k = 0; k < PAUSES; k++)
            __builtin_ia32_pause();
        c = dequeue(own);
        if (c == NULL)
            c = steal(own, &n);
    }
    atomic_fetch_sub(&searching, 1);
    if (c == NULL)
        return from_any(own);
    if (any_work()) /* perhaps no thread was woken for this work, because this one was looking for work */
        wake_one();
    return c;
}

/* Sleeps until there may be work.  Returns false when the pool stops. */
static bool sleep_until_work(void)
{
    bool go_on;

    pthread_mutex_lock(&pool);
    atomic_fetch_add(&sleepers, 1);
    if (!stopping && !any_work()) {
        tell_quiet();
        pthread_cond_wait(&work, &pool);
    }
    atomic_fetch_sub(&sleepers, 1);
    go_on = !stopping;
    pthread_mutex_unlock(&pool);
    return go_on;
}

/* Lets the actor handle messages until its turn ends. */
static void run(struct heddle_cell_ *c)
{
    heddle_message *m;

    if (!c->begun && !ha_begin(c))
        return;
    for (unsigned i = 0; i < TURN; i++) {
        m = ha_unstash(c);
        if (m == NULL)
            m = ha_next(c);
        if (m == NULL) {
            heddle_message *empty = HA_EMPTY;

            ha_current = NULL;
            if (atomic_compare_exchange_strong(&c->inbox, &empty, HA_IDLE))
                return;
            continue;
        }
        if (!ha_act(c, m))
            return;
    }
    ha_current = NULL;
    ready(c);
}

/* Returns false when the pool stops. */
static bool wait_for_worker(struct thread *t)
{
    pthread_mutex_lock(&pool);
    t->next = spare;
    spare = t;
    while (t->worker == NULL && !stopping)
        pthread_cond_wait(&t->given, &pool);
    pthread_mutex_unlock(&pool);
    return t->worker != NULL;
}

static void *thread_main(void *worker)
{
    struct thread t = { .worker = worker };

    self = &t;
    pthread_cond_init(&t.given, NULL);
    sem_init(&t.woken, 0, 0);
    while (t.worker != NULL || wait_for_worker(&t)) {
        struct heddle_cell_ *c = search(t.worker);

        if (c != NULL)
            run(c);
        else if (!sleep_until_work())
            break;
    }
    sem_destroy(&t.woken);
    pthread_cond_destroy(&t.given);
    pthread_mutex_lock(&pool);
    nthreads--;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&pool);
    return NULL;
}

static void start_thread(struct worker *w)
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    nthreads++;
    if (pthread_create(&thread, &attr, thread_main, w) != 0)
        abort();
    pthread_attr_destroy(&attr);
}

/* P2: gives this thread's worker to another thread, because the actor of this thread waits. */
static void hand_over(struct thread *t)
{
    struct worker *w = t->worker;

    pthread_mutex_lock(&pool);
    t->worker = NULL;
    if (spare != NULL) {
        struct thread *other = spare;

        spare = other->next;
        other->worker = w;
        pthread_cond_signal(&other->given);
    } else {
        start_thread(w);
    }
    pthread_mutex_unlock(&pool);
}

/* A thread that is not an actor waits on a semaphore of its own. */
static void wait_for_mail(struct heddle_cell_ *c)
{
    heddle_message *empty = HA_EMPTY;
    sem_t own, *woken = self != NULL ? &self->woken : &own;

    if (ha_has_mail(c))
        return;
    if (woken == &own)
        sem_init(&own, 0, 0);
    c->waiter = woken;
    if (atomic_compare_exchange_strong(&c->inbox, &empty, HA_BLOCKED)) {
        if (self != NULL && self->worker != NULL)
            hand_over(self);
        while (sem_wait(woken) != 0)
            ;
    }
    if (woken == &own)
        sem_destroy(&own);
}

static void wakes(struct heddle_cell_ *c)
{
    sem_post(c->waiter);
}

/* ---- start and stop ---------------------------------------------------------------------------------------------- */

static void start(unsigned n)
{
    nworkers = n;
    looks = heddle_active() ? 0 : LOOKS;
    workers = aligned_alloc(_Alignof(struct worker), n * sizeof *workers);
    if (workers == NULL)
        abort();
    memset(workers, 0, n * sizeof *workers);
    atomic_store(&others_todo, 0);
    atomic_store(&others_done, 0);
    stopping = false;
    spare = NULL;
    for (unsigned i = 0; i < n; i++) {
        pthread_mutex_init(&workers[i].lock, NULL);
        workers[i].tail = &workers[i].head;
    }
    pthread_mutex_lock(&pool);
    for (unsigned i = 0; i < n; i++)
        start_thread(&workers[i]);
    pthread_mutex_unlock(&pool);
}

/* Actors that are created meanwhile are killed in the next round of the loop. */
static void stop(void)
{
    ha_clock_stop();
    do {
        ha_kill_all();
        quiet();
    } while (ha_any_alive());
    pthread_mutex_lock(&pool);
    stopping = true;
    pthread_cond_broadcast(&work);
    for (struct thread *t = spare; t != NULL; t = t->next)
        pthread_cond_signal(&t->given);
    while (nthreads != 0)
        pthread_cond_wait(&change, &pool);
    pthread_mutex_unlock(&pool);
    for (unsigned i = 0; i < nworkers; i++)
        pthread_mutex_destroy(&workers[i].lock);
    free(workers);
    workers = NULL;
}

/* ---- operations that only Heddle needs to know about
 * ----------------------------------------------------------------- */

static void no_cell(struct heddle_cell_ *c)
{
    (void)c;
}

static void no_message(struct heddle_cell_ *c, const heddle_message *m)
{
    (void)c;
    (void)m;
}

static void no_access(const void *shared)
{
    (void)shared;
}

static void no_effect(const void *shared, struct heddle_node *node, const char *what)
{
    (void)shared;
    (void)node;
    (void)what;
}

static void new_node(struct heddle_node *node)
{
    (void)node;
}

static bool partitions(void)
{
    return false;
}

const struct ha_executor ha_pool = {
    .start = start, .stop = stop, .owns = no_cell, .launch = ready, .created = no_cell, .sends = no_message, .sent = no_cell,
    .ready = ready, .wait = wait_for_mail, .wakes = wakes, .looks = no_access, .writes = no_access, .affects = no_effect, .strikes = no_access,
    .counts = counts, .quiet = quiet, .node = new_node, .partitions = partitions, .rings = no_message,
    .arm = ha_clock_arm, .disarm = ha_clock_disarm,
};
