/* SPDX-License-Identifier: BSD-2-Clause
 *
 * busy.c - a little of everything whose traces one execution could leave to the
 * next: stdio, heap, TLS, static locals, exit handlers, random numbers,
 * environment, arguments.  All of it is checked at the start.  Call: busy x=y */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { THREADS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter, at_exit_runs;
static const char *volatile word = "initial";
static __thread int mine = 11;
static __thread char zeroes[64];
static void *kept[THREADS];

static int calls(void)
{
    static int n;

    return ++n;
}

static void on_exit_first(void)
{
    assert(at_exit_runs++ == 1);
    printf("second handler, %d\n", counter);
}

static void on_exit_second(void)
{
    assert(at_exit_runs++ == 0);
}

static void check_heap(void)
{
    unsigned char *p = malloc(1000);

    pretend_written(p);
    echo(digest(p, 1000) + ((uintptr_t)p >> 4));
    memset(p, 0x5a, 1000);
    free(p);
}

static void check_thread_start(void)
{
    assert(mine == 11 && errno == 0);
    for (size_t i = 0; i < sizeof zeroes; i++)
        assert(zeroes[i] == 0);
    mine = 12;
    errno = EBADF;
    memset(zeroes, 1, sizeof zeroes);
}

static void check_start(int argc, char **argv)
{
    static const int expected[] = { 1804289383, 846930886, 1681692777 }; /* rand of seed 1 */

    check_thread_start();
    assert(counter == 0 && at_exit_runs == 0 && strcmp(word, "initial") == 0);
    assert(calls() == 1);
    assert(argc == 2 && strcmp(argv[1], "x=y") == 0 && getenv("x") == NULL);
    for (int i = 0; i < 3; i++)
        assert(rand() == expected[i]);
    srand(1);
    assert(rand() == expected[0]);
    for (int i = 0; i < THREADS; i++)
        assert(kept[i] == NULL);
    assert(!ferror(stdout) && !feof(stdin));
    check_heap();
}

static void *worker(void *arg)
{
    int id = (int)(intptr_t)arg;

    check_thread_start();
    check_heap();
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        counter += calls() > 0;
        kept[id] = realloc(kept[id], (size_t)(rand() % 1000 + 1));
        printf("thread %d turn %d of %d\n", id, i, counter);
        pthread_mutex_unlock(&mutex);
    }
    word = "changed";
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];

    check_start(argc, argv);
    atexit(on_exit_first);
    atexit(on_exit_second);
    putenv(argv[1]);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(counter == 2 * THREADS && calls() == 2 + 2 * THREADS);
    for (int i = 0; i < THREADS; i++)
        free(kept[i]);
    argv[1][0] = '?';
    printf("not the last line");
    return 0;
}
