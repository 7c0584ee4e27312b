/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_local - a static variable of a function is made once, and a thread that finds it made
 * comes after that; with a plain flag instead, not. */
#include <cstring>
#include <thread>

namespace {

const char *variant = "";
int *volatile by_hand;

struct object {
    object() { *const_cast<volatile int *>(&value) = 42; }
    int value;
};

int made_once()
{
    static object it;

    return *const_cast<volatile int *>(&it.value);
}

int made_by_hand()
{
    static int value;

    if (by_hand == nullptr)
        by_hand = &value;
    return *by_hand;
}

void work()
{
    (void)(std::strcmp(variant, "flag") == 0 ? made_by_hand() : made_once());
}

} // namespace

int main(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
    std::thread one(work), other(work);

    one.join();
    other.join();
    return 0;
}
