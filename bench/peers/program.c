/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.c - the small programs by which exhaustive checkers are compared.  One of these is defined:
 *   SECTIONS  N threads, K times { lock; x++; unlock } each: (NK)! / (K!)^N classes
 *   LASTZERO  a reader looks for the last zero of an array, writer j of N stores a[j] = a[j-1] + 1: (N + 3) 2^(N-2) classes
 *   CASLOCK   N threads take a lock by compare-and-swap, once: N! classes without idle rounds
 *   TICKET    N threads take a ticket lock, once: N! classes without idle rounds
 *   SPINVAL   one thread stores 1 to N, the other waits for N: 1 class without idle rounds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef K
#define K 1
#endif
enum { THREADS = N + 1 };

static pthread_mutex_t mutex;
static atomic_int a[THREADS], word, next;
static int x;

#if defined SECTIONS
static int first = 1;
static void *work(void *arg)
{
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&mutex);
        x++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}
#elif defined LASTZERO
static int first = 0;
static void *work(void *arg)
{
    int j = (int)(intptr_t)arg, i = N;

    if (j == 0)
        while (atomic_load(&a[i]) != 0)
            i--;
    else
        atomic_store(&a[j], atomic_load(&a[j - 1]) + 1);
    return arg;
}
#elif defined CASLOCK
static int first = 1;
static void *work(void *arg)
{
    int free = 0;

    while (!atomic_compare_exchange_strong(&word, &free, 1))
        free = 0;
    x++;
    atomic_store(&word, 0);
    return arg;
}
#elif defined TICKET
static int first = 1;
static void *work(void *arg)
{
    int mine = atomic_fetch_add(&next, 1);

    while (atomic_load(&word) != mine)
        ;
    x++;
    atomic_store(&word, mine + 1);
    return arg;
}
#else
static int first = N - 1;
static void *work(void *arg)
{
    if ((int)(intptr_t)arg == N)
        for (int i = 1; i <= N; i++)
            atomic_store(&word, i);
    else
        while (atomic_load(&word) != N)
            ;
    return arg;
}
#endif

int main(void)
{
    pthread_t thread[THREADS];

    pthread_mutex_init(&mutex, NULL);
    for (int i = first; i <= N; i++)
        pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i);
    for (int i = first; i <= N; i++)
        pthread_join(thread[i], NULL);
    (void)&word, (void)&next, (void)x, (void)a;
    return 0;
}
