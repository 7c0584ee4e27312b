/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_result.c - two threads call a function of libc whose result lies in memory that all threads share.
 *   HOW 0  nothing orders the calls: one thread may see the result of the other
 *       1  the _r variant: correct
 *       2  the calls and the use of the result are ordered by a mutex: correct */
#include <assert.h>
#include <getopt.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *re_comp(const char *pattern);
int re_exec(const char *text);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void begin(void)
{
#if HOW == 2
    pthread_mutex_lock(&lock);
#endif
}

static void end(void)
{
#if HOW == 2
    pthread_mutex_unlock(&lock);
#endif
}

static void *use(void *arg)
{
    long day = (long)arg;
    time_t t = day * 86400;

    begin();
#if defined DATE
    struct tm room;
    struct tm *got = HOW == 1 ? gmtime_r(&t, &room) : gmtime(&t);

    assert(got->tm_yday == day);
#elif defined TEXT
    char room[32], mine[32];

    ctime_r(&t, mine);
    assert(strcmp(HOW == 1 ? ctime_r(&t, room) : ctime(&t), mine) == 0);
#elif defined MIXED /* ctime fills the record of localtime */
    if (day == 1)
        assert(localtime(&t)->tm_yday == 1);
    else
        assert(ctime(&t) != NULL);
#elif defined USER
    assert(strcmp(getpwuid(0)->pw_name, "root") == 0);
#elif defined OPTIONS
    char *arguments[] = { "program", "-a", NULL };

    assert(getopt(2, arguments, "a") == 'a');
    optind = 1;
#elif defined TABLE
    assert(hsearch((ENTRY){ .key = day == 1 ? "a" : "b" }, ENTER) != NULL);
#elif defined PATTERN
    assert(re_comp(day == 1 ? "a" : "b") == NULL && re_exec(day == 1 ? "a" : "b") == 1);
#endif
    end();
    return NULL;
}

int main(void)
{
    pthread_t other;

    hcreate(8);
    pthread_create(&other, NULL, use, (void *)1);
    use((void *)2);
    pthread_join(other, NULL);
    return 0;
}
