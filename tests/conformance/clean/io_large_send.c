/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_large_send.c - a message of more than a socket holds goes on as the receiver makes
 * room.
 * Reduction: threads share pipes, sockets or locks of files */
#include <sys/socket.h>
#include <unistd.h>

#include "../conform.h"

enum { SIZE = 250000 };

static int ends[2];
static char data[SIZE], copy[SIZE];

static void *receiver(void *arg)
{
    size_t n = 0;

    while (n < SIZE) {
        ssize_t got = recv(ends[0], copy + n, SIZE - n, 0);

        IS(got > 0, 1);
        n += (size_t)got;
    }
    IS(copy[SIZE - 1], 'z');
    return arg;
}

int main(void)
{
    data[SIZE - 1] = 'z';
    IS(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pthread_t t = start(receiver, NULL);
    IS(send(ends[1], data, SIZE, 0), SIZE);
    finish(t);
    return 0;
}
