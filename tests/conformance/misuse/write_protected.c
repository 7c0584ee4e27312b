/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write_protected.c - a thread writes to a page that main makes read-only, when it
 * comes too late.
 * Expect: crash */
#include <sys/mman.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char page[4096] __attribute__((aligned(4096)));

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    page[0] = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t = start(writer, NULL);

    pthread_mutex_lock(&m);
    IS(mprotect(page, sizeof page, PROT_READ), 0);
    pthread_mutex_unlock(&m);
    finish(t);
    return 0;
}
