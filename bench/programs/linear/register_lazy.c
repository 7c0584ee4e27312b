/* SPDX-License-Identifier: BSD-2-Clause
 *
 * register_lazy.c - a register that keeps a write back while another client works on it, and lets it return: a read
 * that is called after that still sees the old value.  Only the order in real time shows it: the write and the read
 * touch nothing in common.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int busy, kept; /* the lock protects them */
static atomic_int value;

static void work(void)
{
    pthread_mutex_lock(&lock);
    busy = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    busy = 0;
    if (kept != 0)
        atomic_store(&value, kept);
    pthread_mutex_unlock(&lock);
}

static void set(int v)
{
    pthread_mutex_lock(&lock);
#ifndef FIXED
    if (busy)
        kept = v;
    else
#endif
        atomic_store(&value, v);
    pthread_mutex_unlock(&lock);
}

static void worker(void)
{
    heddle_op_void(work());
}

static void writer(void)
{
    heddle_op_void(set(1));
}

static void reader(void)
{
    heddle_op("%d", atomic_load(&value));
}

int main(void)
{
    heddle_clients(worker, writer, reader);
    heddle_op("%d", atomic_load(&value));
    return 0;
}
