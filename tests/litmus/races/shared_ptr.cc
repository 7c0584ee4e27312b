/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_ptr - the last owner destroys the object after all that the others did with
 * it; but the pointer itself is an object like any other. */
#include <memory>
#include <string>
#include <thread>

namespace {

struct node {
    int value = 0;
    ~node() { value = -1; }
};

std::shared_ptr<node> global;

} // namespace

int main(int argc, char **argv)
{
    bool races = argc > 1 && std::string(argv[1]) == "same-pointer";
    auto first = std::make_shared<node>();
    auto second = first;

    global = first;
    std::thread one([mine = std::move(first), races]() mutable {
        int seen = mine->value;

        (void)seen;
        if (races)
            global.reset();
        mine.reset();
    });
    std::thread other([mine = std::move(second), races]() mutable {
        if (races)
            mine = global;
        mine.reset();
    });
    if (!races)
        global.reset();
    one.join();
    other.join();
    return 0;
}
