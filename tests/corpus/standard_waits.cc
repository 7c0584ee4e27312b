/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard_waits - the ways to wait of C++20, by argument: latch, barrier, semaphore, atomic_wait,
 * stop_token, promise (an exception through it), call_once (throws at first), thread_local_objects
 * (their destructors), async (and shared_mutex), not_notified (an atomic wait that no thread
 * notifies), timed_acquire, static_local, atomic_shared_ptr, uncaught (an exception), shared_ptr.
 *
 * Claim: no assertion fails and all threads end.  False for not_notified and uncaught only.
 * All are one program: compiling the headers takes longer than all searches together. */
#undef NDEBUG
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

static void latch()
{
    std::latch latch(2);
    int a = 0, b = 0;
    std::jthread first([&] { a = 1; latch.count_down(); });
    std::jthread second([&] { b = 1; latch.arrive_and_wait(); assert(a == 1); });

    latch.wait();
    assert(a + b == 2);
}

static void barrier()
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

static void semaphore()
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

static void atomic_wait()
{
    std::atomic<int> flag{ 0 };
    int data = 0;
    std::jthread other([&] { flag.wait(0); assert(data == 7); });

    data = 7;
    flag.store(1);
    flag.notify_one();
}

static void stop_token()
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

static void promise()
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

static void call_once()
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

std::atomic<int> sum{ 0 };
struct counted {
    int value;
    ~counted() { sum += value; }
};
thread_local counted mine{ 0 };

static void thread_local_objects()
{
    {
        std::jthread first([] { mine.value = 1; }), second([] { mine.value = 2; });
    }
    assert(sum == 3);
}

static void async()
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

static void not_notified()
{
    std::atomic<int> flag{ 0 };
    std::jthread other([&] { flag.wait(0); });

    flag.store(1);
}

static void timed_acquire()
{
    std::binary_semaphore semaphore(0);
    std::jthread other([&] { semaphore.release(); });

    if (!semaphore.try_acquire_for(std::chrono::milliseconds(10)))
        semaphore.acquire();
}

std::atomic<int> made{ 0 };
struct static_object {
    static_object() { made++; }
};

static static_object &get()
{
    static static_object only;

    return only;
}

static void static_local()
{
    {
        std::jthread first([] { get(); }), second([] { get(); });
    }
    assert(made == 1);
}

static void atomic_shared_ptr()
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

static void uncaught()
{
    std::atomic<int> x{ 0 };
    std::thread other([&] {
        if (x.load() == 1)
            throw 1;
    });

    x = 1;
    other.join();
}

static int destroyed;
struct shared_object {
    int value = 0;
    ~shared_object() { destroyed++; }
};

static void shared_ptr()
{
    {
        auto shared = std::make_shared<shared_object>();
        std::jthread first([copy = shared] { (void)copy->value; });
        std::jthread second([copy = shared] { (void)copy->value; });
        shared.reset();
    }
    assert(destroyed == 1);
}

static const struct {
    const char *name;
    void (*run)();
} cases[] = {
    { "latch", latch },
    { "barrier", barrier },
    { "semaphore", semaphore },
    { "atomic_wait", atomic_wait },
    { "stop_token", stop_token },
    { "promise", promise },
    { "call_once", call_once },
    { "thread_local_objects", thread_local_objects },
    { "async", async },
    { "not_notified", not_notified },
    { "timed_acquire", timed_acquire },
    { "static_local", static_local },
    { "atomic_shared_ptr", atomic_shared_ptr },
    { "uncaught", uncaught },
    { "shared_ptr", shared_ptr },
};

int main(int argc, char **argv)
{
    for (const auto &one : cases) {
        if (argc > 1 && std::strcmp(argv[1], one.name) == 0) {
            one.run();
            return 0;
        }
    }
    return 2;
}
