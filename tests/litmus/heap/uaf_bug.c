/* SPDX-License-Identifier: BSD-2-Clause
 *
 * uaf_bug.c - a reader takes the lock, but the owner may have freed the data before. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *data;
static int seen;

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = *data;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    data = malloc(sizeof *data);
    *data = 7;
    pthread_t t = spawn(reader);

#ifdef FIXED
    join(t);
#endif
    pthread_mutex_lock(&lock);
    free(data);
    pthread_mutex_unlock(&lock);
#ifndef FIXED
    join(t);
#endif
    return seen != 7;
}
