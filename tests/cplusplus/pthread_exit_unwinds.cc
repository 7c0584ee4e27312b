/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pthread_exit_unwinds.cc - pthread_exit unwinds C++ frames: destructors run, and catch
 * (...) sees it and lets it pass. */
#include <cassert>
#include <pthread.h>

static int destroyed, caught;

struct guard {
    ~guard() { destroyed++; }
};

static void *worker(void *arg)
{
    guard outer;

    try {
        guard inner;
        pthread_exit(arg);
    } catch (...) {
        caught++;
        throw;
    }
}

int main()
{
    pthread_t t;
    void *value;

    assert(pthread_create(&t, nullptr, worker, &caught) == 0);
    assert(pthread_join(t, &value) == 0);
    assert(value == &caught && destroyed == 2 && caught == 1);
}
