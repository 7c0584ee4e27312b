/* SPDX-License-Identifier: BSD-2-Clause
 *
 * smashes.c SEED - writes random bytes to random places of the memory that Heddle shares with it, or
 * (seed 0) over the beginning of each part. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 64 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long seed;

static unsigned long next(void)
{
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return seed >> 33;
}

static void smash(unsigned char *part, unsigned long bytes)
{
    unsigned long near = bytes < 1 << 20 ? bytes : 1 << 20;

    if (seed == 0) {
        memset(part, 0x41, near);
        return;
    }
    for (unsigned long i = 0, n = 1 + next() % 2000; i < n; i++)
        part[next() % (next() % 2 ? near : 8192)] = (unsigned char)next();
}

static void find_and_smash(void)
{
    static unsigned long from[PARTS], to[PARTS];
    char line[512];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");

    while (maps != NULL && n < PARTS && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "heddle-wire") != NULL && sscanf(line, "%lx-%lx", &from[n], &to[n]) == 2)
            n++;
    fclose(maps);
    for (int i = 0; i < n; i++)
        if (seed == 0 || next() % 3 == 0)
            smash((unsigned char *)from[i], to[i] - from[i]);
}

static void *body(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    find_and_smash();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    return 0;
}
