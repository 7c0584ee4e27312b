/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp - a reduction (default) or a critical section (CRITICAL) of OpenMP.
 *
 * Claim: the sum is right.  True. */
#undef NDEBUG
#include <assert.h>

int main(void)
{
    int sum = 0;

#ifdef CRITICAL
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum += 3;
    }
#else
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 4; i++)
        sum += i;
#endif
    assert(sum == 6);
    return 0;
}
