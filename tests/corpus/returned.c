/* SPDX-License-Identifier: BSD-2-Clause
 *
 * returned - two threads store what a function returns, a structure of 8, 16 or 32 bytes.
 *
 *   -DINTO=GLOBAL   in a global variable: a race
 *   -DINTO=POINTER  in memory by its address: a race
 *   -DINTO=SHOWN    in a local variable whose address the other thread was given: a race
 *   -DINTO=LOCAL    in a local variable, which no other thread knows, and one that is handed on only
 *                   to a function: correct
 *   -DINTO=BEFORE   in a global variable, before there is another thread: correct
 *
 * gcc announces none of these stores. */
#include <assert.h>
#include <pthread.h>

#ifndef BYTES
#define BYTES 32
#endif

enum { GLOBAL, POINTER, SHOWN, LOCAL, BEFORE };

struct value {
    long word[BYTES / 8];
};

static struct value shared;
long other[2]; /* not known to the compiler: a function that only stores its result has no hooks at all */

static __attribute__((noinline)) struct value make(void)
{
    struct value v = { { 1 + other[0] } };

    return v;
}

static __attribute__((noinline)) void put(struct value *to)
{
    *to = make();
}

static __attribute__((noinline)) long first(const struct value *v)
{
    return v->word[0];
}

static __attribute__((noinline)) void keep_to_itself(void)
{
    struct value a = make(), b = make();

    assert(a.word[0] == first(&b));
}

static void *writes(void *arg)
{
    if (INTO == GLOBAL)
        shared = make();
    else if (INTO == POINTER || INTO == SHOWN)
        put(arg);
    else if (INTO == LOCAL)
        keep_to_itself();
    else
        assert(first(&shared) == 1);
    return NULL;
}

/* (main joins before it returns) */
static __attribute__((noinline)) void show(void)
{
    struct value local = make();
    pthread_t thread;

    pthread_create(&thread, NULL, writes, &local);
    local = make();
    pthread_join(thread, NULL);
}

static __attribute__((noinline)) void begin(void)
{
    if (INTO == BEFORE)
        shared = make();
}

int main(void)
{
    pthread_t thread[2];

    if (INTO == SHOWN) {
        show();
        return 0;
    }
    begin();
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, writes, &shared);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
