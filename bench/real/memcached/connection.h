/* SPDX-License-Identifier: BSD-2-Clause
 *
 * connection.h - a client's connection to memcached in the same process. */
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 22122 };

struct connection {
    int fd;
    size_t filled;
    char buffer[2048];
};

/* The server may not listen yet. */
static void open_connection(struct connection *c)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(PORT),
                             .sin_addr = { htonl(INADDR_LOOPBACK) } };

    for (;;) {
        c->fd = socket(AF_INET, SOCK_STREAM, 0);
        assert(c->fd >= 0);
        if (connect(c->fd, (const struct sockaddr *)&a, sizeof a) == 0)
            return;
        close(c->fd);
        usleep(1000);
    }
}

/* Reads the next line of an answer, without its end. */
static void read_line(struct connection *c, char *out, size_t cap)
{
    char *end;

    while ((end = memchr(c->buffer, '\n', c->filled)) == NULL) {
        ssize_t n = read(c->fd, c->buffer + c->filled, sizeof c->buffer - c->filled);

        assert(n > 0);
        c->filled += (size_t)n;
    }
    size_t used = (size_t)(end - c->buffer) + 1;

    assert(used >= 2 && used - 2 < cap);
    memcpy(out, c->buffer, used - 2);
    out[used - 2] = '\0';
    c->filled -= used;
    memmove(c->buffer, end + 1, c->filled);
}
