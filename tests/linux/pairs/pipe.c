/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pipe.c - pipes: small writes are not torn, and arrive in the order of their writer. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <heddle/kernel.h>

static int pipes[2];

static void setup(void) { hd_kernel_check(pipe2(pipes, O_NONBLOCK) == 0); }

static void letters(void)
{
    hd_call(write(pipes[1], "ab", 2));
    hd_call(write(pipes[1], "cd", 2));
}

static void digits(void) { hd_call(write(pipes[1], "12", 2)); }

static void check(void)
{
    char text[16] = "";

    hd_kernel_check(read(pipes[0], text, sizeof text - 1) == 6);
    hd_kernel_check(strcmp(text, "abcd12") == 0 || strcmp(text, "ab12cd") == 0 || strcmp(text, "12abcd") == 0);
    close(pipes[0]);
    close(pipes[1]);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { letters, digits }, .check = check };
