/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - small programs over nng's inproc transport: `harness SCENARIO [ROUNDS]`.
 *
 *   pair    two threads say a word to each other over a pair of sockets
 *   reqrep  a client asks twice, a server thread answers
 *   reply   a client asks once, and the server's socket is closed while it answers
 *   close   a socket is closed while another thread waits to receive from it
 *   aio     an asynchronous receive is cancelled while the message is on its way: it ends
 *           once, with the message or without
 *
 * nng's own threads (two for tasks, one each for time-outs, reaping, names and readiness)
 * are started and taken down in every execution; more than one round is for a native run. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nng/nng.h>
#include <nng/protocol/pair0/pair.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <nng/supplemental/util/platform.h>

#define URL "inproc://here"
#define CHECK(call) do { int r_ = (call); if (r_ != 0) { fprintf(stderr, "%s: %s\n", #call, nng_strerror(r_)); abort(); } } while (0)

static nng_socket mine, other;

static void say(nng_socket s, const char *word)
{
    CHECK(nng_send(s, (void *)(uintptr_t)word, strlen(word) + 1, 0));
}

static void hear(nng_socket s, const char *word)
{
    char text[16];
    size_t n = sizeof text;

    CHECK(nng_recv(s, text, &n, 0));
    assert(n == strlen(word) + 1 && strcmp(text, word) == 0);
}

static void pair_up(void)
{
    CHECK(nng_pair0_open(&mine));
    CHECK(nng_pair0_open(&other));
    CHECK(nng_listen(mine, URL, NULL, 0));
    CHECK(nng_dial(other, URL, NULL, 0));
}

static void finish(pthread_t t)
{
    pthread_join(t, NULL);
    CHECK(nng_close(other));
    CHECK(nng_close(mine));
}

/* ---- pair ------------------------------------------------------------------------------- */

static void *answer(void *arg)
{
    hear(other, "ping");
    say(other, "pong");
    return arg;
}

static void scenario_pair(void)
{
    pthread_t t;

    pair_up();
    pthread_create(&t, NULL, answer, NULL);
    say(mine, "ping");
    hear(mine, "pong");
    finish(t);
}

/* ---- request and reply ----------------------------------------------------------------- */

/* A request comes again when its answer takes too long: it answers until it is closed. */
static void *serve(void *arg)
{
    char text[16];
    size_t n = sizeof text;

    while (nng_recv(other, text, &n, 0) == 0) {
        assert(n == sizeof "ask" && strcmp(text, "ask") == 0);
        int r = nng_send(other, "told", sizeof "told", 0);

        assert(r == 0 || r == NNG_ECLOSED);
        n = sizeof text;
    }
    return arg;
}

static void scenario_reqrep(void)
{
    pthread_t t;

    CHECK(nng_rep0_open(&other));
    CHECK(nng_req0_open(&mine));
    CHECK(nng_listen(other, URL, NULL, 0));
    CHECK(nng_dial(mine, URL, NULL, 0));
    pthread_create(&t, NULL, serve, NULL);
    for (int i = 0; i < 2; i++) {
        say(mine, "ask");
        hear(mine, "told");
    }
    CHECK(nng_close(other));
    pthread_join(t, NULL);
    CHECK(nng_close(mine));
}

static void scenario_reply(void)
{
    pthread_t t;

    CHECK(nng_rep0_open(&other));
    CHECK(nng_req0_open(&mine));
    CHECK(nng_listen(other, URL, NULL, 0));
    CHECK(nng_dial(mine, URL, NULL, 0));
    pthread_create(&t, NULL, serve, NULL);
    say(mine, "ask");
    CHECK(nng_close(other));
    pthread_join(t, NULL);
    CHECK(nng_close(mine));
}

/* ---- closing ---------------------------------------------------------------------------- */

static void *receive_until_closed(void *arg)
{
    char text[16];
    size_t n = sizeof text;
    int r = nng_recv(other, text, &n, 0);

    assert(r == NNG_ECLOSED || r == NNG_ENOENT);
    return arg;
}

static void scenario_close(void)
{
    pthread_t t;

    pair_up();
    pthread_create(&t, NULL, receive_until_closed, NULL);
    CHECK(nng_close(other));
    pthread_join(t, NULL);
    CHECK(nng_close(mine));
}

/* ---- cancelling --------------------------------------------------------------------------- */

static int ended; /* read when no thread can write it any longer */

static void on_end(void *unused)
{
    (void)unused;
    ended++;
}

static void *send_word(void *arg)
{
    say(mine, "word");
    return arg;
}

static void scenario_aio(void)
{
    nng_aio *aio;
    pthread_t t;

    ended = 0;
    pair_up();
    CHECK(nng_aio_alloc(&aio, on_end, NULL));
    nng_recv_aio(other, aio);
    pthread_create(&t, NULL, send_word, NULL);
    nng_aio_cancel(aio);
    nng_aio_wait(aio);
    assert(ended == 1);
    if (nng_aio_result(aio) == 0)
        nng_msg_free(nng_aio_get_msg(aio));
    else
        assert(nng_aio_result(aio) == NNG_ECANCELED);
    nng_aio_free(aio);
    finish(t);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenario[] = {
        { "pair", scenario_pair }, { "reqrep", scenario_reqrep },
        { "reply", scenario_reply }, { "close", scenario_close }, { "aio", scenario_aio },
    };

    for (size_t i = 0; argc > 1 && i < sizeof scenario / sizeof scenario[0]; i++)
        if (strcmp(argv[1], scenario[i].name) == 0) {
            for (int rounds = argc > 2 ? atoi(argv[2]) : 1; rounds > 0; rounds--) {
                scenario[i].run();
                nng_fini();
            }
            return 0;
        }
    fprintf(stderr, "usage: harness pair|reqrep|reply|close|aio [ROUNDS]\n");
    return 1;
}
