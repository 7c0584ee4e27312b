/* SPDX-License-Identifier: BSD-2-Clause
 *
 * l.c - an object is used while its last reference is dropped. */
#include "seeded_test.h"

static long value;

static void setup(void)
{
    seeded_setup();
    hd_kernel_check(ioctl(device, SEEDED_NAME) == 0);
}

static void drops(void) { hd_call(ioctl(device, SEEDED_DROP)); }

static void uses(void)
{
    value = hd_call(ioctl(device, SEEDED_USE));
    value = value == -1 ? -errno : value;
}

static void check(void) { hd_kernel_check(value == SEEDED_OBJECT || value == -ENOENT); }

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { drops, uses }, .check = check };
