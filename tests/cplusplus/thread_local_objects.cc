/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_local_objects.cc - thread_local objects are made on first use in each thread
 * and destroyed at its end, before the join returns. */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int made, destroyed;

struct counted {
    int id;
    explicit counted(int n) : id(n)
    {
        std::lock_guard<std::mutex> hold(m);
        made++;
    }
    ~counted()
    {
        std::lock_guard<std::mutex> hold(m);
        destroyed++;
    }
};

static thread_local counted object(5);
static thread_local int plain = 3;

static void worker()
{
    assert(plain == 3);
    plain = object.id;
}

int main()
{
    std::thread t(worker);

    t.join();
    assert(made == 1 && destroyed == 1);
    assert(plain == 3);
    worker();
    assert(made == 2 && destroyed == 1);
}
