/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inotify.c - inotify: a watch is removed while its file is deleted. */
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int notify, watch;

static void setup(void)
{
    notify = inotify_init1(IN_NONBLOCK);
    close(open("/tmp/watched", O_CREAT | O_WRONLY, 0600));
    watch = inotify_add_watch(notify, "/tmp/watched", IN_ALL_EVENTS);
    hd_kernel_check(notify >= 0 && watch >= 0);
}

static void unwatches(void) { hd_call(inotify_rm_watch(notify, watch)); }
static void deletes(void) { hd_call(unlink("/tmp/watched")); }

static void check(void)
{
    hd_kernel_check(access("/tmp/watched", F_OK) == -1);
    close(notify);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { unwatches, deletes }, .check = check };
