/* SPDX-License-Identifier: BSD-2-Clause
 *
 * elide.c - the elision of locks of Concurrency Kit: 2 or 3 threads raise two numbers that are always equal, under a lock that
 * is elided.
 *
 *     elide LOCK THREADS      LOCK: cas, fas, dec, ticket; adaptive: fas with statistics; mixed: fas, one thread without elision
 *
 * The port for gcc has no transactions; those of the port in assembly are the processor's instructions, as bytes. */
#include <ck_pr.h>
#define CK_PR_X86_64_H
#include <gcc/x86_64/ck_pr_rtm.h>

#include <ck_elide.h>
#include <ck_spinlock.h>

#include <pthread.h>
#include <string.h>

#include <heddle/heddle.h>

static ck_spinlock_cas_t cas = CK_SPINLOCK_CAS_INITIALIZER;
static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_dec_t dec = CK_SPINLOCK_DEC_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static struct ck_elide_config config = { .skip_busy = 1, .retry_busy = 1, .skip_other = 1, .retry_other = 1,
                                         .skip_conflict = 1, .retry_conflict = 1 };
static long guarded[2];

static void add_one(void)
{
    heddle_assert(guarded[0] == guarded[1]);
    guarded[0]++;
    guarded[1]++;
}

#define ELIDED(lock) \
    static void *elide_##lock(void *arg) \
    { \
        CK_ELIDE_LOCK(ck_spinlock_##lock, &lock); \
        add_one(); \
        CK_ELIDE_UNLOCK(ck_spinlock_##lock, &lock); \
        return arg; \
    }
ELIDED(cas)
ELIDED(fas)
ELIDED(dec)
ELIDED(ticket)

static void *elide_adaptively(void *arg)
{
    ck_elide_stat_t stat = CK_ELIDE_STAT_INITIALIZER;

    CK_ELIDE_LOCK_ADAPTIVE(ck_spinlock_fas, &stat, &config, &fas);
    add_one();
    CK_ELIDE_UNLOCK_ADAPTIVE(ck_spinlock_fas, &stat, &fas);
    return arg;
}

static void *lock(void *arg)
{
    ck_spinlock_fas_lock(&fas);
    add_one();
    ck_spinlock_fas_unlock(&fas);
    return arg;
}

static const struct {
    const char *name;
    void *(*others)(void *), *(*first)(void *);
} kinds[] = {
    { "cas", elide_cas, elide_cas }, { "fas", elide_fas, elide_fas }, { "dec", elide_dec, elide_dec },
    { "ticket", elide_ticket, elide_ticket }, { "adaptive", elide_adaptively, elide_adaptively },
    { "mixed", elide_fas, lock },
};

int main(int argc, char **argv)
{
    int n = argc == 3 ? argv[2][0] - '0' : 0;
    pthread_t thread[3];

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && n >= 1 && n <= 3; k++) {
        if (strcmp(argv[1], kinds[k].name) != 0)
            continue;
        for (int i = 0; i < n; i++)
            pthread_create(&thread[i], NULL, i == 0 ? kinds[k].first : kinds[k].others, NULL);
        for (int i = 0; i < n; i++)
            pthread_join(thread[i], NULL);
        heddle_assert(guarded[0] == n);
        return 0;
    }
    return 1;
}
