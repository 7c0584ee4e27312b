/* SPDX-License-Identifier: BSD-2-Clause
 *
 * streamcluster - the skeleton of a clustering of points: in each of two rounds a
 * group of workers goes through many steps that barriers separate, and in one step
 * the first of them, the master, prepares what the others use (SCT study, rows
 * 40-42: parsec.streamcluster, 2 and 3; BUG = 1, 2, 3).
 *
 * Claim: BUG 1, the table that the master makes is there; 2, the sum of the round
 * is right at the end; 3, the number of centres that the master has lowered fits
 * the array.  Defect of all: the master prepares after the barrier and the others
 * use right after the same one, so that it goes wrong when another than the master
 * leaves the barrier first.  What is prepared races and is visible. In 1 and 2 the
 * master starts the others, so that without a preemption it is the last to come and
 * the first to leave; in 3 main starts all, and the step is the last of its round: in the
 * study a search from the end backward (dfs) finds it at once.
 * BUG 2 has three workers, the others two.
 * Fix: another barrier before the use. */
#include "../program.h"
#include "barrier.h"

#ifndef BUG
#define BUG 1
#endif

enum { ROUNDS = 2, STEPS = 80, PREPARES = BUG == 3 ? STEPS - 1 : STEPS / 2 + 1 };
enum { WORKERS = BUG == 2 ? 3 : 2, CENTRES = 4 };

static struct barrier step_end = BARRIER_OF(WORKERS);
static int cost[WORKERS];
static int *table;                   /* BUG 1 */
static int sum, sum_used;            /* BUG 2 */
static int centres, opened[CENTRES]; /* BUG 3 */

static void begin_round(void)
{
    table = NULL;
    sum = sum_used = 0;
    centres = CENTRES; /* one too many: the master lowers it */
    for (int i = 0; i < WORKERS; i++)
        cost[i] = 0;
}

static void prepare(void)
{
    static int storage[CENTRES];
    int total = 0;

    for (int i = 0; i < WORKERS; i++)
        total += cost[i];
    if (BUG == 1)
        visible_write(table, storage);
    if (BUG == 2)
        visible_write(sum, total);
    if (BUG == 3)
        visible_write(centres, CENTRES - 1);
}

static void use(int worker)
{
    if (BUG == 1) {
        int *t = visible_read(table);

        assert(t != NULL);
        t[worker]++;
    }
    if (BUG == 2 && worker == WORKERS - 1)
        sum_used = visible_read(sum);
    if (BUG == 3) {
        int last = visible_read(centres);

        assert(last < CENTRES);
        opened[last]++;
    }
}

static void *work(void *arg)
{
    int worker = number_of(arg);
    pthread_t others[WORKERS];

    if (BUG != 3 && worker == 0)
        for (int i = 1; i < WORKERS; i++)
            others[i] = spawn_numbered(work, i);
    for (int step = 0; step < STEPS; step++) {
        cost[worker] += step;
        barrier_wait(&step_end);
        if (step != PREPARES)
            continue;
        if (worker == 0)
            prepare();
#ifdef FIXED
        barrier_wait(&step_end);
#endif
        if (worker != 0)
            use(worker);
        barrier_wait(&step_end);
    }
    if (BUG != 3 && worker == 0)
        for (int i = 1; i < WORKERS; i++)
            join(others[i]);
    return NULL;
}

static void cluster(void)
{
    pthread_t workers[WORKERS];
    int started = BUG == 3 ? WORKERS : 1;

    begin_round();
    for (int i = 0; i < started; i++)
        workers[i] = spawn_numbered(work, i);
    for (int i = 0; i < started; i++)
        join(workers[i]);
    if (BUG == 2)
        assert(sum_used == sum);
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++)
        cluster();
    return 0;
}
