/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_wait.cc - C++20 atomic wait and notify, a latch and a counting semaphore.
 * Compiler: -std=gnu++20 */
#include <atomic>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::atomic<int> flag;
static std::latch both(2);
static std::counting_semaphore<2> units(0);

int main()
{
    std::thread t([] {
        flag.store(1);
        flag.notify_one();
        units.release();
        both.count_down();
    });

    flag.wait(0);
    assert(flag == 1);
    units.acquire();
    both.arrive_and_wait();
    t.join();
}
