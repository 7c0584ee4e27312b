/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_local.cc - the guard of a static local object: two threads come at once, it is
 * made once, and its maker may block meanwhile. */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int made;

struct slow {
    int value;
    slow()
    {
        std::lock_guard<std::mutex> hold(m);
        made++;
        value = 42;
    }
};

static int get()
{
    static slow object;

    return object.value;
}

int main()
{
    std::thread t([] { assert(get() == 42); });

    assert(get() == 42);
    t.join();
    assert(made == 1);
}
