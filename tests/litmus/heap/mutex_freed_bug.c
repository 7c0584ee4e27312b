/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_freed_bug.c - a mutex is used in a block that another thread may have freed. */
#include "../litmus.h"

struct account {
    pthread_mutex_t lock;
    int value;
};
static struct account *account;

static void *user(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&account->lock);
    pthread_mutex_unlock(&account->lock);
    return NULL;
}

int main(void)
{
    account = calloc(1, sizeof *account);
    pthread_mutex_init(&account->lock, NULL);
    pthread_t t = spawn(user);

#ifdef FIXED
    join(t);
    pthread_mutex_destroy(&account->lock);
    free(account);
#else
    free(account);
    join(t);
#endif
    return 0;
}
