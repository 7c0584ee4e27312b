/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomics - the four atomic operations of the library, each used by main and a child: OPERATION is
 * fetch_add, fetch_sub, exchange or compare_swap (Landslide's atomic_*, which leave the comparison
 * to the checker).
 *
 * Claim: the number ends as expected: none of the additions or subtractions is lost; of two values
 * that are exchanged in, one is given back and one is left; of two that compare only one succeeds.
 * TWO_STEPS: the operation reads and then writes. */
#include "../program.h"

#ifndef OPERATION
#define OPERATION fetch_add
#endif

enum { ROUNDS = 2 };

static int global;
static int results[2]; /* sums of what each thread got back */

static int do_exchange(int value)
{
#ifdef TWO_STEPS
    int old = visible_read(global);

    visible_write(global, value);
    return old;
#else
    return atomic_swap(global, value);
#endif
}

static int do_fetch_add(int value)
{
#ifdef TWO_STEPS
    int old = visible_read(global);

    visible_write(global, old + value);
    return old;
#else
    return atomic_add(global, value);
#endif
}

static bool do_compare_swap(int old, int new)
{
#ifdef TWO_STEPS
    if (visible_read(global) != old)
        return false;
    visible_write(global, new);
    return true;
#else
    return atomic_cas(global, old, new);
#endif
}

static void fetch_add(int me)
{
    for (int i = 0; i < ROUNDS; i++)
        results[me] += do_fetch_add(1);
}

static bool fetch_add_is_right(void)
{
    return global == 2 * ROUNDS && results[0] + results[1] == 0 + 1 + 2 + 3;
}

static void fetch_sub(int me)
{
    for (int i = 0; i < ROUNDS; i++)
        results[me] += do_fetch_add(-1);
}

static bool fetch_sub_is_right(void)
{
    return global == -2 * ROUNDS && results[0] + results[1] == -(0 + 1 + 2 + 3);
}

static void exchange(int me)
{
    results[me] = do_exchange(me + 1);
}

static bool exchange_is_right(void)
{
    return results[0] + results[1] + global == 0 + 1 + 2;
}

static void compare_swap(int me)
{
    results[me] = do_compare_swap(0, me + 1);
}

static bool compare_swap_is_right(void)
{
    return results[0] + results[1] == 1 && results[global - 1] == 1;
}

struct operation {
    void (*use)(int me);
    bool (*is_right)(void);
};

#define OPERATION_OF(name)                                                                         \
    {                                                                                              \
        name, name##_is_right                                                                      \
    }
#define EXPANDED(name) OPERATION_OF(name)

static const struct operation tested = EXPANDED(OPERATION);
static const struct operation all[]
    __attribute__((unused)) = {OPERATION_OF(fetch_add), OPERATION_OF(fetch_sub),
                               OPERATION_OF(exchange), OPERATION_OF(compare_swap)};

static void *child(void *arg)
{
    tested.use(1);
    return arg;
}

int main(void)
{
    pthread_t thread = spawn(child);

    tested.use(0);
    join(thread);
    assert(tested.is_right());
    return 0;
}
