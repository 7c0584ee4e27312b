/* SPDX-License-Identifier: BSD-2-Clause
 *
 * refcount.c - an object with a count of users, given back when the last one leaves; the
 * count is decremented and read in two steps.
 *
 * double: two users find 0 and both free it.  use: one goes on using what the other freed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct object {
    _Atomic int users;
    int value;
};

static struct object *shared;
static int uses;

static void leave(struct object *o)
{
    atomic_fetch_sub(&o->users, 1);
    if (atomic_load(&o->users) == 0)
        free(o);
}

static void *user(void *arg)
{
    leave(shared);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    uses = argc > 1 && strcmp(argv[1], "use") == 0;
    shared = malloc(sizeof *shared);
    atomic_init(&shared->users, 2);
    pthread_create(&thread, NULL, user, NULL);
    leave(shared);
    pthread_join(thread, NULL);
    return 0;
}
