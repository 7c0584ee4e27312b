/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp - what OpenMP orders, and what it does not.  The argument names the case.
 *
 * Claim: the assertions hold and there is no data race.  True, but for the cases "race", "nowait",
 * "other_lock" (data races) and "opposite" (a deadlock); with TASKS, "tasks" is right,
 * but what tasks order is not known, so that a race may be one or not. */
#undef NDEBUG
#include <assert.h>
#include <omp.h>
#include <string.h>

static int sum, other, part[8];
static omp_lock_t lock, second;

static void reduction(int threads)
{
    int s = 0;

#pragma omp parallel for reduction(+ : s) num_threads(threads)
    for (int i = 0; i < 4; i++)
        s += i;
    assert(s == 6);
}

static void critical(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum++;
#pragma omp critical(named)
        other++;
    }
    assert(sum == 2 && other == 2);
}

static void barrier(void)
{
#pragma omp parallel num_threads(2)
    {
        int id = omp_get_thread_num();

        part[id] = id + 1;
#pragma omp barrier
        assert(part[1 - id] == 2 - id);
#pragma omp barrier
        part[1 - id] = 0;
    }
    assert(part[0] == 0 && part[1] == 0);
}

static void loops(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            part[i] = i;
#pragma omp single
        sum = part[0] + part[1] + part[2] + part[3];
        assert(sum == 6);
#pragma omp sections
        {
#pragma omp section
            part[0] = 5;
#pragma omp section
            part[1] = 6;
        }
        assert(part[0] + part[1] == 11);
    }
#pragma omp parallel for schedule(guided) num_threads(2)
    for (int i = 0; i < 4; i++)
        part[i]++;
    assert(part[0] == 6);
}

static void locks(void)
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock);
        sum++;
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            sum += 0;
            omp_unset_lock(&lock);
        }
    }
    assert(sum == 2);
    omp_destroy_lock(&lock);
}

static void tasks(void)
{
#ifdef TASKS
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(sum)
        sum = 1;
#pragma omp taskwait
        assert(sum == 1);
    }
#endif
}

static void race(void)
{
#pragma omp parallel num_threads(2)
    sum++;
}

static void nowait(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 2; i++)
            part[i] = i;
        other = part[1 - omp_get_thread_num()];
    }
}

static void other_lock(void)
{
    omp_init_lock(&lock);
    omp_init_lock(&second);
#pragma omp parallel num_threads(2)
    {
        omp_lock_t *l = omp_get_thread_num() == 0 ? &lock : &second;

        omp_set_lock(l);
        sum++;
        omp_unset_lock(l);
    }
}

static void opposite(void)
{
    omp_init_lock(&lock);
    omp_init_lock(&second);
#pragma omp parallel num_threads(2)
    {
        int id = omp_get_thread_num();

        omp_set_lock(id == 0 ? &lock : &second);
        omp_set_lock(id == 0 ? &second : &lock);
        omp_unset_lock(&lock);
        omp_unset_lock(&second);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "reduction";

    if (strcmp(what, "reduction") == 0)
        reduction(2);
    else if (strcmp(what, "many") == 0)
        reduction(6);
    else if (strcmp(what, "critical") == 0)
        critical();
    else if (strcmp(what, "barrier") == 0)
        barrier();
    else if (strcmp(what, "loops") == 0)
        loops();
    else if (strcmp(what, "locks") == 0)
        locks();
    else if (strcmp(what, "tasks") == 0)
        tasks();
    else if (strcmp(what, "race") == 0)
        race();
    else if (strcmp(what, "nowait") == 0)
        nowait();
    else if (strcmp(what, "other_lock") == 0)
        other_lock();
    else if (strcmp(what, "opposite") == 0)
        opposite();
    else
        return 1;
    return 0;
}
