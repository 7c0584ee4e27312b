/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy - an elided spin lock.  Its transactions look at the lock's word when they begin.
 *
 * Claim: the critical section is exclusive, so that two numbers in it are equal at its beginning and no
 * raising is lost.  LAZY: a transaction looks only before it ends, which keeps the word out of conflicts
 * for longer.  A transaction that sees the section of another thread half done then computes the place
 * of its write from numbers that never belong together.  Here it overwrites the word itself, finds the
 * lock free, and commits (the known flaw of lazy subscription: D. Dice, T. Harris, A. Kogan, Y. Lev,
 * M. Moir, "Pitfalls of lazy subscription", WTTM 2014). */
#include "rtm.h"

enum { WORD, SLOT, CELLS = 4 };

static int cell[CELLS]; /* the lock's word and, behind it, what the section writes */
static int first, second;

static void section(void)
{
    int a = visible_read(first);

    visible_write(first, a + 1);
    int b = visible_read(second);

    visible_write(cell[SLOT + b - a], 0); /* equal numbers: the slot */
    visible_write(second, b + 1);
}

static void look(void)
{
    if (atomic_read(cell[WORD]) != 0)
        _xabort(0xff);
}

static bool in_transaction(void)
{
    if (!transaction_begin())
        return false;
#ifndef LAZY
    look();
#endif
    section();
#ifdef LAZY
    look();
#endif
    _xend();
    return true;
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (in_transaction())
            continue;
        while (atomic_swap(cell[WORD], 1) != 0)
            while (atomic_read(cell[WORD]) != 0)
                continue;
        section();
        atomic_write(cell[WORD], 0);
    }
    return arg;
}

int main(void)
{
    run_threads(work);
    assert(first == THREADS * ROUNDS && second == THREADS * ROUNDS);
    return 0;
}
