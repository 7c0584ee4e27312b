/* SPDX-License-Identifier: BSD-2-Clause
 *
 * latch_semaphore.cc - a C++20 latch and a counting semaphore. Their waits spin twelve
 * rounds with a counter, each round a state of its own: hence the bound.
 * Compiler: -std=gnu++20
 * Options: --strategy ipb --bound 1 */
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch both(2);
static std::counting_semaphore<2> units(0);
static int x;

int main()
{
    std::thread t([] {
        x = 1;
        units.release();
        both.arrive_and_wait();
    });

    units.acquire();
    assert(x == 1);
    both.arrive_and_wait();
    t.join();
}
