/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache_server - a cache that answers over sockets, in the manner of memcached: a listener gives connections to workers
 * through a queue, items have reference counts, and the table has a lock.  `get` looks the item up under the lock but
 * takes its reference after it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WORKERS = 2, BUCKETS = 8 };

struct item {
    struct item *next;
    atomic_int refcount;
    char key[16], value[32];
};

struct connection {
    struct connection *next;
    int fd;
};

struct server {
    struct {
        pthread_mutex_t lock;
        struct item *bucket[BUCKETS];
    } table;
    struct {
        pthread_mutex_t lock;
        pthread_cond_t filled;
        struct connection *first;
        int closed;
    } queue;
    pthread_t worker[WORKERS];
};

static struct item **slot_of(struct server *s, const char *key)
{
    struct item **at = &s->table.bucket[(unsigned char)key[0] % BUCKETS];

    while (*at != NULL && strcmp((*at)->key, key) != 0)
        at = &(*at)->next;
    return at;
}

static void item_release(struct item *it)
{
    if (atomic_fetch_sub(&it->refcount, 1) == 1)
        free(it);
}

static void command_set(struct server *s, const char *key, const char *value)
{
    struct item *it = calloc(1, sizeof *it);

    snprintf(it->key, sizeof it->key, "%s", key);
    snprintf(it->value, sizeof it->value, "%s", value);
    atomic_init(&it->refcount, 1);
    pthread_mutex_lock(&s->table.lock);
    it->next = NULL;
    *slot_of(s, key) = it;
    pthread_mutex_unlock(&s->table.lock);
}

static void command_delete(struct server *s, const char *key)
{
    pthread_mutex_lock(&s->table.lock);
    struct item **at = slot_of(s, key), *it = *at;

    if (it != NULL)
        *at = it->next;
    pthread_mutex_unlock(&s->table.lock);
    if (it != NULL)
        item_release(it);
}

static void command_get(struct server *s, const char *key, char *reply, size_t cap)
{
    pthread_mutex_lock(&s->table.lock);
    struct item *it = *slot_of(s, key);
    pthread_mutex_unlock(&s->table.lock);

    if (it == NULL) {
        snprintf(reply, cap, "END\n");
        return;
    }
    atomic_fetch_add(&it->refcount, 1);
    snprintf(reply, cap, "VALUE %s\n", it->value);
    item_release(it);
}

static void serve(struct server *s, struct connection *c)
{
    char request[64] = "", word[8] = "", key[16] = "", reply[64] = "DELETED\n";

    if (read(c->fd, request, sizeof request - 1) > 0) {
        sscanf(request, "%7s %15s", word, key);
        if (strcmp(word, "get") == 0)
            command_get(s, key, reply, sizeof reply);
        else
            command_delete(s, key);
        if (write(c->fd, reply, strlen(reply)) < 0)
            perror("write");
    }
    close(c->fd);
    free(c);
}

static void *worker_main(void *arg)
{
    struct server *s = arg;

    for (;;) {
        pthread_mutex_lock(&s->queue.lock);
        while (s->queue.first == NULL && !s->queue.closed)
            pthread_cond_wait(&s->queue.filled, &s->queue.lock);
        struct connection *c = s->queue.first;

        if (c != NULL)
            s->queue.first = c->next;
        pthread_mutex_unlock(&s->queue.lock);
        if (c == NULL)
            return NULL;
        serve(s, c);
    }
}

static struct server *server_start(void)
{
    struct server *s = calloc(1, sizeof *s);

    pthread_mutex_init(&s->table.lock, NULL);
    pthread_mutex_init(&s->queue.lock, NULL);
    pthread_cond_init(&s->queue.filled, NULL);
    command_set(s, "user", "ada");
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&s->worker[i], NULL, worker_main, s);
    return s;
}

static void server_accept(struct server *s, int fd)
{
    struct connection *c = malloc(sizeof *c);

    c->fd = fd;
    pthread_mutex_lock(&s->queue.lock);
    c->next = s->queue.first;
    s->queue.first = c;
    pthread_cond_signal(&s->queue.filled);
    pthread_mutex_unlock(&s->queue.lock);
}

static void server_stop(struct server *s)
{
    pthread_mutex_lock(&s->queue.lock);
    s->queue.closed = 1;
    pthread_cond_broadcast(&s->queue.filled);
    pthread_mutex_unlock(&s->queue.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(s->worker[i], NULL);
    free(*slot_of(s, "user"));
    free(s);
}

static int client(struct server *s, const char *request)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || write(pair[0], request, strlen(request)) < 0)
        abort();
    server_accept(s, pair[1]);
    return pair[0];
}

int main(void)
{
    struct server *s = server_start();
    int reader = client(s, "get user\n"), admin = client(s, "delete user\n");

    server_stop(s);
    close(reader);
    close(admin);
    return 0;
}
