/* SPDX-License-Identifier: BSD-2-Clause
 *
 * counting - threads wait in loops that never come back in the same state: each round
 * counts in memory, writes a line, allocates or sleeps a little longer.
 *
 * A waiting thread could go round forever while the one that would end it is passed
 * over: no bug.  With a second argument no thread ends it; or, if that is "late", the program
 * fails afterwards. */
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include "live.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t raised = PTHREAD_COND_INITIALIZER;
static sem_t posted;
static int flag, done, contended;
static int rounds; /* of the waiting thread; no other thread reads it */
static bool never;

static void *raise_flag(void *arg)
{
    if (never)
        return arg;
    put(flag, 1);
    sem_post(&posted);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&raised);
    pthread_mutex_unlock(&lock);
    return arg;
}

static bool look_under_lock(void)
{
    pthread_mutex_lock(&lock);
    bool is_done = done;

    rounds += !is_done;
    pthread_mutex_unlock(&lock);
    return is_done;
}

static void wait_timed(void)
{
    struct timespec past = { 0, 0 };

    pthread_mutex_lock(&lock);
    while (!done)
        if (pthread_cond_timedwait(&raised, &lock, &past) != 0)
            rounds++;
    pthread_mutex_unlock(&lock);
}

static void wait_for_flag(void)
{
    struct timespec past = { 0, 0 };

    if (is("spin"))
        while (!get(flag))
            rounds++;
    else if (is("visible"))
        while (!get(flag))
            __atomic_fetch_add(&contended, 1, __ATOMIC_SEQ_CST);
    else if (is("yield"))
        for (; !get(flag); rounds++)
            sched_yield();
    else if (is("semaphore"))
        while (sem_timedwait(&posted, &past) != 0)
            rounds++;
    else if (is("condition"))
        wait_timed();
    else if (is("lock"))
        while (!look_under_lock())
            sched_yield();
    else if (is("backoff"))
        for (unsigned pause = 1; !look_under_lock(); pause++)
            usleep(pause);
    else if (is("log"))
        for (; !look_under_lock(); usleep(1))
            puts("still waiting");
    else if (is("block"))
        for (; !look_under_lock(); sched_yield())
            free(malloc(16));
}

/* The holder may be stopped while all others count how often they tried. */
static void *contend(void *arg)
{
    while (pthread_mutex_trylock(&lock) != 0) {
        __atomic_fetch_add(&contended, 1, __ATOMIC_SEQ_CST);
        sched_yield();
    }
    rounds++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    never = argc > 2 && strcmp(argv[2], "never") == 0;
    if (is("two") || is("three")) {
        pthread_t second = spawn(contend), third = is("three") ? spawn(contend) : second;

        contend(NULL);
        join(second);
        if (third != second)
            join(third);
        return 0;
    }
    sem_init(&posted, 0, 0);
    pthread_t thread = spawn(raise_flag);

    wait_for_flag();
    join(thread);
    assert(argc == 2 || never);
    return 0;
}
