/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order.c - an order violation: the logger is started before its file name is set. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(const char *) file_name;

static void *logger(void *arg)
{
    const char *name = atomic_load(&file_name);

    assert(name != NULL);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, logger, NULL);
    atomic_store(&file_name, "log.txt");
    pthread_join(thread, NULL);
    return 0;
}
