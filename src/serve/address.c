/* SPDX-License-Identifier: BSD-2-Clause
 *
 * address.c - see address.h. */
#include "serve/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 64 };

static bool read_port(const char *text, in_port_t *out)
{
    size_t n = strspn(text, "0123456789");
    long port = strtol(text, NULL, 10);

    *out = htons((in_port_t)port);
    return n > 0 && n <= 5 && text[n] == '\0' && port <= 65535;
}

bool hd_address_read(const char *text, struct hd_address *out)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)&out->at;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&out->at;
    const char *colon = strrchr(text, ':');
    char host[64];

    memset(out, 0, sizeof *out);
    if (colon == NULL || (size_t)(colon - text) >= sizeof host)
        return false;
    memcpy(host, text, (size_t)(colon - text));
    host[colon - text] = '\0';
    size_t n = strlen(host);

    if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
        host[n - 1] = '\0';
        v6->sin6_family = AF_INET6;
        out->size = sizeof *v6;
        return inet_pton(AF_INET6, host + 1, &v6->sin6_addr) == 1 && read_port(colon + 1, &v6->sin6_port);
    }
    v4->sin_family = AF_INET;
    out->size = sizeof *v4;
    return inet_pton(AF_INET, host, &v4->sin_addr) == 1 && read_port(colon + 1, &v4->sin_port);
}

bool hd_address_is_local(const struct hd_address *a)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&a->at;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&a->at;

    if (a->at.ss_family == AF_INET)
        return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

void hd_address_text(const struct hd_address *a, char *buf, size_t cap)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&a->at;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&a->at;
    char host[INET6_ADDRSTRLEN] = "";
    bool old = a->at.ss_family == AF_INET;

    inet_ntop(a->at.ss_family, old ? (const void *)&v4->sin_addr : (const void *)&v6->sin6_addr, host, sizeof host);
    snprintf(buf, cap, old ? "%s:%u" : "[%s]:%u", host, ntohs(old ? v4->sin_port : v6->sin6_port));
}

static void explain(const struct hd_address *a, char *error, size_t cap)
{
    int code = errno;
    char where[80];

    hd_address_text(a, where, sizeof where);
    snprintf(error, cap, "cannot listen on %s: %s; %s", where, strerror(code),
             code == EADDRINUSE      ? "is a dashboard running there already? Otherwise give --listen another port, or port 0 for any "
                                       "free one"
             : code == EACCES        ? "give --listen a port above 1023"
             : code == EADDRNOTAVAIL ? "give --listen an address of this machine"
                                     : "give --listen another address");
}

int hd_address_listen(struct hd_address *a, char *error, size_t cap)
{
    const int on = 1;
    int fd = socket(a->at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd >= 0 && a->at.ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&a->at, a->size) == 0 && listen(fd, BACKLOG) == 0 &&
        getsockname(fd, (struct sockaddr *)&a->at, &a->size) == 0)
        return fd;
    explain(a, error, cap);
    if (fd >= 0)
        close(fd);
    return -1;
}
