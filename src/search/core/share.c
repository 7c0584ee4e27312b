/* SPDX-License-Identifier: BSD-2-Clause
 *
 * share.c - the task pool of a search with several workers.  Makes no libc calls.  The
 * lock is held briefly, so waiting workers spin and then yield the processor. */
#include "search/core/share.h"

#include "base/rules.h"

#define TASK_ROOM 64u /* bytes of the smallest payload */

static struct hd_share *share_of(const struct hd_arena *shared)
{
    return (struct hd_share *)(void *)shared->base;
}

/* Waits for the lock, whose owner may need this processor.  Uses a raw system call, because libc's sched_yield
 * may be intercepted in the target. */
static inline void relax(unsigned round)
{
#if defined __x86_64__
    enum { SPINS = 100, NR_SCHED_YIELD = 24 };
    long rc = NR_SCHED_YIELD;

    if (round < SPINS)
        __builtin_ia32_pause();
    else
        __asm__ volatile("syscall" : "+a"(rc) : : "rcx", "r11", "memory");
#endif
}

/* ---- lock and transaction ----------------------------------------------------------- */

void hd_share_lock(struct hd_share *sh, uint32_t worker)
{
    uint64_t nobody = 0;
    unsigned round = 0;

    while (!__atomic_compare_exchange_n(&sh->lock, &nobody, worker + UINT64_C(1), false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        while (__atomic_load_n(&sh->lock, __ATOMIC_RELAXED) != 0)
            relax(round++);
        nobody = 0;
    }
    sh->nwrites = 0;
}

void hd_share_unlock(struct hd_share *sh)
{
    HD_INVARIANT(sh->nwrites == 0, "a transaction was not committed");
    __atomic_store_n(&sh->lock, 0, __ATOMIC_RELEASE);
}

bool hd_share_locked(const struct hd_share *sh, uint32_t worker)
{
    return __atomic_load_n(&sh->lock, __ATOMIC_RELAXED) == worker + UINT64_C(1);
}

void hd_share_write(struct hd_share *sh, void *at, uint64_t value)
{
    HD_INVARIANT(sh->nwrites < HD_SHARE_WRITES, "transaction too long");
    sh->write[sh->nwrites].at = at;
    sh->write[sh->nwrites++].value = value;
}

static void do_writes(struct hd_share *sh)
{
    for (uint64_t i = 0; i < sh->armed; i++)
        __atomic_store_n(sh->write[i].at, sh->write[i].value, __ATOMIC_RELEASE);
    __atomic_store_n(&sh->armed, 0, __ATOMIC_RELEASE);
}

void hd_share_commit(struct hd_share *sh)
{
    HD_CHECK(sh->lock != 0, "H1: the pool is changed with the lock only");
    __atomic_store_n(&sh->armed, sh->nwrites, __ATOMIC_RELEASE);
    do_writes(sh);
    sh->nwrites = 0;
}

void hd_share_recover(struct hd_arena *shared, uint32_t worker)
{
    struct hd_share *sh = share_of(shared);

    if (!hd_share_locked(sh, worker))
        return;
    do_writes(sh);
    sh->nwrites = 0;
    hd_share_unlock(sh);
}

/* ---- memory ------------------------------------------------------------------------ */

void *hd_share_alloc(struct hd_share *sh, size_t n)
{
    void *p = (unsigned char *)sh + sh->used;

    HD_CHECK(sh->lock != 0, "H1: the pool is changed with the lock only");
    n = (n + 63) & ~(size_t)63;
    HD_INVARIANT(sh->size - sh->used >= n, "shared search memory exhausted");
    __atomic_store_n(&sh->used, sh->used + n, __ATOMIC_RELEASE);
    return p;
}

struct hd_task *hd_share_task(struct hd_share *sh, size_t n)
{
    uint32_t class = 0;

    while (((size_t)TASK_ROOM << class) < n)
        class++;
    HD_INVARIANT(class < HD_SHARE_CLASSES, "task too large");
    struct hd_task *t = sh->free[class];

    if (t != NULL)
        __atomic_store_n(&sh->free[class], t->next, __ATOMIC_RELEASE);
    else
        t = hd_share_alloc(sh, sizeof *t + ((size_t)TASK_ROOM << class));
    __atomic_store_n(&sh->serial, sh->serial + 1, __ATOMIC_RELEASE);
    t->next = t->prev = NULL;
    t->serial = sh->serial;
    t->class = class;
    return t;
}

/* ---- tasks ---------------------------------------------------------------------------- */

void hd_share_queue(struct hd_share *sh, struct hd_task *t)
{
    t->prev = sh->last;
    hd_share_write_pointer(sh, sh->last != NULL ? &sh->last->next : &sh->first, t);
    hd_share_write_pointer(sh, &sh->last, t);
}

static struct hd_task *oldest(struct hd_share *sh, const struct hd_share_user *user, void *self)
{
    struct hd_task *t = sh->first;

    while (t != NULL && !user->fits(self, sh, t))
        t = t->next;
    return t;
}

static struct hd_task *take(struct hd_share *sh, uint32_t worker,
                            const struct hd_share_user *user, void *self)
{
    struct hd_task *t = user->best != NULL ? user->best(self, sh) : oldest(sh, user, self);

    if (t == NULL)
        return NULL;
    hd_share_write_pointer(sh, t->prev != NULL ? &t->prev->next : &sh->first, t->next);
    hd_share_write_pointer(sh, t->next != NULL ? &t->next->prev : &sh->last, t->prev);
    hd_share_write_pointer(sh, &t->next, NULL);
    hd_share_write_pointer(sh, &t->prev, NULL);
    hd_share_write_pointer(sh, &sh->mine[worker], t);
    hd_share_commit(sh);
    return t;
}

static void give_back(struct hd_share *sh, uint32_t worker, struct hd_task *t,
                      const struct hd_share_user *user, void *self)
{
    user->finish(self, sh, t);
    hd_share_write_pointer(sh, &t->next, sh->free[t->class]);
    hd_share_write_pointer(sh, &sh->free[t->class], t);
    hd_share_write_pointer(sh, &sh->mine[worker], NULL);
    hd_share_commit(sh);
}

bool hd_share_is_idle(const struct hd_share *sh)
{
    for (uint32_t w = 0; w < HD_SHARE_WORKERS; w++)
        if (__atomic_load_n(&sh->mine[w], __ATOMIC_ACQUIRE) != NULL)
            return false;
    return true;
}

static bool nobody_works(const struct hd_share *sh)
{
    return hd_share_is_idle(sh) && sh->first == NULL;
}

struct hd_task *hd_share_next(struct hd_share *sh, uint32_t worker, uint64_t finished,
                              const struct hd_share_user *user, void *self)
{
    hd_share_lock(sh, worker);
    struct hd_task *t = sh->mine[worker];

    if (t != NULL && t->serial == finished) {
        give_back(sh, worker, t, user, self);
        t = NULL;
    }
    if (t == NULL && sh->verdict == 0) {
        user->settle(self, sh);
        if (nobody_works(sh)) {
            user->idle(self, sh);
            hd_share_commit(sh);
        }
        t = sh->closing ? NULL : take(sh, worker, user, self);
        __atomic_store_n(&sh->wanted, t == NULL, __ATOMIC_RELAXED);
    }
    hd_share_unlock(sh);
    return t;
}

/* ---- beginning and end ------------------------------------------------------------------ */

static void make(struct hd_share *sh, const struct hd_arena *shared)
{
    if (sh->used != 0)
        return;
    sh->size = shared->size;
    __atomic_store_n(&sh->used, (sizeof *sh + 63) & ~(size_t)63, __ATOMIC_RELEASE);
}

struct hd_share *hd_share_lease(struct hd_arena *shared, uint32_t worker)
{
    struct hd_share *sh = share_of(shared);

    hd_share_lock(sh, worker);
    make(sh, shared);
    sh->leased = sh->started = 1;
    return sh;
}

struct hd_share *hd_share_leased(const struct hd_arena *shared)
{
    struct hd_share *sh = share_of(shared);

    return sh->leased ? sh : NULL;
}

struct hd_share *hd_share_open(const struct hd_strategy_cfg *cfg, const struct hd_share_user *user,
                               void *self)
{
    if (cfg->shared == NULL || (cfg->nworkers <= 1 && hd_share_leased(cfg->shared) == NULL))
        return NULL;
    HD_INVARIANT(cfg->nworkers <= HD_SHARE_WORKERS && cfg->worker < cfg->nworkers,
                 "more workers than the share has room for");
    struct hd_share *sh = share_of(cfg->shared);

    hd_share_lock(sh, cfg->worker);
    make(sh, cfg->shared);
    if (!sh->started) {
        user->start(self, sh);
        hd_share_write(sh, &sh->started, 1);
        hd_share_commit(sh);
    }
    hd_share_unlock(sh);
    return sh;
}

bool hd_share_over(const struct hd_arena *shared)
{
    return __atomic_load_n(&share_of(shared)->verdict, __ATOMIC_ACQUIRE) != 0;
}

bool hd_share_complete(const struct hd_arena *shared)
{
    return (__atomic_load_n(&share_of(shared)->verdict, __ATOMIC_ACQUIRE) & HD_SHARE_COMPLETE) != 0;
}

double hd_share_explored(const struct hd_arena *shared)
{
    const struct hd_share *sh = share_of(shared);
    double sum = 0, whole = hd_share_get(&sh->explored);

    for (uint32_t i = 0; i < HD_SHARE_WORKERS; i++)
        sum += hd_share_get(&sh->part[i]);
    if (whole > 0) /* in this case `part` holds parts of tasks, not of the search */
        sum = whole;
    return sum < 1 ? sum : 1;
}
