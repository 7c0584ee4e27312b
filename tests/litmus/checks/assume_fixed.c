/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The twin of assume_bug in which nothing is wrong: one execution counts, one is left
 * out, and who waits for a stopped thread is not deadlocked. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int flag;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *unused)
{
    visible_write(flag, 1);
    return unused;
}

int main(void)
{
    pthread_t t = spawn(set);
    int seen = visible_read(flag);

    pthread_mutex_lock(&lock);
    heddle_assume(seen == 1);
    heddle_assert(seen == 1);
    pthread_mutex_unlock(&lock);
    join(t);
}
