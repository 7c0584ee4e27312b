/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hashmap - a hash map in the heap with a lock for each bucket.  map_move takes the locks of two buckets in
 * the order of its arguments. */
#include <pthread.h>
#include <stdlib.h>

struct entry {
    struct entry *next;
    const char *key;
};

struct bucket {
    pthread_mutex_t lock;
    struct entry *first;
};

struct map {
    size_t n;
    struct bucket *buckets;
};

static struct map *map_create(size_t n)
{
    struct map *m = calloc(1, sizeof *m);

    m->n = n;
    m->buckets = calloc(n, sizeof *m->buckets);
    for (size_t i = 0; i < n; i++)
        pthread_mutex_init(&m->buckets[i].lock, NULL);
    return m;
}

static struct bucket *bucket_of(struct map *m, const char *key)
{
    return &m->buckets[(unsigned char)key[0] % m->n];
}

static void map_put(struct map *m, const char *key)
{
    struct bucket *b = bucket_of(m, key);
    struct entry *e = malloc(sizeof *e);

    e->key = key;
    pthread_mutex_lock(&b->lock);
    e->next = b->first;
    b->first = e;
    pthread_mutex_unlock(&b->lock);
}

static void map_move(struct map *m, const char *from, const char *to)
{
    struct bucket *a = bucket_of(m, from), *b = bucket_of(m, to);

    pthread_mutex_lock(&a->lock);
    pthread_mutex_lock(&b->lock);
    struct entry *e = a->first;

    if (e != NULL) {
        a->first = e->next;
        e->key = to;
        e->next = b->first;
        b->first = e;
    }
    pthread_mutex_unlock(&b->lock);
    pthread_mutex_unlock(&a->lock);
}

static void *worker(void *arg)
{
    map_put(arg, "c");
    map_move(arg, "b", "a");
    return NULL;
}

int main(void)
{
    struct map *m = map_create(8);
    pthread_t t;

    pthread_create(&t, NULL, worker, m);
    map_put(m, "a");
    map_move(m, "a", "b");
    pthread_join(t, NULL);
    return 0;
}
