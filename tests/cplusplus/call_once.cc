/* SPDX-License-Identifier: BSD-2-Clause
 *
 * call_once.cc - std::call_once from two threads: one run, and who returns sees its
 * effect. */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int runs;

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
}
