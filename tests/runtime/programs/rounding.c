/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rounding.c - each thread has its own rounding mode; a new thread has its
 * creator's; the next execution starts with the default. */
#include <fenv.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void turn(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *upward(void *arg)
{
    volatile double one = 1, three = 3;
    volatile long double x = 1, y = 3;

    assert(fegetround() == FE_TONEAREST);
    double near = one / three;

    turn();
    fesetround(FE_UPWARD);
    turn();
    assert(fegetround() == FE_UPWARD && one / three > near);
    assert(x / y > (long double)near);
    turn();
    return arg; /* leaves it upward */
}

static void *nearest(void *arg)
{
    volatile double one = 1, three = 3;
    double near = one / three;

    for (int i = 0; i < 3; i++) {
        turn();
        assert(fegetround() == FE_TONEAREST && one / three == near);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    assert(fegetround() == FE_TONEAREST);
    pthread_create(&a, NULL, upward, NULL);
    pthread_create(&b, NULL, nearest, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(fegetround() == FE_TONEAREST);
    fesetround(FE_TOWARDZERO);
    return 0;
}
