/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_mutex.cc - std::shared_mutex and std::shared_timed_mutex: readers share,
 * writers exclude. */
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::shared_timed_mutex timed;
static int x, y;

int main()
{
    timed.lock();
    std::thread t([] {
        {
            std::unique_lock<std::shared_mutex> hold(m);
            x++;
            y++;
        }
        assert(!timed.try_lock());
        assert(!timed.try_lock_shared_for(std::chrono::milliseconds(1)));
    });
    {
        std::shared_lock<std::shared_mutex> hold(m);
        assert(x == y);
    }
    t.join();
    timed.unlock();
    assert(m.try_lock_shared());
    m.unlock_shared();
}
