/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex_wake - who waits sees the word change, and frees it before the other one wakes.
 *
 * Claim: nothing is used after free.  To wake, the address is a number; with `value` the
 * waker looks at the word (it could be changed by then), and that is one. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int looks;

static void *wake(void *arg)
{
    atomic_int *word = arg;

    atomic_store(word, 1);
    if (looks && atomic_load(word) != 1)
        return NULL;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(int argc, char **argv)
{
    atomic_int *word = calloc(1, sizeof *word);
    pthread_t other;

    looks = argc > 1 && strcmp(argv[1], "value") == 0;
    pthread_create(&other, NULL, wake, word);
    while (atomic_load(word) == 0)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    free(word);
    pthread_join(other, NULL);
    return 0;
}
