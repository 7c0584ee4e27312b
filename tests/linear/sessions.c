/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sessions.c - a server with a thread for each connection, and clients in the same process: a table of numbers behind a
 * text protocol, with a thread that keeps the log, started when the server is.
 *
 * "add N" reads the sum and stores the new one in two critical sections; with -DFIXED in one.  With -DASKED the clients say
 * what their requests are, otherwise the server does (heddle_request_begin, heddle_request_end, heddle_accept). */
#include <heddle/linear.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT 7193

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;
static int sum, lines, ready, listener, over;

/* ---- the server --------------------------------------------------------------------------- */

static void *keep_log(void *unused)
{
    pthread_mutex_lock(&log_lock);
    ready = 1;
    pthread_cond_broadcast(&written);
    while (!over)
        pthread_cond_wait(&written, &log_lock);
    pthread_mutex_unlock(&log_lock);
    return unused;
}

static void note(void)
{
    pthread_mutex_lock(&log_lock);
    lines++;
    pthread_mutex_unlock(&log_lock);
}

static int add(int by)
{
    pthread_mutex_lock(&table);
    int seen = sum;
#ifndef FIXED
    pthread_mutex_unlock(&table);
    pthread_mutex_lock(&table);
#endif
    sum = seen + by;
    pthread_mutex_unlock(&table);
    return seen + by;
}

static int carry_out(const char *line)
{
    int by;

    note();
    return sscanf(line, "add %d", &by) == 1 ? add(by) : -1;
}

static void *session(void *arg)
{
    int fd = (int)(intptr_t)arg, from;
    char line[32], reply[32];

    while (read(fd, line, sizeof line) == sizeof line) {
        if (sscanf(line, "%d", &from) != 1)
            break;
#ifndef ASKED
        heddle_request_begin(from, "%s", line + 2);
#endif
        memset(reply, 0, sizeof reply);
        snprintf(reply, sizeof reply, "%d", carry_out(line + 2));
#ifndef ASKED
        heddle_request_end("%s", reply);
#endif
        if (write(fd, reply, sizeof reply) != sizeof reply)
            break;
    }
    close(fd);
    return 0;
}

static struct sockaddr_in address(void)
{
    struct sockaddr_in a;

    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(PORT);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

static void initialise(pthread_t *logger)
{
    struct sockaddr_in a = address();

    pthread_create(logger, 0, keep_log, 0);
    pthread_mutex_lock(&log_lock);
    while (!ready)
        pthread_cond_wait(&written, &log_lock);
    pthread_mutex_unlock(&log_lock);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&a, sizeof a) != 0 || listen(listener, 4) != 0)
        exit(1);
}

/* ---- its clients ---------------------------------------------------------------------------- */

/* Sends "FROM add BY" and returns the reply. */
static int ask(int fd, int from, int by)
{
    char line[32] = "", reply[32] = "";

    snprintf(line, sizeof line, "%d add %d", from, by);
    if (write(fd, line, sizeof line) != sizeof line || read(fd, reply, sizeof reply) != sizeof reply)
        exit(1);
    return atoi(reply);
}

static int connected[2];

static void *client(void *arg)
{
    int self = (int)(intptr_t)arg;

    for (int i = 0; i < 1 + self; i++)
#ifdef ASKED
        heddle_op("%d", ask(connected[self], self, 1 + self));
#else
        ask(connected[self], self, 1 + self);
#endif
    return 0;
}

static void connect_both(pthread_t *of_session)
{
    struct sockaddr_in a = address();

    for (int i = 0; i < 2; i++) {
        connected[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connected[i], (struct sockaddr *)&a, sizeof a) != 0)
            exit(1);
        pthread_create(&of_session[i], 0, session, (void *)(intptr_t)accept(listener, 0, 0));
    }
}

#ifdef ASKED
static void one(void)
{
    client((void *)0);
}

static void two(void)
{
    client((void *)1);
}
#endif

int main(void)
{
    pthread_t logger, of_session[2], of_client[2];

    initialise(&logger);
    connect_both(of_session);
    heddle_start();
#ifdef ASKED
    (void)of_client;
    heddle_clients(one, two);
#else
    for (int i = 0; i < 2; i++)
        pthread_create(&of_client[i], 0, client, (void *)(intptr_t)i);
    heddle_accept(1, 2);
    for (int i = 0; i < 2; i++)
        pthread_join(of_client[i], 0);
#endif
    for (int i = 0; i < 2; i++) {
        close(connected[i]);
        pthread_join(of_session[i], 0);
    }
    heddle_op("%d", sum);
    heddle_set("log");
    heddle_element("%d", lines);
    pthread_mutex_lock(&log_lock);
    over = 1;
    pthread_cond_broadcast(&written);
    pthread_mutex_unlock(&log_lock);
    pthread_join(logger, 0);
    return 0;
}
