/* SPDX-License-Identifier: BSD-2-Clause
 *
 * release_sequence - a release store, then a relaxed store of the same thread, which the
 * other thread reads.
 *
 * Claim: the data are ordered.  True until C++17; since C++20 the relaxed store ends the
 * release sequence (P0982), and the two accesses race. */
#include <atomic>
#include <thread>

int data;
std::atomic<int> flag;

int main()
{
    std::thread other([] {
        data = 1;
        flag.store(1, std::memory_order_release);
        flag.store(2, std::memory_order_relaxed);
    });

    if (flag.load(std::memory_order_acquire) == 2)
        data = 2;
    other.join();
}
