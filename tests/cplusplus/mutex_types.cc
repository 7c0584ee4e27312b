/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_types.cc - recursive and timed mutexes, scoped_lock over two, try_lock. */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::mutex a, b;
static int x;

int main()
{
    recursive.lock();
    recursive.lock();
    timed.lock();
    std::thread t([] {
        assert(!recursive.try_lock());
        assert(!timed.try_lock_for(std::chrono::milliseconds(1)));
        std::scoped_lock hold(b, a);
        x++;
    });
    {
        std::scoped_lock hold(a, b);
        x++;
    }
    t.join();
    recursive.unlock();
    recursive.unlock();
    timed.unlock();
    assert(x == 2);
}
