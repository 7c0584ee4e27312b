/* SPDX-License-Identifier: BSD-2-Clause
 *
 * numbers.c - what the threads use depends on the number of a descriptor.  A smaller schedule
 * is found in another process than the first one, and replayed in a third: in all of them
 * the number must be the same. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int table[1024];
static int fd, race;

static void *thread(void *arg)
{
    table[fd]++;
    race++;
    return arg;
}

int main(void)
{
    pthread_t t;

    fd = open("/dev/null", O_RDONLY);
    pthread_create(&t, NULL, thread, NULL);
    race++;
    assert(table[fd] == 0);
    pthread_join(t, NULL);
    return 0;
}
