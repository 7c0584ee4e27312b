/* SPDX-License-Identifier: BSD-2-Clause
 *
 * racing_files.c - a data race, and a file that is changed: the second look at the race and the search
 * must not meet each other's changes. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int plain;

static void *body(void *arg)
{
    plain++;
    pthread_mutex_lock(&mutex);
    FILE *f = fopen("data.txt", "w");

    fputs("spoilt\n", f);
    fclose(f);
    for (volatile int i = 0; i < 5000000; i++)
        ;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    char line[40] = "";
    pthread_t t[2];
    FILE *f = fopen("data.txt", "r");

    assert(f != NULL && fgets(line, sizeof line, f) != NULL && strcmp(line, "precious\n") == 0);
    fclose(f);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, body, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
