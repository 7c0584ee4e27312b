/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - small programs over libuv for Heddle: `harness SCENARIO [ROUNDS]`.
 *
 * More than one round is for a native run, whose speed is measured.  Each makes a loop of its own, uses it from two threads, checks what must be true
 * whatever the order, and takes everything down again (a leak is a finding).
 *
 *   work    two requests for the thread pool, which has two workers; both are done once
 *   async   a thread wakes the loop twice; the last wake-up is never lost
 *   close   a thread wakes the loop, and the loop closes and frees the handle as soon as
 *           it has been woken
 *   twice   the same, but the loop is awake already for another handle's sake when the
 *           thread wakes it
 *   cancel  requests that the loop cancels while the workers take them
 *   lookup  three slow requests (names of addresses): no more than half of the workers at once */
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uv.h"

#define CHECK(call) do { int r_ = (call); assert(r_ == 0); (void)r_; } while (0)

static uv_loop_t *loop;

static void begin(void)
{
    loop = malloc(sizeof *loop);
    assert(loop != NULL);
    CHECK(uv_loop_init(loop));
}

static void end(void)
{
    CHECK(uv_loop_close(loop));
    free(loop);
}

/* ---- the thread pool ----------------------------------------------------------------- */

enum { REQUESTS = 2 };

static struct {
    uv_work_t request;
    int worked, done, status;
} job[REQUESTS];

static void work(uv_work_t *r)
{
    job[(intptr_t)r->data].worked++;
}

static void after(uv_work_t *r, int status)
{
    intptr_t i = (intptr_t)r->data;

    job[i].done++;
    job[i].status = status;
    assert(job[i].worked == (status == 0));
}

static void submit(void)
{
    for (intptr_t i = 0; i < REQUESTS; i++) {
        job[i].worked = job[i].done = 0;
        job[i].request.data = (void *)i;
        CHECK(uv_queue_work(loop, &job[i].request, work, after));
    }
}

static void run_to_end(void)
{
    CHECK(uv_run(loop, UV_RUN_DEFAULT));
    for (int i = 0; i < REQUESTS; i++)
        assert(job[i].done == 1);
}

static void scenario_work(void)
{
    begin();
    submit();
    run_to_end();
    end();
}

static void scenario_cancel(void)
{
    int busy = 0;

    begin();
    submit();
    for (int i = 0; i < REQUESTS; i++)
        busy += uv_cancel((uv_req_t *)&job[i].request) == UV_EBUSY;
    run_to_end();
    for (int i = 0; i < REQUESTS; i++)
        busy -= job[i].status == 0;
    assert(busy == 0); /* what could not be cancelled was done, and nothing else */
    end();
}

/* ---- slow requests ------------------------------------------------------------------- */

enum { LOOKUPS = 3 };

static int found;

static void on_name(uv_getnameinfo_t *r, int status, const char *host, const char *service)
{
    (void)r;
    (void)service;
    assert(status == 0 && strcmp(host, "127.0.0.1") == 0);
    found++;
}

static void scenario_lookup(void)
{
    static uv_getnameinfo_t request[LOOKUPS];
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };

    begin();
    found = 0;
    for (int i = 0; i < LOOKUPS; i++)
        CHECK(uv_getnameinfo(loop, &request[i], on_name, (const struct sockaddr *)&a,
                             NI_NUMERICHOST | NI_NUMERICSERV));
    CHECK(uv_run(loop, UV_RUN_DEFAULT));
    assert(found == LOOKUPS);
    end();
}

/* ---- waking the loop from another thread --------------------------------------------- */

static int sent, seen; /* sent is written before the wake-up and read after it */
static uv_async_t *wake, *other;
static uv_thread_t sender;

static void on_closed(uv_handle_t *h)
{
    free(h);
}

/* The handle must not be closed before the last use of it. */
static void on_wake(uv_async_t *h)
{
    seen++;
    if (__atomic_load_n(&sent, __ATOMIC_SEQ_CST) == 2) {
        CHECK(uv_thread_join(&sender));
        uv_close((uv_handle_t *)h, on_closed);
    }
}

static void send_twice(void *unused)
{
    (void)unused;
    __atomic_store_n(&sent, 1, __ATOMIC_SEQ_CST);
    CHECK(uv_async_send(wake));
    __atomic_store_n(&sent, 2, __ATOMIC_SEQ_CST);
    CHECK(uv_async_send(wake));
}

static void close_now(uv_async_t *h)
{
    seen++;
    uv_close((uv_handle_t *)h, on_closed);
}

static void close_both(uv_async_t *h)
{
    close_now(h);
    uv_close((uv_handle_t *)other, on_closed);
}

static void go_on(uv_async_t *h)
{
    (void)h;
}

static void send_once(void *handle)
{
    CHECK(uv_async_send(handle));
}

static uv_async_t *handle(uv_async_cb on)
{
    uv_async_t *h = malloc(sizeof *h);

    assert(h != NULL);
    CHECK(uv_async_init(loop, h, on));
    return h;
}

static void wake_from(uv_thread_cb code, uv_async_cb on)
{
    begin();
    sent = seen = 0;
    wake = handle(on);
    if (on == close_both) {
        other = handle(go_on);
        CHECK(uv_async_send(other));
    }
    CHECK(uv_thread_create(&sender, code, wake));
    CHECK(uv_run(loop, UV_RUN_DEFAULT));
    if (on != on_wake)
        CHECK(uv_thread_join(&sender));
    assert(seen >= 1);
    end();
}

static void scenario_async(void)
{
    wake_from(send_twice, on_wake);
}

static void scenario_close(void)
{
    wake_from(send_once, close_now);
}


static void scenario_twice(void)
{
    wake_from(send_once, close_both);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenario[] = {
        { "work", scenario_work }, { "async", scenario_async }, { "close", scenario_close },
        { "twice", scenario_twice }, { "cancel", scenario_cancel }, { "lookup", scenario_lookup },
    };

    /* of three, two may do slow work at once */
    setenv("UV_THREADPOOL_SIZE", argc > 1 && strcmp(argv[1], "lookup") == 0 ? "3" : "2", 1);
    for (size_t i = 0; argc > 1 && i < sizeof scenario / sizeof scenario[0]; i++)
        if (strcmp(argv[1], scenario[i].name) == 0) {
            for (int rounds = argc > 2 ? atoi(argv[2]) : 1; rounds > 0; rounds--)
                scenario[i].run();
            uv_library_shutdown(); /* joins the workers */
            return 0;
        }
    fprintf(stderr, "usage: harness work|async|close|twice|cancel|lookup [ROUNDS]\n");
    return 1;
}
