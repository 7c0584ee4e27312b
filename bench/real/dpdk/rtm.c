/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rtm.c - DPDK's spin lock that is elided: 2 or 3 threads raise two numbers that are always equal.
 *
 *     rtm LOCK THREADS      LOCK: lock; try: trylock; recursive: taken twice; mixed: one thread without elision
 *
 * Whether the processor has transactions is found out by DPDK's own code, from cpuid. */
#include <pthread.h>
#include <string.h>

#include <rte_spinlock.h>

#include <heddle/heddle.h>

static rte_spinlock_t lock = RTE_SPINLOCK_INITIALIZER;
static rte_spinlock_recursive_t recursive = RTE_SPINLOCK_RECURSIVE_INITIALIZER;
static long guarded[2];

/* DPDK numbers its threads itself; the recursive lock has the number as its owner. */
int rte_sys_gettid(void)
{
    static __thread int number;
    static int numbers;

    if (number == 0)
        number = __atomic_add_fetch(&numbers, 1, __ATOMIC_SEQ_CST);
    return number;
}
__thread int per_lcore__thread_id = -1;

static void add_one(void)
{
    heddle_assert(guarded[0] == guarded[1]);
    guarded[0]++;
    guarded[1]++;
}

static void *elide(void *arg)
{
    rte_spinlock_lock_tm(&lock);
    add_one();
    rte_spinlock_unlock_tm(&lock);
    return arg;
}

static void *try_to_elide(void *arg)
{
    if (rte_spinlock_trylock_tm(&lock)) {
        add_one();
        rte_spinlock_unlock_tm(&lock);
    }
    return arg;
}

static void *elide_recursively(void *arg)
{
    rte_spinlock_recursive_lock_tm(&recursive);
    rte_spinlock_recursive_lock_tm(&recursive);
    add_one();
    rte_spinlock_recursive_unlock_tm(&recursive);
    rte_spinlock_recursive_unlock_tm(&recursive);
    return arg;
}

static void *take(void *arg)
{
    rte_spinlock_lock(&lock);
    add_one();
    rte_spinlock_unlock(&lock);
    return arg;
}

static const struct {
    const char *name;
    void *(*others)(void *), *(*first)(void *);
} kinds[] = {
    { "lock", elide, elide }, { "try", try_to_elide, elide }, { "recursive", elide_recursively, elide_recursively },
    { "mixed", elide, take },
};

int main(int argc, char **argv)
{
    int n = argc == 3 ? argv[2][0] - '0' : 0;
    pthread_t thread[3];

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && n >= 2 && n <= 3; k++) {
        if (strcmp(argv[1], kinds[k].name) != 0)
            continue;
        for (int i = 0; i < n; i++)
            pthread_create(&thread[i], NULL, i == 0 ? kinds[k].first : kinds[k].others, NULL);
        for (int i = 0; i < n; i++)
            pthread_join(thread[i], NULL);
        heddle_assert(guarded[0] == guarded[1] && guarded[0] >= 1);
        heddle_assert(guarded[0] == n || kinds[k].others == try_to_elide);
        return 0;
    }
    return 64;
}
