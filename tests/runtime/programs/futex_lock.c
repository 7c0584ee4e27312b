/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_lock - a lock made of atomics and the futex system call by its instruction, in a library that
 * is compiled without Heddle (-DLIBRARY), and a program that takes two of them.
 *
 * No argument: both threads take them in the same order.  "opposite": each takes another one first. */
#include <stdatomic.h>

void take(atomic_int *lock);
void give(atomic_int *lock);

#ifdef LIBRARY

#include <linux/futex.h>
#include <sys/syscall.h>

static long futex(atomic_int *word, int op, int value)
{
    long result;
    register long limit __asm__("r10") = 0;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_futex), "D"(word), "S"((long)op), "d"((long)value), "r"(limit)
                     : "rcx", "r11", "memory");
    return result;
}

/* 0: free; 1: taken; 2: taken, and another thread may wait. */
void take(atomic_int *lock)
{
    int was = 0;

    if (atomic_compare_exchange_strong(lock, &was, 1))
        return;
    if (was != 2)
        was = atomic_exchange(lock, 2);
    while (was != 0) {
        futex(lock, FUTEX_WAIT_PRIVATE, 2);
        was = atomic_exchange(lock, 2);
    }
}

void give(atomic_int *lock)
{
    if (atomic_fetch_sub(lock, 1) == 1)
        return;
    atomic_store(lock, 0);
    futex(lock, FUTEX_WAKE_PRIVATE, 1);
}

#else

#include <assert.h>
#include <pthread.h>
#include <string.h>

static atomic_int locks[2], between, counter;
static int opposite;

static void *body(void *arg)
{
    int first = arg != NULL && opposite;

    take(&locks[first]);
    atomic_load(&between); /* a place at which the other thread may come in */
    take(&locks[!first]);
    atomic_store(&counter, atomic_load(&counter) + 1);
    give(&locks[!first]);
    give(&locks[first]);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    opposite = argc > 1 && strcmp(argv[1], "opposite") == 0;
    pthread_create(&thread, NULL, body, &thread);
    body(NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}

#endif
