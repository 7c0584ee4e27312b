/* SPDX-License-Identifier: BSD-2-Clause
 *
 * monitor.c - the protocols of QEMU's monitor and gdb stub.  Answers are short and come only from QEMU, so they are
 * searched for a text instead of parsed. */
#include "kernel/drive/monitor.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_SECONDS 120

int hd_monitor_connect(const char *path)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    strncpy(to.sun_path, path, sizeof to.sun_path - 1);
    if (fd != -1 && connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static int next_byte(int fd, unsigned seconds)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    unsigned char byte;
    int n;

    do { /* Ctrl-C does not make QEMU's answer a wrong one; the search ends after it */
        n = poll(&p, 1, (int)seconds * 1000);
    } while (n == -1 && errno == EINTR);
    return n != 1 || read(fd, &byte, 1) != 1 ? -1 : byte;
}

static bool next_line(int fd, char *buf, size_t cap)
{
    size_t n = 0;
    int c;

    while ((c = next_byte(fd, ANSWER_SECONDS)) != '\n') {
        if (c == -1)
            return false;
        if (n + 1 < cap)
            buf[n++] = (char)c;
    }
    buf[n] = '\0';
    return true;
}

static bool send_all(int fd, const char *text, size_t n)
{
    return send(fd, text, n, MSG_NOSIGNAL) == (ssize_t)n;
}

bool hd_monitor_command(int fd, const char *json, char *buf, size_t cap)
{
    char line[16384];

    if (!send_all(fd, json, strlen(json)) || !send_all(fd, "\n", 1))
        return false;
    do {
        if (!next_line(fd, line, sizeof line))
            return false;
    } while (strncmp(line, "{\"return\"", 9) != 0 && strncmp(line, "{\"error\"", 8) != 0);
    if (buf != NULL)
        snprintf(buf, cap, "%s", line);
    return line[2] == 'r';
}

bool hd_monitor_greet(int fd)
{
    char line[4096];

    return next_line(fd, line, sizeof line) &&
           hd_monitor_command(fd, "{\"execute\": \"qmp_capabilities\"}", NULL, 0);
}

bool hd_monitor_hmp(int fd, const char *command)
{
    char json[256], answer[256];

    snprintf(json, sizeof json,
             "{\"execute\": \"human-monitor-command\", \"arguments\": {\"command-line\": \"%s\"}}", command);
    return hd_monitor_command(fd, json, answer, sizeof answer) &&
           strncmp(answer, "{\"return\": \"\"", 13) == 0;
}

bool hd_monitor_find_pic(int fd, char *buf, size_t cap)
{
    char answer[16384];

    if (!hd_monitor_command(fd, "{\"execute\": \"qom-list\", \"arguments\": {\"path\": \"/machine/unattached\"}}",
                            answer, sizeof answer))
        return false;
    for (char *at = answer; (at = strstr(at, "{\"name\"")) != NULL; at++) {
        char *end = strchr(at, '}'), *name = strstr(at, "\"device["), *type = strstr(at, "child<isa-i8259>");

        if (end == NULL || name == NULL || type == NULL || name > end || type > end)
            continue;
        snprintf(buf, cap, "/machine/unattached/%.*s", (int)strcspn(name + 1, "\""), name + 1);
        return true;
    }
    return false;
}

/* ---- gdb ------------------------------------------------------------------------------ */

static bool gdb_send(int fd, const char *text)
{
    char packet[128];
    unsigned sum = 0;

    for (const char *c = text; *c != '\0'; c++)
        sum += (unsigned char)*c;
    int n = snprintf(packet, sizeof packet, "$%s#%02x", text, sum & 0xff);

    return send_all(fd, packet, (size_t)n);
}

/* Reads the next packet and acknowledges it. */
static bool gdb_receive(int fd, char *buf, size_t cap, unsigned seconds)
{
    size_t n = 0;
    int c;

    while ((c = next_byte(fd, seconds)) != '$')
        if (c == -1)
            return false;
    while ((c = next_byte(fd, seconds)) != '#') {
        if (c == -1)
            return false;
        if (n + 1 < cap)
            buf[n++] = (char)c;
    }
    buf[n] = '\0';
    return next_byte(fd, seconds) != -1 && next_byte(fd, seconds) != -1 && send_all(fd, "+", 1);
}

bool hd_gdb_run_to(int fd, uint32_t address, unsigned seconds)
{
    char set[32], clear[32], answer[4096];

    snprintf(set, sizeof set, "Z1,%x,1", address);
    snprintf(clear, sizeof clear, "z1,%x,1", address);
    return gdb_send(fd, set) && gdb_receive(fd, answer, sizeof answer, seconds) && strcmp(answer, "OK") == 0 &&
           gdb_send(fd, "c") && gdb_receive(fd, answer, sizeof answer, seconds) &&
           strncmp(answer, "T05", 3) == 0 && gdb_send(fd, clear) &&
           gdb_receive(fd, answer, sizeof answer, seconds) && strcmp(answer, "OK") == 0;
}

static uint64_t little_endian(const char *hex, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = bytes; i-- > 0;) {
        char two[3] = { hex[2 * i], hex[2 * i + 1], '\0' };

        value = value << 8 | strtoul(two, NULL, 16);
    }
    return value;
}

bool hd_gdb_detach(int fd)
{
    char answer[64];

    return gdb_send(fd, "D") && gdb_receive(fd, answer, sizeof answer, ANSWER_SECONDS) && strcmp(answer, "OK") == 0;
}

/* The packet holds 16 general registers and rip of 8 bytes each, then the flags. */
bool hd_gdb_registers(int fd, uint64_t *sp, uint64_t *flags)
{
    char answer[16384];

    if (!gdb_send(fd, "g") || !gdb_receive(fd, answer, sizeof answer, ANSWER_SECONDS) ||
        strlen(answer) < 2 * (17 * 8 + 4))
        return false;
    *sp = little_endian(answer + 2 * 7 * 8, 8);
    *flags = little_endian(answer + 2 * 17 * 8, 4);
    return true;
}
