/* SPDX-License-Identifier: BSD-2-Clause
 *
 * condition_variable.cc - std::condition_variable with a predicate, and wait_for with
 * time-out. */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready, seen;

int main()
{
    std::thread t([] {
        std::unique_lock<std::mutex> hold(m);
        c.wait(hold, [] { return ready; });
        seen = true;
        c.notify_one();
    });
    {
        std::lock_guard<std::mutex> hold(m);
        ready = true;
    }
    c.notify_one();
    {
        std::unique_lock<std::mutex> hold(m);
        bool in_time = c.wait_for(hold, std::chrono::milliseconds(5), [] { return seen; });
        assert(in_time == seen);
    }
    t.join();
    assert(seen);
}
