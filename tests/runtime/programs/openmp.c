/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp - two threads of OpenMP count, in a critical section; with -DRACY outside of it. */
#include <assert.h>

int main(void)
{
    int sum = 0;

#pragma omp parallel num_threads(2)
    {
#ifndef RACY
#pragma omp critical
#endif
        sum++;
    }
    assert(sum == 2);
    return 0;
}
