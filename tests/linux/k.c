/* SPDX-License-Identifier: BSD-2-Clause
 *
 * k.c - two threads append to a file of the module's file system. */
#include "seeded_test.h"

#include <sys/mount.h>
#include <sys/stat.h>

static int first, second;

static void setup(void)
{
    seeded_setup();
    mkdir("/tmp/fs", 0700);
    hd_kernel_check(mount("none", "/tmp/fs", "seeded", 0, NULL) == 0);
    first = open("/tmp/fs/log", O_WRONLY);
    second = open("/tmp/fs/log", O_WRONLY);
}

static void writes(void) { hd_call(write(first, "abcd", 4)); }
static void writes_too(void) { hd_call(write(second, "efgh", 4)); }

static void check(void)
{
    struct stat st = { 0 };

    fstat(first, &st);
    hd_kernel_check(st.st_size == 8);
    close(first);
    close(second);
    hd_kernel_check(umount("/tmp/fs") == 0);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { writes, writes_too }, .check = check };
