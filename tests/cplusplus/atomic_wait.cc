/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_wait.cc - C++20 atomic wait and notify, which spin, yield and then wait on a
 * futex.
 * Denied: idle rounds of the loop
 * Compiler: -std=gnu++20 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag;
static int data;

int main()
{
    std::thread t([] {
        data = 42;
        flag.store(1);
        flag.notify_one();
    });

    flag.wait(0);
    assert(data == 42);
    t.join();
}
