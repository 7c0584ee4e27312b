/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - memcached and its clients in one process: `harness CLIENTS REQUESTS`.
 *
 * memcached's main is renamed at build time and runs in the main thread.  Each client is a
 * thread that connects over the loopback interface and sends REQUESTS requests, one after the
 * other: set, get, increment and delete of keys of its own, and of one that all share.  Every
 * answer is checked.  When all are done, the harness stops the server. */
#include <pthread.h>
#include <stdlib.h>

#include "connection.h"

enum { MAX_CLIENTS = 4 };

int memcached_main(int argc, char **argv);

struct client {
    pthread_t thread;
    int number;
    struct connection connection;
};

static struct client clients[MAX_CLIENTS];
static int nclients, nrequests;

/* ---- one connection ------------------------------------------------------------------ */

static void say(const struct client *c, const char *text)
{
    size_t n = strlen(text);

    assert(write(c->connection.fd, text, n) == (ssize_t)n);
}

static void expect(struct client *c, const char *wanted)
{
    char got[128];

    read_line(&c->connection, got, sizeof got);
    if (strcmp(got, wanted) != 0) {
        fprintf(stderr, "client %d wants '%s' and got '%s'\n", c->number, wanted, got);
        abort();
    }
}

/* ---- requests -------------------------------------------------------------------------- */

static void set(struct client *c, int value)
{
    char text[64];

    snprintf(text, sizeof text, "set own%d 0 0 4\r\n%04d\r\n", c->number, value % 10000);
    say(c, text);
    expect(c, "STORED");
}

static void get(struct client *c, int value)
{
    char text[64];

    snprintf(text, sizeof text, "get own%d\r\n", c->number);
    say(c, text);
    snprintf(text, sizeof text, "VALUE own%d 0 4", c->number);
    expect(c, text);
    snprintf(text, sizeof text, "%04d", value % 10000);
    expect(c, text);
    expect(c, "END");
}

static void count(struct client *c)
{
    char got[128];

    say(c, "incr shared 1\r\n");
    read_line(&c->connection, got, sizeof got);
    assert(atoi(got) > 0);
}

static void forget(struct client *c)
{
    char text[64];

    snprintf(text, sizeof text, "delete own%d\r\n", c->number);
    say(c, text);
    expect(c, "DELETED");
}

static void request(struct client *c, int i)
{
    switch (i % 4) {
    case 0:
        set(c, i);
        break;
    case 1:
        get(c, i - 1);
        break;
    case 2:
        count(c);
        break;
    default:
        forget(c);
    }
}

static void *run_client(void *arg)
{
    struct client *c = arg;

    open_connection(&c->connection);
    for (int i = 0; i < nrequests; i++)
        request(c, i);
    close(c->connection.fd);
    return NULL;
}

/* ---- all of it --------------------------------------------------------------------------- */

/* No increment of the shared counter is lost; then the server goes. */
static void *control(void *arg)
{
    struct client c = { .number = 9 };
    char total[16];

    open_connection(&c.connection);
    say(&c, "set shared 0 0 1\r\n0\r\n");
    expect(&c, "STORED");
    for (int i = 0; i < nclients; i++)
        pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
    for (int i = 0; i < nclients; i++)
        pthread_join(clients[i].thread, NULL);
    snprintf(total, sizeof total, "%d", nclients * ((nrequests + 1) / 4));
    say(&c, "incr shared 0\r\n");
    expect(&c, total);
    say(&c, "shutdown graceful\r\n");
    return arg;
}

int main(int argc, char **argv)
{
    static char *server[] = {
        "memcached", "-A", "-l", "127.0.0.1", "-p", "22122", "-U", "0", "-t", "2", "-m", "8", "-u", "root",
        "-c", "32", "-o",
        "hashpower=12,no_lru_maintainer,no_lru_crawler,no_slab_reassign,no_hashexpand", NULL
    };
    pthread_t t;

    if (argc != 3 || atoi(argv[1]) < 1 || atoi(argv[1]) > MAX_CLIENTS) {
        fprintf(stderr, "usage: harness CLIENTS REQUESTS\n");
        return 1;
    }
    nclients = atoi(argv[1]);
    nrequests = atoi(argv[2]);
    for (int i = 0; i < nclients; i++)
        clients[i].number = i;
    pthread_create(&t, NULL, control, NULL);
    int result = memcached_main(sizeof server / sizeof server[0] - 1, server);

    pthread_join(t, NULL);
    return result;
}
