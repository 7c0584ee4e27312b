/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of new_bug. */
#include "../litmus.h"

#include <memory>
#include <new>

int main()
{
    try {
        std::unique_ptr<volatile int> one(new volatile int(1));
        std::unique_ptr<volatile int[]> many(new volatile int[4]);

        many[0] = 1;
        assert(*one == 1);
    } catch (const std::bad_alloc &) {
    }
    volatile int *quiet = new (std::nothrow) volatile int;

    if (quiet != nullptr)
        *quiet = 1;
    delete quiet;
}
