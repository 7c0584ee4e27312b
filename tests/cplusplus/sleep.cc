/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sleep.cc - std::this_thread: yield, sleep_for, sleep_until, get_id; the steady clock
 * advances.
 * Reduction: several threads read the clock */
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

static std::atomic<bool> ready;

int main()
{
    using namespace std::chrono;
    auto before = steady_clock::now();
    std::thread t([] {
        std::this_thread::sleep_for(milliseconds(1));
        ready = true;
    });

    assert(t.get_id() != std::this_thread::get_id());
    while (!ready)
        std::this_thread::yield();
    t.join();
    assert(steady_clock::now() - before >= milliseconds(1));
    std::this_thread::sleep_until(before + milliseconds(3));
    assert(steady_clock::now() >= before + milliseconds(3));
    assert(std::thread::hardware_concurrency() > 0);
}
