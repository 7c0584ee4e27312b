/* SPDX-License-Identifier: BSD-2-Clause
 *
 * parts.c - a thread reads in one call what another one writes in two.  In the kernel the call
 * would wait for the second part, and no thread would be left to write it.
 *
 *   parts all | line | block | again       recv(MSG_WAITALL), getline, fread, read until it succeeds
 *   parts all half (and so on)             the second part never comes: that is a deadlock, and
 *                                          where no thread waits in the kernel a livelock */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../litmus.h"

static int ends[2];
static const char *way = "all";
static int half;

static void *writer(void *unused)
{
    assert(write(ends[1], "ab", 2) == 2);
    if (!half)
        assert(write(ends[1], "c\n", 2) == 2);
    return unused;
}

static void read_line(FILE *f)
{
    char *line = NULL;
    size_t room = 0;

    assert(getline(&line, &room, f) == 4 && strcmp(line, "abc\n") == 0);
    free(line);
}

static void read_again(void)
{
    char text[4];
    ssize_t got = 0;

    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    while (got < 4) {
        ssize_t n = read(ends[0], text + got, (size_t)(4 - got));

        assert(n > 0 || errno == EAGAIN);
        got += n > 0 ? n : 0;
    }
    assert(memcmp(text, "abc\n", 4) == 0);
}

static void *reader(void *unused)
{
    char text[4];

    if (strcmp(way, "all") == 0)
        assert(recv(ends[0], text, 4, MSG_WAITALL) == 4 && memcmp(text, "abc\n", 4) == 0);
    else if (strcmp(way, "line") == 0)
        read_line(fdopen(ends[0], "r"));
    else if (strcmp(way, "block") == 0)
        assert(fread(text, 1, 4, fdopen(ends[0], "r")) == 4 && memcmp(text, "abc\n", 4) == 0);
    else
        read_again();
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : way;
    half = argc > 2;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_t one = spawn(writer), other = spawn(reader);

    join(one);
    join(other);
    return 0;
}
