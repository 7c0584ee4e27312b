/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - is what concurrent operations returned what some order of them, one after the
 * other, would have returned?  For harnesses of a few threads with a few operations each.
 *
 * A linearization may not turn round two operations of which one had returned before the
 * other was called, so the order of calls and returns is a part of what is checked, and a
 * search with reduction has to try all of these orders, or it would look at one execution
 * of each class only, whichever it came by.  Hence a return stores into a variable of its
 * thread, and a call loads those of all other threads: a return and a call conflict, two
 * calls or two returns do not, and what a call has loaded is at once the list of
 * operations before it.  The atomics are relaxed: they order nothing, so they hide no race
 * of the structure under test.
 *
 * At the end all orders are tried against a sequential twin, by brute force. */
#ifndef HEDDLE_REAL_LINEAR_H
#define HEDDLE_REAL_LINEAR_H

#include <stdatomic.h>
#include <stdbool.h>

enum {
    LIN_THREADS = 3,
    LIN_OPS = 4,   /* of a thread */
    LIN_ITEMS = 16 /* of the twin's state */
};

/* Results that mean the same for every structure. */
enum {
    LIN_NOTHING = 0,  /* there was nothing to take */
    LIN_DONE = 1,     /* it has been done, and has no other result */
    LIN_REFUSED = -1, /* no room */
    LIN_BUSY = -2     /* a trying operation did not come through: it has done nothing */
};

struct lin_op {
    char code;
    long arg, result;
    int before[LIN_THREADS]; /* so many operations of each thread had returned at the call */
};

struct lin_state {
    long item[LIN_ITEMS];
    int n;
};

/* Does the operation, done now, return what it did?  Changes the state accordingly. */
typedef bool lin_twin(struct lin_state *state, const struct lin_op *op);

static struct lin_op lin_op[LIN_THREADS][LIN_OPS];
static int lin_count[LIN_THREADS]; /* each thread's own */
static atomic_int lin_returned[LIN_THREADS];
static int lin_threads = 2;

/* Thread t is about to begin. */
static inline void lin_call(int t, char code, long arg)
{
    struct lin_op *op = &lin_op[t][lin_count[t]];

    op->code = code;
    op->arg = arg;
    for (int u = 0; u < lin_threads; u++)
        op->before[u] = u == t ? lin_count[t]
                               : atomic_load_explicit(&lin_returned[u], memory_order_relaxed);
}

static inline void lin_return(int t, long result)
{
    lin_op[t][lin_count[t]++].result = result;
    atomic_store_explicit(&lin_returned[t], lin_count[t], memory_order_relaxed);
}

/* Every thread has been joined: there is nothing to watch in what follows, unless the structure has threads of its own; then
 * the recipe defines LIN_QUIET as nothing. */
#ifndef LIN_QUIET
#define LIN_QUIET __attribute__((no_sanitize("thread")))
#endif

LIN_QUIET static bool lin_comes_next(const struct lin_op *op, const int *done)
{
    for (int t = 0; t < lin_threads; t++)
        if (op->before[t] > done[t])
            return false;
    return true;
}

LIN_QUIET static bool lin_extends(lin_twin *twin, const struct lin_state *state, const int *done)
{
    bool over = true;

    for (int t = 0; t < lin_threads; t++) {
        const struct lin_op *op = &lin_op[t][done[t]];
        struct lin_state after = *state;
        int more[LIN_THREADS] = { 0 };

        if (done[t] == lin_count[t])
            continue;
        over = false;
        if (!lin_comes_next(op, done) || !twin(&after, op))
            continue;
        for (int u = 0; u < lin_threads; u++)
            more[u] = done[u] + (u == t);
        if (lin_extends(twin, &after, more))
            return true;
    }
    return over;
}

/* All threads have ended: is there a linear order? */
LIN_QUIET static inline bool lin_holds(lin_twin *twin, const struct lin_state *first)
{
    static const int none[LIN_THREADS] = { 0 };

    return lin_extends(twin, first, none);
}

#endif
