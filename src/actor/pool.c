/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pool.c - the executor of ordinary runs: a pool of threads with a queue of actors each, which take from one another's queues
 * when their own is empty.
 *
 * P1  An actor is in at most one queue, or runs, or neither; only in the last case its inbox is HA_IDLE (or HA_CLOSED).
 * P2  A worker is a queue with the right to run actors from it.  One thread has it at a time.  A thread whose actor waits
 *     inside of an action hands its worker to another thread; when the action is over it waits for a worker.  So there are as
 *     many threads as workers and waiting actions, and waiting holds no worker.
 * P3  Nobody sleeps while there is work: who adds an actor to a queue looks at the number of sleepers afterwards, and who
 *     goes to sleep looks at the queues after adding itself to that number; both by seq_cst operations. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "actor/cell.h"
#include "actor/clock.h"

enum { TURN = 64, SPINS = 2000 }; /* messages in one turn; looks at the queues before a worker sleeps */

struct worker {
    _Alignas(128) pthread_mutex_t lock;
    struct heddle_cell_ *head, **tail;
    _Atomic unsigned length;
    /* Written by the thread that has the worker: what was to be done, and what is done (quiet). */
    _Alignas(64) _Atomic uint64_t todo;
    _Atomic uint64_t done;
};

struct thread {
    struct worker *worker; /* null: none, see P2 */
    struct thread *next;   /* of those that wait for a worker */
    pthread_cond_t given;
    sem_t woken; /* the mailbox of the running actor is not empty any more */
};

static struct worker *workers;
static unsigned nworkers;
static _Atomic unsigned next_worker, sleepers, searching;
static _Atomic uint64_t others_todo, others_done; /* of threads without a worker */
static unsigned spins;

static pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, change = PTHREAD_COND_INITIALIZER;
static struct thread *spare;
static unsigned nthreads, quiet_waiters;
static bool stopping;

static _Thread_local struct thread *self;

/* ---- counting: all is quiet when as much is done as there was to do ---------------------------------------- */

static void add(_Atomic uint64_t *counter)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, memory_order_release);
}

/* Something was done outside of the workers' loop. */
static void tell_quiet(void)
{
    pthread_mutex_lock(&pool);
    if (quiet_waiters != 0)
        pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&pool);
}

static void counts(int more)
{
    struct worker *w = self != NULL ? self->worker : NULL;

    if (w != NULL) {
        add(more > 0 ? &w->todo : &w->done);
        return;
    }
    atomic_fetch_add(more > 0 ? &others_todo : &others_done, 1);
    if (more < 0)
        tell_quiet(); /* a worker tells before it sleeps */
}

/* done is read before todo: if the sums are equal, they were so at the moment in between, since neither ever falls and done
 * never exceeds todo. */
static bool is_quiet(void)
{
    uint64_t done = atomic_load(&others_done), todo = 0;

    for (unsigned i = 0; i < nworkers; i++)
        done += atomic_load_explicit(&workers[i].done, memory_order_acquire);
    for (unsigned i = 0; i < nworkers; i++)
        todo += atomic_load_explicit(&workers[i].todo, memory_order_acquire);
    return todo + atomic_load(&others_todo) == done;
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

static void enqueue(struct worker *w, struct heddle_cell_ *c)
{
    c->next = NULL;
    pthread_mutex_lock(&w->lock);
    *w->tail = c;
    w->tail = &c->next;
    atomic_fetch_add(&w->length, 1);
    pthread_mutex_unlock(&w->lock);
}

static struct heddle_cell_ *dequeue(struct worker *w)
{
    struct heddle_cell_ *c;

    if (atomic_load(&w->length) == 0)
        return NULL;
    pthread_mutex_lock(&w->lock);
    c = w->head;
    if (c != NULL) {
        w->head = c->next;
        if (w->head == NULL)
            w->tail = &w->head;
        atomic_fetch_sub(&w->length, 1);
    }
    pthread_mutex_unlock(&w->lock);
    return c;
}

static bool any_work(void)
{
    for (unsigned i = 0; i < nworkers; i++)
        if (atomic_load(&workers[i].length) != 0)
            return true;
    return false;
}

static void ready(struct heddle_cell_ *c)
{
    struct worker *w = self != NULL ? self->worker : NULL;

    if (w == NULL)
        w = &workers[atomic_fetch_add_explicit(&next_worker, 1, memory_order_relaxed) % nworkers];
    enqueue(w, c);
    if (atomic_load(&sleepers) != 0 && atomic_load(&searching) == 0) {
        pthread_mutex_lock(&pool);
        pthread_cond_signal(&work);
        pthread_mutex_unlock(&pool);
    }
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

/* Looks for work for a short while, since to sleep and to be woken takes longer. */
static struct heddle_cell_ *search(struct worker *own)
{
    struct heddle_cell_ *c = from_any(own);

    if (c != NULL || nworkers == 1 || spins == 0)
        return c;
    atomic_fetch_add(&searching, 1);
    for (unsigned i = 0; i < spins && c == NULL; i++) {
        __builtin_ia32_pause();
        if (any_work())
            c = from_any(own);
    }
    atomic_fetch_sub(&searching, 1);
    return c != NULL ? c : from_any(own);
}

/* Returns false when the pool stops. */
static bool sleep_until_work(void)
{
    bool go_on;

    pthread_mutex_lock(&pool);
    atomic_fetch_add(&sleepers, 1);
    if (quiet_waiters != 0)
        pthread_cond_broadcast(&change);
    while (!stopping && !any_work())
        pthread_cond_wait(&work, &pool);
    atomic_fetch_sub(&sleepers, 1);
    go_on = !stopping;
    pthread_mutex_unlock(&pool);
    return go_on;
}

/* Lets the actor take messages, up to the end of its turn. */
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
    if (quiet_waiters != 0)
        pthread_cond_broadcast(&change);
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

/* P2: the actor of this thread waits, and others run meanwhile. */
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

/* A thread that is no actor waits by a semaphore of its own. */
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
    spins = heddle_active() ? 0 : SPINS;
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

/* Actors that are created meanwhile are killed in the next round. */
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

/* ---- what only Heddle needs to know ---------------------------------------------------------------------------------- */

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
    .start = start, .stop = stop, .launch = ready, .created = no_cell, .sends = no_message, .sent = no_cell,
    .ready = ready, .wait = wait_for_mail, .wakes = wakes, .looks = no_access, .writes = no_access, .affects = no_effect, .strikes = no_access,
    .counts = counts, .quiet = quiet, .node = new_node, .partitions = partitions, .rings = no_message,
    .arm = ha_clock_arm, .disarm = ha_clock_disarm,
};
