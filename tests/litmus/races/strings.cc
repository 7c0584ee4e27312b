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
    bool reads = argc > 1 && std::strcmp(argv[1], "read") == 0;
    std::string text = "the first words, too many for the object itself";
    std::mutex m;
    auto work = [&] {
        std::unique_lock<std::mutex> lock(m, std::defer_lock);

        if (locked)
            lock.lock();
        text.append("some more words, too many for the object itself");
    };
    volatile char letter; /* in the block that the other thread frees when it makes room */
    std::thread one(work), other;

    if (reads)
        other = std::thread([&, from = text.data()] { letter = from[3]; });
    else
        other = std::thread(work);

    one.join();
    other.join();
    return 0;
}
