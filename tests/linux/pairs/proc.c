/* SPDX-License-Identifier: BSD-2-Clause
 *
 * proc.c - /proc: the descriptors of a process are listed while one of them is closed. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int directory, kept, closed;
static char list[4096];
static long listed;

static void setup(void)
{
    closed = open("/dev/null", O_RDONLY);
    kept = open("/dev/null", O_RDONLY);
    directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY);
    hd_kernel_check(kept >= 0 && closed >= 0 && directory >= 0);
}

static void lists(void) { listed = hd_call(syscall(SYS_getdents64, directory, list, sizeof list)); }
static void closes(void) { hd_call(close(closed)); }

/* The one that was open all the time is in the list. */
static void check(void)
{
    int found = 0;

    for (long at = 0; at < listed;) {
        const struct dirent64 *e = (const void *)(list + at);

        found |= atoi(e->d_name) == kept;
        at += e->d_reclen;
    }
    hd_kernel_check(found);
    close(kept);
    close(directory);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { lists, closes }, .check = check };
