/* SPDX-License-Identifier: BSD-2-Clause
 *
 * call_once_throws.cc - a run of std::call_once that throws does not count: the
 * exception passes through, and the next caller runs it. */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int tries;

static void worker()
{
    try {
        std::call_once(flag, [] {
            if (++tries == 1)
                throw 1;
        });
    } catch (int) {
    }
}

int main()
{
    std::thread t(worker);

    worker();
    t.join();
    assert(tries == 2);
}
