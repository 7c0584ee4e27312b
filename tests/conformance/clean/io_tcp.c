/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_tcp.c - a server and a client in one program, over the loopback interface: addresses are
 * those of TCP, in every execution the port is free, and data is there when it was sent.
 * Reduction: threads share pipes, sockets or locks of files */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../conform.h"

static struct sockaddr_in address = { .sin_family = AF_INET };

static int tcp(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    IS(fd >= 0, 1);
    IS(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one), 0);
    IS(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one), 0);
    return fd;
}

static void *client(void *arg)
{
    struct sockaddr_in peer;
    socklen_t n = sizeof peer;
    char text[8];
    int fd = tcp();

    IS(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    IS(getpeername(fd, (struct sockaddr *)&peer, &n), 0);
    IS(peer.sin_port, address.sin_port);
    IS(write(fd, "ask", 3), 3);
    IS(read(fd, text, sizeof text), 6);
    IS(read(fd, text, sizeof text), 0);
    IS(close(fd), 0);
    return arg;
}

static int listener(void)
{
    socklen_t n = sizeof address;
    int fd = tcp(), second = tcp();

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    IS(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    IS(getsockname(fd, (struct sockaddr *)&address, &n), 0);
    IS(n, sizeof address);
    IS(address.sin_family, AF_INET);
    IS(address.sin_port != 0, 1);
    IS(listen(fd, 5), 0);
    IS(bind(second, (const struct sockaddr *)&address, sizeof address), -1);
    IS(errno, EADDRINUSE);
    IS(close(second), 0);
    return fd;
}

int main(void)
{
    struct sockaddr_in from = { .sin_family = 0 };
    socklen_t n = sizeof from;
    char text[8];
    int at = listener();
    pthread_t t = start(client, NULL);
    int fd = accept(at, (struct sockaddr *)&from, &n);

    IS(fd >= 0, 1);
    IS(from.sin_family, AF_INET);
    IS(from.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    IS(from.sin_port != 0, 1);
    IS(read(fd, text, sizeof text), 3);
    IS(write(fd, "answer", 6), 6);
    IS(close(fd), 0);
    finish(t);
    fd = tcp();
    IS(close(at), 0);
    IS(connect(fd, (const struct sockaddr *)&address, sizeof address), -1);
    IS(errno, ECONNREFUSED);
    IS(close(fd), 0);
    return 0;
}
