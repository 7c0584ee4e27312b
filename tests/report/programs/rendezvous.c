/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rendezvous.c - a channel without a buffer, whose sender waits only once for its reader: when that wait
 * ends for no reason, the next sender overwrites the message. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, writers = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sent = PTHREAD_COND_INITIALIZER, taken = PTHREAD_COND_INITIALIZER;
static int full;
static intptr_t message;

static void *send(void *value)
{
    pthread_mutex_lock(&writers);
    pthread_mutex_lock(&lock);
    message = (intptr_t)value;
    full = 1;
    pthread_cond_signal(&sent);
    if (full)
        pthread_cond_wait(&taken, &lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&writers);
    return NULL;
}

static intptr_t receive(void)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&sent, &lock);
    intptr_t value = message;

    full = 0;
    pthread_cond_signal(&taken);
    pthread_mutex_unlock(&lock);
    return value;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, send, (void *)1);
    pthread_create(&b, NULL, send, (void *)2);
    intptr_t sum = receive();

    if (sum < 3)
        sum += receive();
    assert(sum == 3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
