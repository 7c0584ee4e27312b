/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_uring.c - io_uring: a ring is used while its descriptor is closed. */
#include <linux/io_uring.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int ring;

static void setup(void)
{
    struct io_uring_params p;

    memset(&p, 0, sizeof p);
    ring = (int)syscall(SYS_io_uring_setup, 2, &p);
    hd_kernel_check(ring >= 0);
}

static void enters(void) { hd_call(syscall(SYS_io_uring_enter, ring, 0, 0, 0, 0, 0)); }
static void closes(void) { hd_call(close(ring)); }

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { enters, closes } };
