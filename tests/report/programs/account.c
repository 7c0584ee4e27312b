/* SPDX-License-Identifier: BSD-2-Clause
 *
 * account.c - a member of an object on the heap, locked on the one side only. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    int id;
    int balance;
    pthread_mutex_t lock;
};

static struct account *opened(int id)
{
    struct account *a = calloc(1, sizeof *a);

    a->id = id;
    pthread_mutex_init(&a->lock, NULL);
    return a;
}

static void *deposit(void *arg)
{
    struct account *a = arg;

    pthread_mutex_lock(&a->lock);
    a->balance += 50;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static int is_empty(const struct account *a)
{
    return a->balance == 0;
}

int main(void)
{
    struct account *a = opened(7);
    pthread_t thread;

    pthread_create(&thread, NULL, deposit, a);
    int empty = is_empty(a);

    pthread_join(thread, NULL);
    free(a);
    printf("%s\n", empty ? "empty" : "not empty");
    return 0;
}
