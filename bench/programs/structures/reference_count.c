/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reference_count - an object that is freed by the thread that gives up the last of two references.
 *
 * Claim: it is used before it is freed, and freed once.  READ_AGAIN: a thread that has given up its
 * reference looks at the count again to see whether that was the last; it may be gone, or both
 * see that none is left.  TWO_STEPS: the count is read and then written: no thread is the last.
 * RELAXED: giving up orders nothing, so that the last one may free what another still used. */
#include "../program.h"

struct object {
    int references;
    int used[2];
};

static struct object *object;

static bool give_up(void)
{
#if defined(READ_AGAIN)
    atomic_add(object->references, -1);
    return atomic_read(object->references) == 0;
#elif defined(TWO_STEPS)
    int seen = atomic_read(object->references);

    atomic_write(object->references, seen - 1);
    return seen == 1;
#elif defined(RELAXED)
    return __atomic_fetch_add(&object->references, -1, __ATOMIC_RELAXED) == 1;
#else
    return atomic_add(object->references, -1) == 1;
#endif
}

static void *use(void *arg)
{
    object->used[number_of(arg)]++;
    if (give_up())
        free(object);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    object = calloc(1, sizeof *object);
    assert(object);
    object->references = 2;
    a = spawn_numbered(use, 0);
    b = spawn_numbered(use, 1);
    join(a);
    join(b);
    object = NULL;
    return 0;
}
