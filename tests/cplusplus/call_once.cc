/* SPDX-License-Identifier: BSD-2-Clause
 *
 * call_once.cc - std::call_once: one run; a run that throws does not count. */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int runs, tries;

static void worker()
{
    std::call_once(flag, [] { runs++; });
    assert(runs == 1);
}

int main()
{
    std::thread t(worker);

    worker();
    t.join();
    std::once_flag second;
    try {
        std::call_once(second, [] {
            tries++;
            throw 1;
        });
    } catch (int) {
    }
    std::call_once(second, [] { tries++; });
    assert(tries == 2);
}
