/* SPDX-License-Identifier: BSD-2-Clause
 *
 * socket.c - sockets: a message is sent while the other end is closed. */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int ends[2];
static long sent;
static int error;

static void setup(void) { hd_kernel_check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }

static void sends(void)
{
    sent = hd_call(send(ends[0], "abcd", 4, MSG_NOSIGNAL));
    error = errno;
}

static void closes(void) { hd_call(close(ends[1])); }

static void check(void)
{
    hd_kernel_check(sent == 4 || (sent == -1 && error == EPIPE));
    close(ends[0]);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { sends, closes }, .check = check };
