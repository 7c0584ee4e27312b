/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_awaited.c - a constructor starts a thread and waits for it before main, in
 * the way that the first argument says. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int ready;
static int channel[2];
static pthread_t early;

static void *worker(void *arg)
{
    char *block = malloc(1000);

    memset(block, 1, 1000);
    pthread_mutex_lock(&mutex);
    atomic_store(&ready, 1);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    sem_post(&semaphore);
    assert(write(channel[1], block, 1) == 1);
    free(block);
    while (arg != NULL) /* as a pool's worker would, it stays */
        pause();
    return &ready;
}

static int c11_worker(void *arg)
{
    worker(arg);
    return 5;
}

static void wait_by(const char *how)
{
    struct timespec moment = { 0, 1000000 };
    char byte;

    if (strcmp(how, "condition") == 0) {
        pthread_mutex_lock(&mutex);
        while (!ready)
            pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    } else if (strcmp(how, "semaphore") == 0) {
        assert(sem_wait(&semaphore) == 0);
    } else if (strcmp(how, "pipe") == 0) {
        assert(read(channel[0], &byte, 1) == 1);
    } else {
        while (!atomic_load(&ready)) {
            if (strcmp(how, "yield") == 0)
                sched_yield();
            else if (strcmp(how, "sleep") == 0)
                nanosleep(&moment, NULL);
        }
    }
}

__attribute__((constructor)) static void before_main(int argc, char **argv)
{
    void *value = NULL;
    thrd_t c11;
    int code = 0;

    assert(argc >= 2 && sem_init(&semaphore, 0, 0) == 0 && pipe(channel) == 0);
    if (strcmp(argv[1], "c11") == 0) {
        assert(thrd_create(&c11, c11_worker, NULL) == thrd_success);
        assert(thrd_join(c11, &code) == thrd_success && code == 5);
        return;
    }
    assert(pthread_create(&early, NULL, worker, argc > 2 ? argv[2] : NULL) == 0);
    if (strcmp(argv[1], "join") == 0)
        assert(pthread_join(early, &value) == 0 && value == &ready);
    else
        wait_by(argv[1]);
}

static void *lock_once(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t late;

    assert(ready == 1);
    assert(pthread_create(&late, NULL, lock_once, NULL) == 0);
    lock_once(NULL);
    assert(pthread_join(late, NULL) == 0);
    if (argc == 2 && strcmp(argv[1], "join") != 0 && strcmp(argv[1], "c11") != 0)
        assert(pthread_join(early, NULL) == 0);
    return 0;
}
