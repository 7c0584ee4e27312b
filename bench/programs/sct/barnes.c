/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barnes - bodies that attract each other: in each step two processors put their
 * bodies into one tree, cell by cell under a lock, and then move them by what the
 * tree says (SCT study, row 46: splash2.barnes).
 *
 * Threads, claim, defect, fix: splash.h.  One dimension in place of three, and a
 * tree of fixed depth; bodies and steps give about the study's number of points. */
#include "../program.h"
#include "splash.h"

enum { STEPS = 8, BODIES = 48, DEPTH = 5, CELLS = 1 << DEPTH, WIDTH = 1 << (DEPTH + 3) };

static pthread_mutex_t cell_lock = PTHREAD_MUTEX_INITIALIZER;
static int mass[CELLS]; /* cell 1 is all, 2c and 2c+1 are the halves of c */
static int position[BODIES];

static void add_to_cell(int cell)
{
    pthread_mutex_lock(&cell_lock);
    mass[cell]++;
    pthread_mutex_unlock(&cell_lock);
}

static void insert(int body)
{
    int cell = 1, low = 0, width = WIDTH;

    while (cell < CELLS) {
        add_to_cell(cell);
        width /= 2;
        cell *= 2;
        if (position[body] >= low + width) {
            cell++;
            low += width;
        }
    }
}

/* One towards the half in which there is more. */
static void move(int body)
{
    position[body] += mass[2] < mass[3] ? 1 : -1;
    position[body] = (position[body] + WIDTH) % WIDTH;
}

static void clear(int processor)
{
    for (int cell = processor; cell < CELLS; cell += PROCESSORS)
        mass[cell] = 0;
}

static void compute(int processor)
{
    for (int body = processor; body < BODIES; body += PROCESSORS)
        position[body] = body * body % WIDTH;
    barrier_wait(&phase);
    for (int step = 0; step < STEPS; step++) {
        clear(processor);
        barrier_wait(&phase);
        for (int body = processor; body < BODIES; body += PROCESSORS)
            insert(body);
        barrier_wait(&phase);
        for (int body = processor; body < BODIES; body += PROCESSORS)
            move(body);
        barrier_wait(&phase);
    }
    assert(position[processor] >= 0);
}
