/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rtm.cc - oneTBB's speculative_spin_mutex (rtm_mutex): 2 or 3 threads raise two numbers that are always equal.
 *
 *     rtm LOCK THREADS      LOCK: mutex; try: all but one thread use try_acquire
 *
 * Whether the processor has transactions is found out by oneTBB's own code, from cpuid. */
#include <cstring>
#include <pthread.h>

#include <oneapi/tbb/spin_mutex.h>

#include "governor.h"
#include "misc.h"

#include <heddle/heddle.h>

/* What starts the library, and may set its variables; the rest of the library is not used. */
class tbb::detail::r1::__TBB_InitOnce {
public:
    static void find_features()
    {
        detect_cpu_features(governor::cpu_features);
    }
};

static tbb::speculative_spin_mutex mutex;
static long guarded[2];

static void add_one()
{
    heddle_assert(guarded[0] == guarded[1]);
    guarded[0]++;
    guarded[1]++;
}

static void *lock_it(void *arg)
{
    tbb::speculative_spin_mutex::scoped_lock taken(mutex);

    add_one();
    return arg;
}

static void *try_to_lock_it(void *arg)
{
    tbb::speculative_spin_mutex::scoped_lock taken;

    if (taken.try_acquire(mutex))
        add_one();
    return arg;
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? argv[2][0] - '0' : 0;
    bool tries = n != 0 && std::strcmp(argv[1], "try") == 0;
    pthread_t thread[3];

    if (n < 2 || n > 3 || (!tries && std::strcmp(argv[1], "mutex") != 0))
        return 64;
    tbb::detail::r1::__TBB_InitOnce::find_features();
    heddle_assert(tbb::detail::r1::governor::speculation_enabled());
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], nullptr, tries && i > 0 ? try_to_lock_it : lock_it, nullptr);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], nullptr);
    heddle_assert(guarded[0] == guarded[1] && guarded[0] >= 1);
    heddle_assert(tries || guarded[0] == n);
    return 0;
}
