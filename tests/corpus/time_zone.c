/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time_zone.c - a thread changes the time zone while main asks for a local time.
 *   HOW 1  tzset and localtime_r: main may see the new zone
 *       2  localtime takes a changed TZ over by itself: main may see the new zone
 *       3  after main has joined the thread it does see the new zone: correct */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

static void *changes(void *arg)
{
    setenv("TZ", "XXX5", 1);
    if (HOW != 2)
        tzset();
    return arg;
}

static int hour(void)
{
    time_t t = 10 * 86400;
    struct tm room;

    return HOW == 1 ? localtime_r(&t, &room)->tm_hour : localtime(&t)->tm_hour;
}

int main(void)
{
    pthread_t other;
    int seen = 0;

    setenv("TZ", "UTC0", 1);
    tzset();
    pthread_create(&other, NULL, changes, NULL);
    if (HOW != 3)
        seen = hour();
    pthread_join(other, NULL);
    assert(seen == 0);
    assert(HOW != 3 || hour() == 19);
    return 0;
}
