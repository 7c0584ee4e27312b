/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exceptions.cc - exceptions thrown, caught, rethrown and nested on two threads, with
 * switches while they are in flight. */
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static int unwound;

struct guard {
    ~guard()
    {
        std::lock_guard<std::mutex> hold(m);
        assert(std::uncaught_exceptions() == 1);
        unwound++;
    }
};

static void deep(int n)
{
    if (n == 0)
        throw std::runtime_error("weft");
    guard g;
    deep(n - 1);
}

static void worker()
{
    try {
        try {
            deep(1);
        } catch (const std::exception &) {
            {
                std::lock_guard<std::mutex> hold(m);
            }
            throw;
        }
    } catch (const std::runtime_error &e) {
        assert(std::current_exception() != nullptr);
        assert(e.what()[0] == 'w');
    }
    assert(std::uncaught_exceptions() == 0);
}

int main()
{
    std::thread t(worker);

    worker();
    t.join();
    assert(unwound == 2);
}
