/* SPDX-License-Identifier: BSD-2-Clause
 *
 * server_linear.c - a server that tells `heddle linearize` its requests with three lines; its clients do not know of
 * Heddle (docs/linearize.md).
 *
 *     heddle cc -o server server_linear.c && heddle linearize ./server
 *
 * Each connection has a thread of the server.  "add" reads the sum and stores the new one in two critical sections.
 * With -DFIXED it is one. */
#include <heddle/linear.h>

enum { CLIENTS = 2 };

/* A connection holds one request or its reply. */
static struct connection {
    sem_t request, reply;
    int value;
} connection[CLIENTS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static int add(int by)
{
    pthread_mutex_lock(&lock);
    int seen = sum;

#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    sum = seen + by;
    pthread_mutex_unlock(&lock);
    return seen + by;
}

static void *session(void *number)
{
    int self = (int)(intptr_t)number;
    struct connection *c = &connection[self];

    sem_wait(&c->request);
    heddle_request_begin(self, "add %d", c->value); /* 1. a request of this client has been read */
    c->value = add(c->value);
    heddle_request_end("%d", c->value); /* 2. it has been carried out */
    sem_post(&c->reply);
    return 0;
}

static void *client(void *number)
{
    struct connection *c = &connection[(intptr_t)number];

    c->value = 1 + (int)(intptr_t)number;
    sem_post(&c->request);
    sem_wait(&c->reply);
    return 0;
}

int main(void)
{
    pthread_t sessions[CLIENTS], clients[CLIENTS];

    for (int i = 0; i < CLIENTS; i++) {
        sem_init(&connection[i].request, 0, 0);
        sem_init(&connection[i].reply, 0, 0);
        pthread_create(&sessions[i], 0, session, (void *)(intptr_t)i);
        pthread_create(&clients[i], 0, client, (void *)(intptr_t)i);
    }
    heddle_accept(1, 1); /* 3. all are connected, and each sends one request; waits until they are answered */
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i], 0);
        pthread_join(sessions[i], 0);
    }
    heddle_op("%d", sum); /* a probe */
    return 0;
}
