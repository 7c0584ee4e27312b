/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_large_write.c - a write of more than a pipe holds goes on as the reader makes
 * room.
 * Reduction: threads share pipes, sockets or locks of files */
#include <sys/uio.h>
#include <unistd.h>

#include "../conform.h"

enum { SIZE = 70000 };

static int ends[2];
static char data[SIZE], copy[SIZE];

static void *reader(void *arg)
{
    size_t n = 0;

    while (n < SIZE) {
        ssize_t got = read(ends[0], copy + n, SIZE - n);

        IS(got > 0, 1);
        n += (size_t)got;
    }
    IS(copy[SIZE - 1], 'z');
    return arg;
}

int main(void)
{
    struct iovec parts[2] = {{data, SIZE / 2}, {data + SIZE / 2, SIZE / 2}};

    data[SIZE - 1] = 'z';
    IS(pipe(ends), 0);
    pthread_t t = start(reader, NULL);
    IS(writev(ends[1], parts, 2), SIZE);
    finish(t);
    return 0;
}
