/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bug_forgotten_join.cc - a joinable std::thread is destroyed when an exception skips
 * its join.
 * Expect: abort */
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<bool> done;

int main()
{
    try {
        std::thread t([] { done = true; });

        if (!done)
            throw std::runtime_error("not yet");
        t.join();
    } catch (const std::exception &) {
        return 0;
    }
}
