/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tcp_deadlock.c - a server that reads until the end of the request, and a client that waits
 * for the answer before it ends it.
 * Expect: deadlock */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../conform.h"

static struct sockaddr_in address = { .sin_family = AF_INET };

static void *client(void *arg)
{
    char c;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    IS(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    IS(write(fd, "q", 1), 1);
    IS(read(fd, &c, 1), 1);
    IS(close(fd), 0);
    return arg;
}

int main(void)
{
    int at = socket(AF_INET, SOCK_STREAM, 0);
    char c;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(11211);
    IS(bind(at, (const struct sockaddr *)&address, sizeof address), 0);
    IS(listen(at, 5), 0);
    pthread_t t = start(client, NULL);
    int fd = accept(at, NULL, NULL);

    while (read(fd, &c, 1) > 0)
        ;
    IS(write(fd, "a", 1), 1);
    IS(close(fd), 0);
    finish(t);
    return 0;
}
