/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random_device.cc - std::random_device gives numbers, and the same ones in every
 * execution, so that the course that depends on them repeats. */
#include <mutex>
#include <random>
#include <thread>

static std::mutex m;

static void worker()
{
    std::lock_guard<std::mutex> hold(m);
}

int main()
{
    std::random_device device;
    std::mt19937 engine(device());
    std::thread t(worker);

    for (unsigned i = engine() % 3; i > 0; i--)
        worker();
    t.join();
}
