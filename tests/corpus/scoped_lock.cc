/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scoped_lock - std::scoped_lock of two mutexes, named in opposite orders: it backs off
 * and tries again, for ever in the worst case.
 *
 * Claim: no increment is lost.  True; but the interleavings have no end. */
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
