/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scoped_lock.cc - std::scoped_lock over two mutexes named in opposite orders. It backs
 * off and tries again, without end in unfair schedules: hence the bound.
 * Options: --strategy ipb --bound 1 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int x;

int main()
{
    std::thread t([] {
        std::scoped_lock hold(b, a);
        x++;
    });
    {
        std::scoped_lock hold(a, b);
        x++;
    }
    t.join();
    assert(x == 2);
}
