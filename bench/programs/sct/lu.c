/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lu - factors a matrix into a lower and an upper one, columns dealt out to two
 * processors (SCT study, row 48: splash2.lu).
 *
 * Threads, claim, defect, fix: splash.h.  The size of the matrix gives about the
 * study's number of points. */
#include "../program.h"
#include "splash.h"

enum { SIZE = 8 };

static double matrix[SIZE][SIZE];

static bool mine(int processor, int column)
{
    return column % PROCESSORS == processor;
}

static void fill(int column)
{
    for (int row = 0; row < SIZE; row++)
        matrix[row][column] = row == column ? 2 * SIZE : (row + column) % 3;
}

static void divide_below(int pivot)
{
    for (int row = pivot + 1; row < SIZE; row++)
        matrix[row][pivot] /= matrix[pivot][pivot];
}

static void update(int pivot, int column)
{
    for (int row = pivot + 1; row < SIZE; row++)
        matrix[row][column] -= matrix[row][pivot] * matrix[pivot][column];
}

static void compute(int processor)
{
    for (int column = 0; column < SIZE; column++)
        if (mine(processor, column))
            fill(column);
    barrier_wait(&phase);
    for (int pivot = 0; pivot < SIZE; pivot++) {
        if (mine(processor, pivot))
            divide_below(pivot);
        barrier_wait(&phase);
        for (int column = pivot + 1; column < SIZE; column++)
            if (mine(processor, column))
                update(pivot, column);
        barrier_wait(&phase);
    }
}
