/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fft - transforms a vector and transforms it back, butterflies dealt out to two
 * processors (SCT study, row 47: splash2.fft).
 *
 * Threads, claim, defect, fix: splash.h.  The numbers are those modulo 257, of
 * which 3 generates all but 0, so that the way back gives exactly what was there.
 * Done twice, for about the study's number of points. */
#include "../program.h"
#include "splash.h"

enum { REPEATS = 2, STAGES = 4, POINTS = 1 << STAGES, MODULUS = 257, GENERATOR = 3 };

static int values[POINTS];

static int power(int base, int exponent)
{
    int result = 1;

    for (int i = 0; i < exponent; i++)
        result = result * base % MODULUS;
    return result;
}

/* One stage: pairs that are `half` apart; undone by undo_stage. */
static void stage(int processor, int half)
{
    int root = power(GENERATOR, (MODULUS - 1) / (2 * half));

    for (int i = processor; i < POINTS / 2; i += PROCESSORS) {
        int low = i / half * 2 * half + i % half;
        int a = values[low], b = values[low + half];

        values[low] = (a + b) % MODULUS;
        values[low + half] = (a - b + MODULUS) * power(root, i % half) % MODULUS;
    }
    barrier_wait(&phase);
}

static void undo_stage(int processor, int half)
{
    int root = power(GENERATOR, (MODULUS - 1) - (MODULUS - 1) / (2 * half));
    int halved = (MODULUS + 1) / 2; /* times 2 it is 1 */

    for (int i = processor; i < POINTS / 2; i += PROCESSORS) {
        int low = i / half * 2 * half + i % half;
        int sum = values[low], difference = values[low + half] * power(root, i % half) % MODULUS;

        values[low] = (sum + difference) * halved % MODULUS;
        values[low + half] = (sum - difference + MODULUS) * halved % MODULUS;
    }
    barrier_wait(&phase);
}

static void compute(int processor)
{
    for (int i = processor; i < POINTS; i += PROCESSORS)
        values[i] = i;
    barrier_wait(&phase);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int half = POINTS / 2; half > 0; half /= 2)
            stage(processor, half);
        for (int half = 1; half < POINTS; half *= 2)
            undo_stage(processor, half);
    }
    for (int i = processor; i < POINTS; i += PROCESSORS)
        assert(values[i] == i);
}
