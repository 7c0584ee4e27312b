/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bug_uncaught.cc - an exception leaves a thread in one order: std::terminate aborts the
 * process.
 * Expect: abort */
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> x;

int main()
{
    std::thread t([] {
        if (x == 1)
            throw std::runtime_error("weft");
    });

    x = 1;
    x = 2;
    t.join();
}
