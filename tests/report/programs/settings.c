/* SPDX-License-Identifier: BSD-2-Clause
 *
 * settings.c - the main thread takes for granted that a thread which it has created has not yet changed
 * variables of all types. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum mode { IDLE, RUNNING = 7 };

struct item {
    int weight;
};

static struct {
    int delta;
    unsigned limit;
    char letter;
    bool on;
} settings;
static enum mode mode;
static double ratio;
static struct item *best;
static const char *name;
static struct item heavy = { 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *change(void *unused)
{
    pthread_mutex_lock(&lock);
    settings.delta = -5;
    settings.limit = 4000000000u;
    settings.letter = 'x';
    mode = RUNNING;
    settings.on = true;
    ratio = 0.25;
    best = &heavy;
    name = "new";
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t writer;

    pthread_create(&writer, NULL, change, NULL);
    pthread_mutex_lock(&lock);
    assert(settings.delta >= 0 || settings.limit < 9 || settings.letter != 'x' || mode != RUNNING ||
           !settings.on || ratio > 1 || best == NULL || name == NULL);
    pthread_mutex_unlock(&lock);
    pthread_join(writer, NULL);
    return 0;
}
