/* SPDX-License-Identifier: BSD-2-Clause
 *
 * daemonize.c - a program that goes into the background first: it must not be two programs then. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *body(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    if (daemon(1, 1) != 0)
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, body, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return count != 6;
}
