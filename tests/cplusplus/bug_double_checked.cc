/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bug_double_checked.cc - double-checked initialisation that sets the flag before the
 * object is ready.
 * Expect: assertion */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<bool> ready;
static std::atomic<int> value;
static std::mutex m;

static void worker()
{
    if (!ready) {
        std::lock_guard<std::mutex> hold(m);
        if (!ready) {
            ready = true;
            value = 42;
        }
    }
    assert(value == 42);
}

int main()
{
    std::thread t(worker);

    worker();
    t.join();
}
