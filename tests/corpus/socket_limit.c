/* SPDX-License-Identifier: BSD-2-Clause
 *
 * socket_limit.c - a read from a socket with a time limit fails if the other thread is late. */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *arg)
{
    usleep(1000);
    assert(write(ends[0], "a", 1) == 1);
    return arg;
}

int main(void)
{
    struct timeval limit = { 0, 1000 };
    pthread_t other;
    char c;

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
    pthread_create(&other, NULL, writes, NULL);
    assert(read(ends[1], &c, 1) == 1);
    pthread_join(other, NULL);
    return 0;
}
