/* SPDX-License-Identifier: BSD-2-Clause
 *
 * constructors.cc - objects that were built before main, on the heap, are as
 * they were built. */
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "state.h"

static std::mutex mutex;
static std::vector<int> numbers = { 1, 2, 3 };
static std::map<std::string, std::unique_ptr<std::string>> names;
static std::string text(5000, 'x');
static int destroyed;

struct Fill {
    Fill()
    {
        for (int i = 0; i < 50; i++)
            names[std::to_string(i)] = std::make_unique<std::string>(100, 'a' + i % 26);
    }
    ~Fill() { destroyed++; }
} static fill;

static void change(int from)
{
    for (int i = from; i < 50; i += 2) {
        std::lock_guard<std::mutex> hold(mutex);

        assert(*names.at(std::to_string(i)) == std::string(100, 'a' + i % 26));
        if (i % 3 == 0)
            names.erase(std::to_string(i));
        else
            names[std::to_string(i)]->append(1000, 'z');
        numbers.push_back(i);
        text[i] = 'y';
    }
}

int main()
{
    assert(numbers.size() == 3 && names.size() == 50 && destroyed == 0);
    assert(text == std::string(5000, 'x'));
    std::thread a(change, 0), b(change, 1);

    a.join();
    b.join();
    assert(numbers.size() == 53 && names.size() == 33);
    text.clear();
    text.shrink_to_fit();
    return 0;
}
