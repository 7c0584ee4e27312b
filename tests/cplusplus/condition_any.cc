/* SPDX-License-Identifier: BSD-2-Clause
 *
 * condition_any.cc - std::condition_variable_any with a shared lock. */
#include <condition_variable>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::condition_variable_any c;
static bool ready;

int main()
{
    std::thread t([] {
        std::unique_lock<std::shared_mutex> hold(m);
        ready = true;
        c.notify_all();
    });
    {
        std::shared_lock<std::shared_mutex> hold(m);
        while (!ready)
            c.wait(hold);
    }
    t.join();
}
