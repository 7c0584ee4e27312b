/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_stream.cc - two threads write to one stream.
 *   HOW 0  a file
 *       1  a string that one thread reads
 *       2  a file, ordered by a mutex: correct
 *       3  a standard stream, which threads may share: correct
 *       4  each thread has a stream: correct */
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

static std::ofstream file("/dev/null");
static std::stringstream text("1 2 3 4");
static std::mutex lock;

static void write(int me)
{
#if HOW == 0
    file << me << '\n';
#elif HOW == 1
    if (me == 1)
        text << me;
    else
        text >> me;
#elif HOW == 2
    std::lock_guard<std::mutex> guard(lock);
    file << "thread " << me << std::endl;
#elif HOW == 3
    std::cout << me;
#else
    std::ostringstream own;
    own << me;
#endif
}

int main()
{
    std::thread other(write, 1);

    write(2);
    other.join();
    return 0;
}
