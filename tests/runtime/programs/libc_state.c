/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libc_state.c - what libc keeps in its own variables is new every time. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int registered, ended;

static void at_end(void)
{
    assert(registered == 1 && ended == 0);
    ended = 1;
    printf("the end\n");
}

static void end_of_value(void *value)
{
    assert(value == (void *)1);
}

static void *worker(void *arg)
{
    assert(errno == 0 && pthread_getspecific(key) == NULL);
    pthread_setspecific(key, (void *)1);
    errno = EBADF;
    pthread_mutex_lock(&mutex);
    (void)rand();
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void check_start(void)
{
    char words[] = "a b";

    assert(errno == 0 && registered == 0 && ended == 0);
    assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
    assert(strcmp(strtok(words, " "), "a") == 0);
    int first = rand();

    srand(1); /* the documented default */
    assert(rand() == first);
    assert(random() != 0);
    echo((uintptr_t)lrand48());
}

int main(void)
{
    pthread_t a, b;
    time_t now = time(NULL);

    check_start();
    assert(atexit(at_end) == 0);
    registered++;
    assert(pthread_key_create(&key, end_of_value) == 0);
    echo(key);
    echo((uintptr_t)localtime(&now)->tm_sec);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    srand(77);
    srand48(77);
    setlocale(LC_ALL, "C.UTF-8");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(errno != EBADF);
    errno = EINTR;
    return 0;
}
