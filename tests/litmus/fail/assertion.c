/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assertion - a bounded buffer whose writer looks whether there is room, and then puts. */
#include "fail.h"

enum { ROOM = 1 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int used;

static bool has_room(void)
{
    pthread_mutex_lock(&m);
    bool room = used < ROOM;

    pthread_mutex_unlock(&m);
    return room;
}

static void put_one(void)
{
    pthread_mutex_lock(&m);
    if (!fixed || used < ROOM)
        used++;
    assert(used <= ROOM);
    pthread_mutex_unlock(&m);
}

static void *writer(void *arg)
{
    if (has_room())
        put_one();
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t one = spawn(writer), two = spawn(writer);

    join(one);
    join(two);
    return 0;
}
