/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines - threads print, and their order is the output.
 *
 *   lines 3          three threads, one line each: every order is another output
 *   lines 3 write    the same with write(2)
 *   lines 3 joined   each is joined before the next one begins: there is one order
 *   lines 3 equal    all print the same line: the order cannot be seen
 *   lines 3 lost     the first thread leaves its line in the buffer of stdio and main calls _exit: it is
 *                    never printed, the others use write(2)
 *   lines 2 counter  no thread prints but main, in the end: the sum that two threads have added up without
 *                    care, so an update may be lost */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *variant = "";
static atomic_int sum;

static int is(const char *name)
{
    return strcmp(variant, name) == 0;
}

static void *print(void *arg)
{
    int me = (int)(long)arg;
    char line[32];

    snprintf(line, sizeof line, "line %d\n", is("equal") ? 0 : me);
    if (is("counter"))
        atomic_store(&sum, atomic_load(&sum) + 1);
    else if (is("write") || (is("lost") && me > 0))
        (void)!write(1, "line\n", is("lost") ? 5 : (size_t)me + 1);
    else
        fputs(line, stdout);
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t t[8];

    variant = argc > 2 ? argv[2] : "";
    for (int i = 0; i < n; i++) {
        pthread_create(&t[i], NULL, print, (void *)(long)i);
        if (is("joined"))
            pthread_join(t[i], NULL);
    }
    for (int i = 0; i < n && !is("joined"); i++)
        pthread_join(t[i], NULL);
    if (is("counter"))
        printf("sum %d\n", atomic_load(&sum));
    if (is("lost"))
        _exit(0);
    return 0;
}
