/* SPDX-License-Identifier: BSD-2-Clause
 *
 * diverges.c - does something else every time, in a way that Heddle cannot see:
 * it reads a number that the kernel draws.  With "fail", it also fails when the
 * second thread is first. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first;

static unsigned long real_number(void)
{
    int fd = open("/proc/sys/kernel/random/uuid", O_RDONLY);
    unsigned long number = 0;

    assert(fd >= 0 && read(fd, &number, sizeof number) == sizeof number);
    close(fd);
    return number;
}

static void *worker(void *arg)
{
    echo(real_number());
    pthread_mutex_lock(&mutex);
    if (first == 0)
        first = (int)(intptr_t)arg;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(argc < 2 || strcmp(argv[1], "fail") != 0 || first == 1);
    return 0;
}
