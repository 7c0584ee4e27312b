/* SPDX-License-Identifier: BSD-2-Clause
 *
 * player_loop.c - the waiting loops of small programs. */
#define _GNU_SOURCE
#include <sched.h>

#include "player.h"

bool is_loop(char kind)
{
    return strchr("=~_#:\"+|?-()}{[>$,.]", kind) != NULL;
}

/* Waiting loops.  What is read in each round is in local variables, as it is in most programs. */
static void back_off(int pause)
{
    for (int i = 0; i < pause; i++)
        __asm__ volatile("pause");
    if (pause == 4)
        sched_yield();
}

static int wait_once(const struct text_op *o, memory_order how)
{
    atomic_int *c = &cell[o->a];
    int b = o->b, expected;

    switch (o->kind) {
    case '=':
        while (atomic_load_explicit(c, how) != b)
            ;
        return 0;
    case '~':
        while (atomic_load_explicit(c, how) == b)
            ;
        return 0;
    case '_':
        while (atomic_load_explicit(c, how) == b)
            sched_yield();
        return 0;
    case '"':
        for (int pause = 1; atomic_load_explicit(c, how) == b; pause = pause < 4 ? 2 * pause : pause)
            back_off(pause);
        return 0;
    case '#':
        do
            expected = b;
        while (!atomic_compare_exchange_strong_explicit(c, &expected, b + 1, memory_order_acq_rel, how));
        return 0;
    default:
        while (atomic_exchange_explicit(c, b, how) == b)
            ;
        return 0;
    }
}

static int wait_twice(const struct text_op *o, memory_order how)
{
    atomic_int *c = &cell[o->a], *other = &cell[o->kind == '+' || o->kind == '|' ? 1 - o->a : o->a];
    int b = o->b, seen;

    switch (o->kind) {
    case '+':
        while (!(atomic_load_explicit(c, how) == b && atomic_load_explicit(other, how) == b))
            ;
        return 0;
    case '|':
        while (atomic_load_explicit(c, how) != b && atomic_load_explicit(other, how) != b)
            ;
        return 0;
    case '?':
        do
            while (atomic_load_explicit(c, how) == b)
                ;
        while (atomic_exchange_explicit(c, b, how) == b);
        return 0;
    default:
        do
            seen = atomic_load_explicit(c, how);
        while (!atomic_compare_exchange_strong_explicit(c, &seen, seen + 1, memory_order_acq_rel, how));
        return 0;
    }
}

/* Loops that load, and then exchange what they have loaded. */
static int wait_or_exchange(const struct text_op *o, memory_order how)
{
    atomic_int *c = &cell[o->a];
    int b = o->b, seen;

    switch (o->kind) {
    case '(':
        do
            if ((seen = atomic_load_explicit(c, how)) == b)
                return 1;
        while (!atomic_compare_exchange_strong_explicit(c, &seen, seen + 1, memory_order_acq_rel, how));
        return 0;
    case ')':
        do
            while ((seen = atomic_load_explicit(c, how)) == b)
                ;
        while (!atomic_compare_exchange_weak_explicit(c, &seen, seen + 1, memory_order_acq_rel, how));
        return 0;
    default:
        for (;;) {
            seen = atomic_load_explicit(c, how);
            if (seen == b)
                with_futex('f', o->a, b);
            else if (atomic_compare_exchange_strong_explicit(c, &seen, seen + 1, memory_order_acq_rel, how))
                return 0;
        }
    }
}

static int wait_under_lock(const struct text_op *o, memory_order how)
{
    atomic_int *c = &cell[o->a];
    int b = o->b, seen;

    do {
        pthread_mutex_lock(&mutex[0]);
        seen = atomic_load_explicit(c, how);
        pthread_mutex_unlock(&mutex[0]);
    } while (seen != b);
    return 0;
}

/* Loops that store something before they wait. */
static int wait_after_adding(const struct text_op *o, memory_order how)
{
    atomic_int *c = &cell[o->a];
    int b = o->b, mine = atomic_fetch_add_explicit(c, 1, memory_order_acq_rel);

    if (o->kind == '[')
        while (atomic_load_explicit(&cell[1 - o->a], how) != mine)
            ;
    else
        while (atomic_load_explicit(c, how) < b)
            ;
    return 0;
}

static int wait_with_others(const struct text_op *o, memory_order how)
{
    atomic_int *count = &cell[o->a], *round = &cell[1 - o->a];
    int old = atomic_load_explicit(round, how);

    if (atomic_fetch_add_explicit(count, 1, memory_order_acq_rel) + 1 == o->b) {
        atomic_store_explicit(count, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(round, 1, memory_order_acq_rel);
    } else {
        while (atomic_load_explicit(round, how) == old)
            ;
    }
    return 0;
}

/* The lock with a queue: nodes have the numbers of their threads, plus 1. */
static struct node {
    atomic_int next, locked;
} node[TEXT_THREADS];
static atomic_int tail;

static int queue_lock(unsigned me, memory_order how)
{
    int before;

    atomic_store_explicit(&node[me].next, 0, memory_order_relaxed);
    atomic_store_explicit(&node[me].locked, 1, memory_order_relaxed);
    before = atomic_exchange_explicit(&tail, (int)me + 1, memory_order_acq_rel);
    if (before != 0) {
        atomic_store_explicit(&node[before - 1].next, (int)me + 1, memory_order_release);
        while (atomic_load_explicit(&node[me].locked, how) != 0)
            ;
    }
    return 0;
}

static int queue_unlock(unsigned me, memory_order how)
{
    int after = atomic_load_explicit(&node[me].next, how), expected = (int)me + 1;

    if (after == 0) {
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_acq_rel, memory_order_relaxed))
            return 0;
        while ((after = atomic_load_explicit(&node[me].next, how)) == 0)
            ;
    }
    atomic_store_explicit(&node[after - 1].locked, 0, memory_order_release);
    return 0;
}

static int wait_or_give_up(const struct text_op *o, memory_order how)
{
    atomic_int *c = &cell[o->a];
    int b = o->b;

    for (int i = 0; i < TEXT_TRIES; i++)
        if (atomic_load_explicit(c, how) == b)
            return 0;
    return 1;
}

void wait_for_both(const struct text_op *o)
{
    int first = o->a;

    for (;;) {
        pthread_mutex_lock(&mutex[first]);
        if (pthread_mutex_trylock(&mutex[1 - first]) == 0)
            return;
        pthread_mutex_unlock(&mutex[first]);
        first ^= o->b;
    }
}

int wait_in_loop(const struct text_op *o, unsigned me, memory_order how)
{
    switch (o->kind) {
    case '+': case '|': case '?': case '-': return wait_twice(o, how);
    case '(': case ')': case '}': return wait_or_exchange(o, how);
    case '{': return wait_under_lock(o, how);
    case '[': case '>': return wait_after_adding(o, how);
    case '$': return wait_with_others(o, how);
    case ',': return queue_lock(me, how);
    case '.': return queue_unlock(me, how);
    case ']': return wait_or_give_up(o, how);
    default: return wait_once(o, how);
    }
}
