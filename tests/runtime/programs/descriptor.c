/* SPDX-License-Identifier: BSD-2-Clause
 *
 * descriptor.c - what it allocates depends on the number of a descriptor, as in libraries
 * that keep a table by number; and it fails in one of two orders.  With an argument it fails
 * unless descriptor 7 is open. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static char *table; /* not a local one, which a compiler may do without */
static int x;

static void *set(void *unused)
{
    pthread_mutex_lock(mutex);
    x = 1;
    pthread_mutex_unlock(mutex);
    return unused;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return fcntl(7, F_GETFD) < 0;
    int fd = open("/dev/null", O_RDONLY), seen;
    pthread_t t;

    table = calloc((size_t)fd + 1, 64);
    mutex = malloc(sizeof *mutex);
    pthread_mutex_init(mutex, NULL);
    pthread_create(&t, NULL, set, NULL);
    pthread_mutex_lock(mutex);
    seen = x;
    pthread_mutex_unlock(mutex);
    assert(seen == 0);
    pthread_join(t, NULL);
    free(table);
    return 0;
}
