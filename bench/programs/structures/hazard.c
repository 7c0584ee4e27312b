/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hazard - hazard pointers: a reader says which object it uses, and an updater that replaced
 * the object frees it only when no thread says so.
 *
 * Claim: no thread uses a freed object.  NO_RECHECK: the reader does not look whether the object
 * is still the current one after it has said that it uses it.  SCAN_FIRST: the updater looks
 * who uses the object before it replaces it. */
#include "../program.h"

#include <sched.h>

enum { READERS = 2 };

struct object {
    int value;
};

static struct object *current;
static struct object *hazards[READERS];

static struct object *new_object(int value)
{
    struct object *object = malloc(sizeof *object);

    assert(object);
    object->value = value;
    return object;
}

static struct object *protect(int me)
{
    struct object *seen;

    do {
        seen = atomic_read(current);
        atomic_write(hazards[me], seen);
#ifdef NO_RECHECK
        return seen;
#endif
    } while (atomic_read(current) != seen);
    return seen;
}

static void *reader(void *arg)
{
    int me = number_of(arg);
    struct object *object = protect(me);

    assert(object->value > 0);
    atomic_write(hazards[me], NULL);
    return NULL;
}

static void wait_until_unused(const struct object *object)
{
    for (int i = 0; i < READERS; i++)
        while (atomic_read(hazards[i]) == object)
            sched_yield();
}

static void replace(int value)
{
    struct object *old = atomic_read(current); /* only the updater writes it */

#ifdef SCAN_FIRST
    wait_until_unused(old);
#endif
    atomic_write(current, new_object(value));
#ifndef SCAN_FIRST
    wait_until_unused(old);
#endif
    free(old);
}

int main(void)
{
    pthread_t readers[READERS];

    current = new_object(1);
    for (int i = 0; i < READERS; i++)
        readers[i] = spawn_numbered(reader, i);
    replace(2);
    for (int i = 0; i < READERS; i++)
        join(readers[i]);
    free(current);
    return 0;
}
