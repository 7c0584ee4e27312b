/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jthread.cc - std::jthread joins by itself; its stop token is seen.
 * Compiler: -std=gnu++20 */
#include <cassert>
#include <stop_token>
#include <thread>

static bool stopped;

int main()
{
    {
        std::jthread t([](std::stop_token token) {
            while (!token.stop_requested())
                std::this_thread::yield();
            stopped = true;
        });
    }
    assert(stopped);
}
