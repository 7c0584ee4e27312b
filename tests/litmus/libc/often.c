/* SPDX-License-Identifier: BSD-2-Clause
 *
 * often CASE - how often is a stream used, and by whom?
 *
 *   between    the first thread draws two numbers, the second one: in between, or not
 *   private    each of two threads reads all of a large file of its own
 *   shared     and the first one's is then used by the second one, too
 *   printing   three threads print, two lines each
 *   locked     one thread holds the standard output and waits for the other, which prints
 *
 * Claims (assertions): between: no number of the second thread's comes between those of
 * the first (false in one order of three).  locked ends in a deadlock, unless the other
 * has printed before. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 5000 };

static const char *what;
static sem_t done;
static FILE *streams[2];
static long drawn[3];

static FILE *large_file(void)
{
    FILE *f = fdopen(memfd_create("large", 0), "w+");

    for (int i = 0; i < LARGE; i++)
        putc('x', f);
    rewind(f);
    return f;
}

static void read_all(FILE *f)
{
    int n = 0;

    while (getc(f) != EOF)
        n++;
    assert(n == LARGE);
}

static void *first(void *arg)
{
    if (strcmp(what, "between") == 0) {
        drawn[0] = random();
        drawn[1] = random();
    } else if (strcmp(what, "printing") == 0) {
        printf("one\n");
        printf("two\n");
    } else if (strcmp(what, "locked") == 0) {
        flockfile(stdout);
        sem_wait(&done);
        funlockfile(stdout);
    } else {
        read_all(streams[0]);
        sem_post(&done);
    }
    return arg;
}

static void *second(void *arg)
{
    if (strcmp(what, "between") == 0) {
        drawn[2] = random();
    } else if (strcmp(what, "printing") == 0) {
        puts("three");
        fprintf(stderr, "four\n");
    } else if (strcmp(what, "locked") == 0) {
        puts("five");
        sem_post(&done);
    } else {
        read_all(streams[1]);
        sem_wait(&done);
        if (strcmp(what, "shared") == 0)
            assert(getc(streams[0]) == EOF);
    }
    return arg;
}

static void *third(void *arg)
{
    if (strcmp(what, "printing") == 0) {
        fflush(stdout);
        printf("%d%s", 6, "\n");
    }
    return arg;
}

int main(int argc, char **argv)
{
    what = argc > 1 ? argv[1] : "";
    sem_init(&done, 0, 0);
    streams[0] = large_file();
    streams[1] = large_file();
    srandom(1);
    long n[3] = { random(), random(), random() };

    srandom(1);
    pthread_t a = spawn(first), b = spawn(second), c = spawn(third);

    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(strcmp(what, "between") != 0 || drawn[2] != n[1]);
    return 0;
}
