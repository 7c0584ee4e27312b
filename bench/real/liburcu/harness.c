/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - a pointer that readers read through under liburcu, and a writer that replaces
 * it, waits for a grace period and frees what was there.
 *
 *     HARNESS SCRIPT SCRIPT [SCRIPT]
 *
 * Scripts, one per thread: r reads, R reads twice in one section, w replaces and frees.  The
 * flavour is chosen when this is compiled.  A grace period that is too short is a use after
 * free, or a number that changes under a reader; a futex that no thread wakes is a deadlock. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define _LGPL_SOURCE
#ifdef RCU_QSBR
#include <urcu-qsbr.h>
#else
#include <urcu.h>
#endif

#include <heddle/heddle.h>

#include "../linear.h"

struct block {
    long value;
};

static struct block *current;
static const char *script[LIN_THREADS];

static struct block *new_block(long value)
{
    struct block *b = malloc(sizeof *b);

    b->value = value;
    return b;
}

static long read_it(int times)
{
    struct block *b;
    long value;

    rcu_read_lock();
    b = rcu_dereference(current);
    value = b->value;
    if (times > 1) {
        rcu_read_lock();
        heddle_assert(value == b->value);
        rcu_read_unlock();
    }
    rcu_read_unlock();
    rcu_quiescent_state();
    return value;
}

static long replace(long value)
{
    struct block *old = rcu_xchg_pointer(&current, new_block(value));
    long was = old->value;

    synchronize_rcu();
    old->value = -1;
    free(old);
    return was;
}

static bool register_twin(struct lin_state *s, const struct lin_op *op)
{
    long was = s->item[0];

    if (op->code == 'w')
        s->item[0] = op->arg;
    return op->result == was;
}

static void *work(void *arg)
{
    int t = (int)(intptr_t)arg;
    bool reads = strpbrk(script[t], "rR") != NULL;

    if (reads)
        rcu_register_thread();
    for (int i = 0; script[t][i] != '\0'; i++) {
        char code = script[t][i];
        long value = 10 * (t + 1) + i;

        lin_call(t, code == 'R' ? 'r' : code, value);
        lin_return(t, code == 'w' ? replace(value) : read_it(code == 'R' ? 2 : 1));
    }
    if (reads)
        rcu_unregister_thread();
    return NULL;
}

int main(int argc, char **argv)
{
    static const struct lin_state first = { { 0 }, 0 };
    pthread_t thread[LIN_THREADS];

    lin_threads = argc - 1;
    if (lin_threads < 1 || lin_threads > LIN_THREADS) {
        fprintf(stderr, "usage: %s SCRIPT [SCRIPT [SCRIPT]]\n", argv[0]);
        return 1;
    }
    current = new_block(0);
    for (intptr_t t = 0; t < lin_threads; t++) {
        script[t] = argv[1 + t];
        pthread_create(&thread[t], NULL, work, (void *)t);
    }
    for (int t = 0; t < lin_threads; t++)
        pthread_join(thread[t], NULL);
    free(current);
    heddle_assert(lin_holds(register_twin, &first));
    return 0;
}
