/* SPDX-License-Identifier: BSD-2-Clause
 *
 * arguments.c - getopt permutes argv, strtok writes into it, setenv moves the
 * environment.  Call: arguments one -a x two,three -b */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int words;

static void *split(void *arg)
{
    char *rest = NULL;

    for (char *w = strtok_r(arg, ",", &rest); w != NULL; w = strtok_r(NULL, ",", &rest)) {
        pthread_mutex_lock(&mutex);
        words++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void check_start(int argc, char **argv)
{
    static const char *const expected[] = { "one", "-a", "x", "two,three", "-b" };

    assert(argc == 6 && argv[6] == NULL);
    for (int i = 0; i < 5; i++)
        assert(strcmp(argv[i + 1], expected[i]) == 0);
    assert(optind == 1 && optarg == NULL && words == 0);
    assert(getenv("TRAPS_NEW") == NULL);
    assert(strcmp(getenv("TRAPS_OLD"), "as it was") == 0);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int letters = 0;

    check_start(argc, argv);
    for (int c; (c = getopt(argc, argv, "a:b")) != -1;)
        letters += c;
    assert(letters == 'a' + 'b' && strcmp(argv[optind], "one") == 0);
    pthread_create(&thread, NULL, split, argv[optind + 1]);
    setenv("TRAPS_NEW", "x", 1);
    strcpy(getenv("TRAPS_OLD"), "spoilt");
    unsetenv("TRAPS_OLD");
    putenv(argv[optind]);
    pthread_join(thread, NULL);
    assert(words == 2);
    argv[1] = NULL;
    return 0;
}
