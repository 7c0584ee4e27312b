/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack - ten pushes and ten pops under one lock, with a flag "there is
 * something" that is set and never cleared (SCT study, row 24).
 *
 * Claim: a pop never finds the stack empty.  False as soon as the popping thread
 * overtakes the pushing one after the first push.  Nothing races.
 * Twin (-DFIXED): the last pop clears the flag. */
#include "../litmus.h"

enum { ITEMS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[ITEMS];
static int height;
static int something;

static void *push(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        items[height++] = i;
        something = 1;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *pop(void *arg)
{
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        if (something) {
            assert(height > 0);
            items[--height] = 0;
#ifdef FIXED
            something = height > 0;
#endif
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn(push);
    pthread_t b = spawn(pop);

    join(a);
    join(b);
    return 0;
}
