/* SPDX-License-Identifier: BSD-2-Clause
 *
 * serial N [WHO | blind] - N threads meet at a barrier, once.
 *
 * Claim (an assertion): one of them gets PTHREAD_BARRIER_SERIAL_THREAD, and not to the
 * thread WHO.  The first half is true; the second is not, for any thread: with glibc it is the
 * one that arrives last.  Blind: no thread looks at the result, so it makes no difference. */
#include "../litmus.h"

#include <string.h>

static pthread_barrier_t b;
static int serial[8];

static void *meet(void *arg)
{
    serial[(intptr_t)arg] = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
    return NULL;
}

static void *meet_blindly(void *arg)
{
    pthread_barrier_wait(&b);
    serial[(intptr_t)arg] = arg == NULL;
    return NULL;
}

int main(int argc, char **argv)
{
    intptr_t n = argc > 1 ? atoi(argv[1]) : 2;
    bool blind = argc > 2 && strcmp(argv[2], "blind") == 0;
    pthread_t t[8];
    int sum = 0;

    pthread_barrier_init(&b, NULL, (unsigned)n);
    for (intptr_t i = 0; i < n; i++)
        assert(pthread_create(&t[i], NULL, blind ? meet_blindly : meet, (void *)i) == 0);
    for (intptr_t i = 0; i < n; i++) {
        join(t[i]);
        sum += serial[i];
    }
    assert(sum == 1);
    assert(argc < 3 || blind || !serial[atoi(argv[2])]);
    return 0;
}
