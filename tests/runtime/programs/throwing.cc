/* SPDX-License-Identifier: BSD-2-Clause
 *
 * throwing.cc - exceptions with switches in their handlers, destructors of
 * thread_local objects, std::async, contended static locals. */
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "state.h"

static std::mutex mutex;
static int built, ended, caught;

struct Local {
    std::string text = "new";
    Local()
    {
        std::lock_guard<std::mutex> hold(mutex);
        built++;
    }
    ~Local()
    {
        std::lock_guard<std::mutex> hold(mutex);
        assert(text == "used");
        ended++;
    }
};

static thread_local Local local;

static int guarded()
{
    static const int value = [] {
        std::lock_guard<std::mutex> hold(mutex);
        return ++caught * 100;
    }();
    return value;
}

static void thrower(int id)
{
    assert(local.text == "new");
    local.text = "used";
    assert(guarded() == 100);
    try {
        try {
            throw std::runtime_error(std::to_string(id));
        } catch (const std::exception &e) {
            std::lock_guard<std::mutex> hold(mutex);

            assert(e.what() == std::to_string(id));
            caught++;
            throw;
        }
    } catch (const std::runtime_error &e) {
        {
            std::lock_guard<std::mutex> hold(mutex);
        }
        assert(e.what() == std::to_string(id));
        assert(std::current_exception() != nullptr);
    }
    assert(std::current_exception() == nullptr);
}

int main()
{
    assert(built == 0 && ended == 0 && caught == 0);
    std::thread a(thrower, 1), b(thrower, 2);
    std::future<int> f = std::async(std::launch::async, [] {
        if (guarded() != 100)
            return 1;
        throw 7;
    });

    a.join();
    b.join();
    try {
        f.get();
        assert(false);
    } catch (int value) {
        assert(value == 7);
    }
    assert(built == 2 && ended == 2 && caught == 3);
    return 0;
}
