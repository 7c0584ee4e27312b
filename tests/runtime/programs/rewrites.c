/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rewrites.c - changes a file that must be what it was when an execution begins: fails when it is
 * not.  With "slow" it takes its time between the changes. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int slow;

static void put(const char *text)
{
    FILE *f = fopen("data.txt", "w");

    fputs(text, f);
    fclose(f);
}

static void *body(void *arg)
{
    pthread_mutex_lock(&mutex);
    put("spoilt\n");
    for (volatile long i = 0; slow && i < 300000000; i++)
        ;
    mkdir("made", 0700);
    put("spoilt again\n");
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(int argc, char **argv)
{
    char line[40] = "";
    pthread_t t[2];
    FILE *f = fopen("data.txt", "r");

    slow = argc > 1 && strcmp(argv[1], "slow") == 0;
    assert(f != NULL && fgets(line, sizeof line, f) != NULL && strcmp(line, "precious\n") == 0);
    assert(access("made", F_OK) != 0);
    fclose(f);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, body, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
