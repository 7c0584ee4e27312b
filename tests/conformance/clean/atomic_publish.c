/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_publish.c - data published through a release store, and through relaxed
 * accesses with fences. */
#include <stdatomic.h>

#include "../conform.h"

static int data;
static atomic_int ready, fenced_data, fenced_ready;

static void *writer(void *arg)
{
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    atomic_store_explicit(&fenced_data, 43, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&fenced_ready, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t = start(writer, NULL);

    if (atomic_load_explicit(&fenced_ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        IS(atomic_load_explicit(&fenced_data, memory_order_relaxed), 43);
    }
    if (atomic_load_explicit(&ready, memory_order_acquire))
        IS(data, 42);
    finish(t);
    IS(data, 42);
    return 0;
}
