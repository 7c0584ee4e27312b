/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of malloc_bug. */
#include "../litmus.h"

struct box {
    volatile int value; /* or the compiler leaves it all out */
};

static struct box *make(void)
{
    struct box *b = malloc(sizeof *b);

    if (b == NULL)
        return NULL;
    b->value = 1;
    return b;
}

static void *work(void *unused)
{
    struct box *b = make();

    free(b);
    return unused;
}

int main(void)
{
    pthread_t t = spawn(work);

    free(make());
    join(t);
}
