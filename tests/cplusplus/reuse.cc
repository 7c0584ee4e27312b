/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reuse.cc - a function with synchronisation objects of its own is called twice. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static int calls;

static __attribute__((noinline)) void hand_over()
{
    std::mutex m;
    std::condition_variable c;
    std::shared_mutex s;
    std::once_flag once;
    bool ready = false;
    std::thread t([&] {
        std::lock_guard<std::mutex> hold(m);
        ready = true;
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> hold(m);
        c.wait(hold, [&] { return ready; });
    }
    t.join();
    std::shared_lock<std::shared_mutex> shared(s);
    std::call_once(once, [] { calls++; });
}

int main()
{
    hand_over();
    hand_over();
    assert(calls == 2);
    return 0;
}
