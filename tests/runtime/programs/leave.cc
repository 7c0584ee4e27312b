/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leave.cc - pthread_exit runs destructors and passes through catch (...). */
#include <mutex>
#include <thread>

#include "state.h"

static std::mutex mutex;
static int destroyed, caught;
static thread_local int mine = 3;

struct Counts {
    ~Counts()
    {
        std::lock_guard<std::mutex> hold(mutex);
        destroyed++;
    }
};

static void *leaver(void *)
{
    static thread_local Counts local;
    Counts counts;

    assert(mine == 3);
    mine = 4;
    (void)&local;
    try {
        Counts inner;

        pthread_exit(nullptr);
    } catch (...) {
        std::unique_lock<std::mutex> hold(mutex);

        caught++;
        hold.unlock();
        throw;
    }
    return nullptr;
}

int main()
{
    pthread_t thread[2];

    assert(destroyed == 0 && caught == 0 && mine == 3);
    mine = 5;
    for (pthread_t &t : thread)
        pthread_create(&t, nullptr, leaver, nullptr);
    for (pthread_t &t : thread)
        pthread_join(t, nullptr);
    assert(destroyed == 6 && caught == 2);
    Counts counts;

    pthread_exit(nullptr);
}
