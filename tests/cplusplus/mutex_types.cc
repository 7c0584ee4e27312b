/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_types.cc - recursive and timed mutexes, and a try_lock that fails. */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_mutex recursive;
static std::timed_mutex timed;

int main()
{
    recursive.lock();
    recursive.lock();
    timed.lock();
    std::thread t([] {
        assert(!recursive.try_lock());
        assert(!timed.try_lock_for(std::chrono::milliseconds(1)));
    });
    t.join();
    recursive.unlock();
    recursive.unlock();
    timed.unlock();
}
