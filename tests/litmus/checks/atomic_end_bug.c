/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle_atomic_end without a beginning. */
#include <heddle/heddle.h>

#include "../litmus.h"

int main(void)
{
    heddle_atomic_begin();
    heddle_atomic_end();
    heddle_atomic_end();
}
