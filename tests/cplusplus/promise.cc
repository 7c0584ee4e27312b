/* SPDX-License-Identifier: BSD-2-Clause
 *
 * promise.cc - std::promise and std::packaged_task hand values between threads. */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread t([&] { promise.set_value(7); });

    assert(future.get() == 7);
    t.join();
    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    std::future<int> result = task.get_future();
    std::thread u(std::move(task), 4);
    result.wait();
    u.join();
    assert(result.get() == 5);
}
