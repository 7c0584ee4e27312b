/* SPDX-License-Identifier: BSD-2-Clause
 *
 * create.c - directories: of two exclusive creations of a file, one succeeds. */
#include <fcntl.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int created[2];

static void setup(void)
{
    unlink("/tmp/name");
    created[0] = created[1] = 0;
}

static void creates(int who)
{
    int fd = (int)hd_call(open("/tmp/name", O_CREAT | O_EXCL | O_WRONLY, 0600));

    created[who] = fd >= 0;
    if (fd >= 0)
        close(fd);
}

static void first(void) { creates(0); }
static void second(void) { creates(1); }
static void check(void) { hd_kernel_check(created[0] + created[1] == 1); }

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { first, second }, .check = check };
