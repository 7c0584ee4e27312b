/* SPDX-License-Identifier: BSD-2-Clause
 *
 * containers.cc - containers and shared pointers allocate on one thread and free on
 * another. */
#include <cassert>
#include <map>
#include <memory>
#include <string>
#include <thread>

int main()
{
    auto shared = std::make_shared<std::map<int, std::string>>();

    (*shared)[1] = "a word too long for the small string buffer";
    std::weak_ptr<std::map<int, std::string>> weak = shared;
    std::thread t([mine = shared]() mutable {
        assert(mine->size() == 1);
        mine.reset();
    });
    shared.reset();
    t.join();
    assert(weak.expired());
}
