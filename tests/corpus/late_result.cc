/* SPDX-License-Identifier: BSD-2-Clause
 *
 * late_result.cc - a promise whose value is set when its thread ends.  libstdc++ does that by
 * atomics of its own, which order what the thread has written.
 *   RACE  main reads before it waits */
#include <future>
#include <thread>

int written;

int main()
{
    std::promise<int> promise;
    std::future<int> result = promise.get_future();
    std::thread other([&] {
        written = 7;
        promise.set_value_at_thread_exit(7);
    });
#ifdef RACE
    int seen = written;
    int got = result.get();
#else
    int got = result.get();
    int seen = written;
#endif
    other.join();
    return got == 7 && (seen == 7 || seen == 0) ? 0 : 1;
}
