/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_fp_mxcsr.c - the register MXCSR belongs to the thread, also where the program sets it by an
 * instruction rather than by a function. */
#include <immintrin.h>
#include <sched.h>

#include "../conform.h"

#ifndef CODE
#define CODE
#endif

enum { ROUNDING = 0x6000, UP = 0x4000, DOWN = 0x2000 };

CODE static unsigned rounding(void)
{
    return _mm_getcsr() & ROUNDING;
}

CODE static void round_to(unsigned mode)
{
    _mm_setcsr((_mm_getcsr() & ~(unsigned)ROUNDING) | mode);
}

CODE static void *worker(void *arg)
{
    IS(rounding(), UP);
    round_to(DOWN);
    sched_yield();
    IS(rounding(), DOWN);
    return arg;
}

CODE int main(void)
{
#ifdef NEEDED
    if (!__builtin_cpu_supports(NEEDED))
        return 0;
#endif
    IS(rounding(), 0);
    round_to(UP);
    pthread_t t = start(worker, NULL);
    sched_yield();
    IS(rounding(), UP);
    finish(t);
    return 0;
}
