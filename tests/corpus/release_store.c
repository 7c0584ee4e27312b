/* SPDX-License-Identifier: BSD-2-Clause
 *
 * release_store - release_sequence in C: a release store, then a relaxed store of the same
 * thread, which the other thread reads.
 *
 * Claim: the data are ordered.  True in C11 and C17; what C is to say since C++20 has changed
 * it was not settled when compilers learnt -std=c2x.  With -DFENCE the reader takes a relaxed
 * load and a fence, with -DADD the second store is a read-modify-write: it goes on with the
 * sequence by every standard. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writer(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifdef ADD
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
#else
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
    return arg;
}

static int reads_two(void)
{
#ifdef FENCE
    int value = atomic_load_explicit(&flag, memory_order_relaxed);

    atomic_thread_fence(memory_order_acquire);
    return value == 2;
#else
    return atomic_load_explicit(&flag, memory_order_acquire) == 2;
#endif
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, writer, NULL);
    if (reads_two())
        data = 2;
    pthread_join(t, NULL);
    return 0;
}
