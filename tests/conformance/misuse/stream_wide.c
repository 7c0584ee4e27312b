/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stream_wide.c - two threads read wide characters from one stream: which one gets the first
 * depends on the schedule.
 * Expect: assertion */
#include <assert.h>
#include <stdio.h>
#include <wchar.h>

#include "../conform.h"

static FILE *f;

static void *reader(void *arg)
{
    wchar_t c = 0;

    (void)arg;
    fwscanf(f, L"%lc", &c);
    return (void *)(long)c;
}

int main(void)
{
    char name[] = "wideXXXXXX.txt";
    int fd = mkstemps(name, 4);

    IS(write(fd, "ab", 2), 2);
    IS(lseek(fd, 0, SEEK_SET), 0);
    f = fdopen(fd, "r");
    pthread_t t = start(reader, NULL), u = start(reader, NULL);
    long first = (long)finish(t);

    finish(u);
    assert(first == 'a');
    return 0;
}
