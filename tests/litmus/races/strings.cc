/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strings - the bytes of a std::string are written by code of the library that is not
 * instrumented: a race there counts all the same. */
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

int main(int argc, char **argv)
{
    bool locked = argc > 1 && std::strcmp(argv[1], "locked") == 0;
    std::string text;
    std::mutex m;
    auto work = [&] {
        std::unique_lock<std::mutex> lock(m, std::defer_lock);

        if (locked)
            lock.lock();
        text.append("some more words, too many for the object itself");
    };
    std::thread one(work), other(work);

    one.join();
    other.join();
    return 0;
}
