/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stdio.c - streams used by several threads, locked across switches.  Call:
 * stdio FILE, a file that begins with "0123456789". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static char buffer[200];
static int printed;

static void turn(void)
{
    pthread_mutex_lock(&mutex);
    printed++;
    pthread_mutex_unlock(&mutex);
}

static void *locked(void *arg)
{
    flockfile(stdout);
    fputs("one ", stdout);
    turn();
    fputs("line\n", stdout);
    turn();
    funlockfile(stdout);
    return arg;
}

static void *plain(void *arg)
{
    printf("another %d %s %f\n", printed, "line", 1.5);
    turn();
    putchar('x');
    fprintf(stderr, "to stderr\n");
    return arg;
}

static void *reader(void *arg)
{
    char text[4] = "";

    flockfile(file);
    int first = getc(file);

    turn();
    int second = getc(file);

    funlockfile(file);
    assert(second == first + 1);
    assert(snprintf(text, sizeof text, "%d", second) == 2);
    return arg;
}

int main(int argc, char **argv)
{
    void *(*const body[])(void *) = { locked, plain, reader, reader };
    pthread_t thread[4];

    assert(argc == 2 && printed == 0 && file == NULL && !feof(stdin) && !ferror(stdout));
    file = fopen(argv[1], "r");
    assert(file != NULL && ftell(file) == 0);
    assert(setvbuf(stdout, buffer, _IOFBF, sizeof buffer) == 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, body[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert(ftell(file) == 4);
    ungetc('q', file);
    printf("not flushed");
    return 0;
}
