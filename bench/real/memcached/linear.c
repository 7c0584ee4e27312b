/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.c - memcached with two clients, a test of `heddle linearize`: `linear FIRST SECOND`.
 *
 * FIRST and SECOND are the requests of each client, separated by commas ("set k 0 0 1=1,get k": what follows = is the data
 * block).  The key k has the value 5 before.  The server is started and both clients are connected before heddle_start.
 * In a cas, @ stands for the number that the client's last gets or gats was answered with.  "count k" is no request of
 * memcached: a get and a set of the next number, as one operation.  Results are the answers as the server writes them, without the
 * numbers of gets and gats and the seconds of me.  Then probes read both keys, and the dump of the server's items is the
 * state. */
#include <heddle/linear.h>

#include "connection.h"

int memcached_main(int argc, char **argv);

static struct connection connection[3]; /* of the clients, and for set-up and probes */
static char *script[2];
static long unique[2]; /* of the last gets or gats of each client */

static int has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Keeps the number at the end of the line "VALUE key flags bytes number". */
static void take_unique(const struct connection *c, char *line)
{
    char *last = strrchr(line, ' ');

    if (has_prefix(line, "VALUE") && last != NULL) {
        unique[c == &connection[1]] = atol(last);
        *last = '\0';
    }
}

/* Removes the seconds since the last access from an answer to "me". */
static void drop_time(char *line)
{
    char *word = has_prefix(line, "ME ") ? strstr(line, " la=") : NULL;
    const char *next = word != NULL ? word + 1 + strcspn(word + 1, " ") : NULL;

    if (word != NULL)
        memmove(word, next, strlen(next) + 1);
}

/* Writes the request as it is sent, with its data block. */
static int compose(const struct connection *c, const char *request, char *text, size_t cap)
{
    const char *data = strchr(request, '='), *mark = strchr(request, '@');

    if (mark != NULL)
        return snprintf(text, cap, "%.*s%ld\r\n%s\r\n", (int)(mark - request), request, unique[c == &connection[1]], data + 1);
    return data == NULL ? snprintf(text, cap, "%s\r\n", request)
                        : snprintf(text, cap, "%.*s\r\n%s\r\n", (int)(data - request), request, data + 1);
}

/* Sends a request and puts the lines of its answer into one. */
static void ask(struct connection *c, const char *request, char *answer, size_t cap)
{
    char text[256], got[200];
    int n = compose(c, request, text, sizeof text), more = 1;

    assert(write(c->fd, text, (size_t)n) == n);
    for (answer[0] = '\0'; more;) {
        size_t used = strlen(answer);

        read_line(c, got, sizeof got);
        if (has_prefix(request, "gets") || has_prefix(request, "gats"))
            take_unique(c, got);
        drop_time(got);
        snprintf(answer + used, cap - used, "%s%s", used > 0 ? " | " : "", got);
        more = has_prefix(got, "VALUE") || has_prefix(got, "ITEM") || has_prefix(got, "VA ") ||
               (used > 0 && (has_prefix(request, "get") || has_prefix(request, "gat")) && !has_prefix(got, "END"));
    }
}

static void count(struct connection *c, char *answer, size_t cap)
{
    char text[64];

    ask(c, "get k", answer, cap);
    const char *value = strchr(answer, '|');

    snprintf(text, sizeof text, "set k 0 0 1=%d", value != NULL ? atoi(value + 1) + 1 : 1);
    ask(c, text, answer, cap);
}

static void request(struct connection *c, const char *text)
{
    char answer[1024];

    heddle_call("%s", text);
    if (has_prefix(text, "count"))
        count(c, answer, sizeof answer);
    else
        ask(c, text, answer, sizeof answer);
    if (strstr(answer, "ERROR") != NULL)
        heddle_return_error("%s", answer);
    else
        heddle_return("%s", answer);
}

static void client(int number)
{
    char rest[256], *at;

    snprintf(rest, sizeof rest, "%s", script[number]);
    for (char *word = strtok_r(rest, ",", &at); word != NULL; word = strtok_r(NULL, ",", &at))
        request(&connection[number], word);
}

static void first(void)
{
    client(0);
}

static void second(void)
{
    client(1);
}

/* The items of the smallest slab class, without the seconds that they have left. */
static void tell_state(struct connection *c)
{
    char answer[1024], *at;

    ask(c, "stats cachedump 1 0", answer, sizeof answer);
    heddle_set("items");
    for (char *item = strtok_r(answer, "|", &at); item != NULL; item = strtok_r(NULL, "|", &at)) {
        char key[32];
        int bytes;

        if (sscanf(item, " ITEM %31s [%d b;", key, &bytes) == 2)
            heddle_element("%s: %d bytes", key, bytes);
    }
}

static void *control(void *unused)
{
    char answer[1024];

    for (int i = 0; i < 3; i++) {
        open_connection(&connection[i]);
        ask(&connection[i], "version", answer, sizeof answer);
    }
    ask(&connection[2], "set k 0 0 1=5", answer, sizeof answer);
    heddle_start();
    heddle_clients(first, second);
    request(&connection[2], "get k");
    request(&connection[2], "get l");
    tell_state(&connection[2]);
    assert(write(connection[2].fd, "shutdown graceful\r\n", 19) == 19);
    return unused;
}

int main(int argc, char **argv)
{
    static char *server[] = {
        "memcached", "-A", "-l", "127.0.0.1", "-p", "22122", "-U", "0", "-t", "2", "-m", "8", "-u", "root",
        "-c", "32", "-o",
        "hashpower=12,no_lru_maintainer,no_lru_crawler,no_slab_reassign,no_hashexpand", NULL
    };
    pthread_t t;

    if (argc != 3)
        return 1;
    script[0] = argv[1];
    script[1] = argv[2];
    pthread_create(&t, NULL, control, NULL);
    int result = memcached_main(sizeof server / sizeof server[0] - 1, server);

    pthread_join(t, NULL);
    return result;
}
