/* SPDX-License-Identifier: BSD-2-Clause
 *
 * descriptors.c - files that are opened and never closed, moved, duplicated.
 * Call: descriptors FILE, a file that begins with "0123456789". */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *opener(void *arg)
{
    char text[5] = "";
    int fd = open(arg, O_RDONLY);

    assert(fd >= 0 && fd < 200);
    pthread_mutex_lock(&mutex);
    assert(read(fd, text, 4) == 4 && strcmp(text, "0123") == 0);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    char text[4] = "";
    int fd = open("/dev/null", O_RDWR), ends[2];

    assert(argc == 2);
    echo((uintptr_t)fd);
    assert(fcntl(fd + 1, F_GETFD) < 0); /* nothing is left of the last time */
    assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
    echo((uintptr_t)ends[1]);
    FILE *file = fopen(argv[1], "r");

    assert(file != NULL && fgetc(file) == '0');
    assert(fread(text, 1, 3, file) == 3 && memcmp(text, "123", 3) == 0);
    pthread_create(&a, NULL, opener, argv[1]);
    pthread_create(&b, NULL, opener, argv[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((fcntl(0, F_GETFL) & O_NONBLOCK) == 0);
    dup2(fd, 100);
    dup2(ends[0], 0);
    close(1);
    return 0;
}
