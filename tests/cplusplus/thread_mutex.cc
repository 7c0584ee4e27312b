/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_mutex.cc - std::thread, std::mutex and the lock types protect a counter. */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

static void worker()
{
    std::lock_guard<std::mutex> hold(m);
    x++;
}

int main()
{
    std::thread a(worker), b([] {
        std::unique_lock<std::mutex> hold(m, std::defer_lock);
        hold.lock();
        x++;
    });

    a.join();
    b.join();
    assert(x == 2);
}
