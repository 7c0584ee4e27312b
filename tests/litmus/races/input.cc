/* SPDX-License-Identifier: BSD-2-Clause
 *
 * input - two threads read from streams of their own into the same memory, which code of the C++ library writes:
 * without a lock a race, with one none.  "ended": the streams are at their end, so nothing is stored, and
 * nothing races. */
#include <charconv>
#include <cstring>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

struct Memory {
    std::string text;
    int number = 0;
    double real = 0;
    char letter = 0, line[20] = "";
};

static void read_one(const char *what, std::istringstream &in, Memory &m)
{
    if (!std::strcmp(what, "getline"))
        std::getline(in, m.text);
    else if (!std::strcmp(what, "word"))
        in >> m.text;
    else if (!std::strcmp(what, "number"))
        in >> m.number;
    else if (!std::strcmp(what, "real"))
        in >> m.real;
    else if (!std::strcmp(what, "letter"))
        in.get(m.letter);
    else if (!std::strcmp(what, "line"))
        in.getline(m.line, sizeof m.line);
    else if (!std::strcmp(what, "converts"))
        std::from_chars("1.5", "1.5" + 3, m.real);
}

int main(int argc, char **argv)
{
    bool locked = argc > 2 && !std::strcmp(argv[2], "locked"), ended = argc > 2 && !std::strcmp(argv[2], "ended");
    Memory memory;
    std::mutex m;
    auto work = [&] {
        std::istringstream in(ended ? " " : "12 34\n");
        std::unique_lock<std::mutex> lock(m, std::defer_lock);

        if (ended)
            in.get();
        if (locked)
            lock.lock();
        read_one(argv[1], in, memory);
    };
    std::thread one(work), other(work);

    one.join();
    other.join();
    return 0;
}
