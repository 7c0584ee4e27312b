/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seeded_test.h - for the tests of the module (module/).  broken.c or fixed.c chooses the variant. */
#ifndef SEEDED_TEST_H
#define SEEDED_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <heddle/kernel.h>

#include "module/seeded.h"

extern const int seeded_fixed;

static int device = -1;

/* The module in the state before a test. */
static inline void seeded_setup(void)
{
    if (device == -1)
        device = open("/dev/seeded", O_RDWR | O_CLOEXEC);
    if (device == -1 || ioctl(device, SEEDED_FIXED, (long)seeded_fixed) != 0 || ioctl(device, SEEDED_RESET) != 0)
        hd_kernel_fail("the module is not there");
}

#endif
