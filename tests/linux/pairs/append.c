/* SPDX-License-Identifier: BSD-2-Clause
 *
 * append.c - files: two append to the same file; neither loses what the other one writes. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int file = -1;

static void setup(void)
{
    if (file == -1)
        file = open("/tmp/file", O_CREAT | O_RDWR | O_APPEND, 0600);
    hd_kernel_check(file >= 0 && ftruncate(file, 0) == 0);
}

static void four(void) { hd_call(write(file, "abcd", 4)); }
static void eight(void) { hd_call(write(file, "01234567", 8)); }

static void check(void)
{
    struct stat st;

    hd_kernel_check(fstat(file, &st) == 0 && st.st_size == 12);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { four, eight }, .check = check };
