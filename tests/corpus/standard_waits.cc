/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard_waits - the ways to wait of C++20, by CASE: 1 latch, 2 barrier, 3 semaphore,
 * 4 atomic wait, 5 stop token, 6 exception through a promise, 7 call_once that throws at first,
 * 8 destructors of thread_local objects, 9 async and shared_mutex, 10 an atomic wait that
 * no thread notifies, 11 a timed acquire, 12 a static local, 13 an atomic shared_ptr,
 * 14 an uncaught exception, 15 a shared_ptr.
 *
 * Claim: no assertion fails and all threads end.  False for 10 and 14 only. */
#undef NDEBUG
#include <atomic>
#include <cassert>
#include <thread>

#ifndef CASE
#define CASE 1
#endif

#if CASE == 1
#include <latch>

int main()
{
    std::latch latch(2);
    int a = 0, b = 0;
    std::jthread first([&] { a = 1; latch.count_down(); });
    std::jthread second([&] { b = 1; latch.arrive_and_wait(); assert(a == 1); });

    latch.wait();
    assert(a + b == 2);
}
#elif CASE == 2
#include <barrier>

int main()
{
    int done = 0;
    auto completed = [&]() noexcept { done++; };
    std::barrier barrier(2, completed);
    int x[2] = { 0, 0 };
    auto work = [&](int i) {
        x[i] = 1;
        barrier.arrive_and_wait();
        assert(x[1 - i] == 1);
        barrier.arrive_and_wait();
    };
    {
        std::jthread first(work, 0), second(work, 1);
    }
    assert(done == 2);
}
#elif CASE == 3
#include <semaphore>

int main()
{
    std::counting_semaphore<4> semaphore(1);
    std::atomic<int> inside{ 0 };
    auto work = [&] {
        semaphore.acquire();
        assert(++inside == 1);
        --inside;
        semaphore.release();
    };
    std::jthread first(work), second(work);
}
#elif CASE == 4
int main()
{
    std::atomic<int> flag{ 0 };
    int data = 0;
    std::jthread other([&] { flag.wait(0); assert(data == 7); });

    data = 7;
    flag.store(1);
    flag.notify_one();
}
#elif CASE == 5
#include <condition_variable>
#include <mutex>
#include <stop_token>

int main()
{
    std::mutex lock;
    std::condition_variable_any condition;
    bool stopped = false;

    {
        std::jthread other([&](std::stop_token token) {
            std::unique_lock held(lock);
            condition.wait(held, token, [] { return false; });
            stopped = token.stop_requested();
        });
    }
    assert(stopped);
}
#elif CASE == 6
#include <exception>
#include <future>

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::jthread other([&] {
        try {
            throw 5;
        } catch (int) {
            promise.set_exception(std::current_exception());
        }
    });
    bool caught = false;

    try {
        future.get();
    } catch (int number) {
        caught = number == 5;
    }
    assert(caught);
}
#elif CASE == 7
#include <mutex>

int main()
{
    std::once_flag once;
    std::atomic<int> tries{ 0 }, succeeded{ 0 };
    auto work = [&] {
        try {
            std::call_once(once, [&] {
                if (tries++ == 0)
                    throw 1;
                succeeded++;
            });
        } catch (int) {
        }
    };
    {
        std::jthread first(work), second(work);
    }
    assert(succeeded == 1);
    assert(tries == 2);
}
#elif CASE == 8
std::atomic<int> sum{ 0 };
struct counted {
    int value;
    ~counted() { sum += value; }
};
thread_local counted mine{ 0 };

int main()
{
    {
        std::jthread first([] { mine.value = 1; }), second([] { mine.value = 2; });
    }
    assert(sum == 3);
}
#elif CASE == 9
#include <future>
#include <mutex>
#include <shared_mutex>

int main()
{
    std::shared_mutex lock;
    int x = 0;
    auto result = std::async(std::launch::async, [&] {
        std::shared_lock held(lock);
        return x;
    });
    {
        std::unique_lock held(lock);
        x = 1;
    }
    int seen = result.get();

    assert(seen == 0 || seen == 1);
}
#elif CASE == 10
int main()
{
    std::atomic<int> flag{ 0 };
    std::jthread other([&] { flag.wait(0); });

    flag.store(1);
}
#elif CASE == 11
#include <chrono>
#include <semaphore>

int main()
{
    std::binary_semaphore semaphore(0);
    std::jthread other([&] { semaphore.release(); });

    if (!semaphore.try_acquire_for(std::chrono::milliseconds(10)))
        semaphore.acquire();
}
#elif CASE == 12
std::atomic<int> made{ 0 };
struct object {
    object() { made++; }
};

static object &get()
{
    static object only;

    return only;
}

int main()
{
    {
        std::jthread first([] { get(); }), second([] { get(); });
    }
    assert(made == 1);
}
#elif CASE == 13
#include <memory>

int main()
{
    std::atomic<std::shared_ptr<int>> pointer{ std::make_shared<int>(1) };

    {
        std::jthread first([&] { pointer.store(std::make_shared<int>(2)); });
        std::jthread second([&] {
            auto seen = pointer.load();
            assert(*seen == 1 || *seen == 2);
        });
    }
    assert(*pointer.load() == 2);
}
#elif CASE == 14
int main()
{
    std::atomic<int> x{ 0 };
    std::thread other([&] {
        if (x.load() == 1)
            throw 1;
    });

    x = 1;
    other.join();
}
#else
#include <memory>

static int destroyed;
struct object {
    int value = 0;
    ~object() { destroyed++; }
};

int main()
{
    {
        auto shared = std::make_shared<object>();
        std::jthread first([copy = shared] { (void)copy->value; });
        std::jthread second([copy = shared] { (void)copy->value; });
        shared.reset();
    }
    assert(destroyed == 1);
}
#endif
