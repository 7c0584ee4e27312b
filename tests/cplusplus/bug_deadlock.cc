/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bug_deadlock.cc - two lock guards in opposite orders (std::scoped_lock over both would
 * be right).
 * Expect: deadlock */
#include <mutex>
#include <thread>

static std::mutex a, b;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> first(b);
        std::lock_guard<std::mutex> second(a);
    });
    {
        std::lock_guard<std::mutex> first(a);
        std::lock_guard<std::mutex> second(b);
    }
    t.join();
}
