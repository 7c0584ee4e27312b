/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_thread.cc - a static object starts a thread in its constructor and joins it
 * in its destructor, that is in an exit handler. */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct background {
    std::mutex m;
    std::condition_variable wanted;
    int orders = 0, done = 0;
    bool stop = false;
    std::thread thread;

    background() : thread([this] { run(); }) {}
    ~background()
    {
        {
            std::lock_guard<std::mutex> hold(m);
            stop = true;
        }
        wanted.notify_one();
        thread.join();
        assert(done == 1);
    }
    void run()
    {
        std::unique_lock<std::mutex> hold(m);

        for (;;) {
            wanted.wait(hold, [this] { return orders > 0 || stop; });
            if (orders == 0)
                return;
            orders--;
            done++;
        }
    }
};

static background worker;

int main()
{
    {
        std::lock_guard<std::mutex> hold(worker.m);
        assert(worker.done == 0 && !worker.stop);
        worker.orders++;
    }
    worker.wanted.notify_one();
}
