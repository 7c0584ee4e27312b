/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shards - counters in an array of structures in the heap.  A shard is read by stats_total with its lock, but
 * reset without it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHARDS = 4 };

struct shard {
    pthread_mutex_t lock;
    struct {
        long hits, misses;
    } count;
};

struct stats {
    const char *name;
    struct shard *shard;
};

static struct stats *stats_new(const char *name)
{
    struct stats *s = malloc(sizeof *s);

    s->name = name;
    s->shard = calloc(SHARDS, sizeof *s->shard);
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&s->shard[i].lock, NULL);
    return s;
}

static void stats_hit(struct stats *s, unsigned key)
{
    struct shard *shard = &s->shard[key % SHARDS];

    pthread_mutex_lock(&shard->lock);
    shard->count.hits++;
    pthread_mutex_unlock(&shard->lock);
}

static void stats_reset(struct stats *s)
{
    for (int i = 0; i < SHARDS; i++)
        s->shard[i].count.hits = 0;
}

static void *visitor(void *arg)
{
    stats_hit(arg, 42);
    return NULL;
}

int main(void)
{
    struct stats *s = stats_new("pages");
    pthread_t t;

    pthread_create(&t, NULL, visitor, s);
    stats_reset(s);
    pthread_join(t, NULL);
    free(s->shard);
    free(s);
    return 0;
}
