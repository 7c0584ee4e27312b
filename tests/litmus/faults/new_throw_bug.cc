/* SPDX-License-Identifier: BSD-2-Clause
 *
 * std::bad_alloc that is not caught ends the program. */
#include "../litmus.h"

int main()
{
    volatile int *p = new volatile int;

    *p = 1;
    delete p;
}
