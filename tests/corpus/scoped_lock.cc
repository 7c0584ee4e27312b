/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scoped_lock - std::scoped_lock of two mutexes, named in opposite orders: it backs off
 * and tries again, forever if both do so in step.
 *
 * Claim: both threads end.  Not under every fair scheduler. */
#include <mutex>
#include <thread>

int main()
{
    std::mutex a, b;
    int x = 0;
    std::thread other([&] {
        std::scoped_lock both(a, b);
        x++;
    });
    {
        std::scoped_lock both(b, a);
        x++;
    }
    other.join();
    return x - 2;
}
