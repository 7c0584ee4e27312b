/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - a loop of libuv with a pool of two threads, once per execution.
 *
 *   harness work    three requests for the pool; each is done once, and told of once
 *   harness async   a thread of its own wakes the loop up twice: it hears of it at least once,
 *                   and after the last time
 *   harness cancel  of three requests the last is cancelled, if it has not begun
 *   harness close   the loop closes the handle when it was woken up once; the thread has been
 *                   joined before
 *   harness free    two threads wake the loop up by a handle each; it closes and frees the
 *                   handle that it hears of, while that thread may still be in uv_async_send */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define REQUESTS 3

struct request {
    uv_work_t work; /* first: the library gives back a pointer to it */
    int done, told, status;
};

static uv_loop_t loop;
static struct request requests[REQUESTS];
static uv_async_t async;
static uv_thread_t sender;
static uv_mutex_t mutex;
static int sent, heard;

static void work(uv_work_t *w)
{
    ((struct request *)(void *)w)->done++;
}

static void told(uv_work_t *w, int status)
{
    struct request *r = (struct request *)(void *)w;

    r->told++;
    r->status = status;
}

static void queue_all(void)
{
    for (int i = 0; i < REQUESTS; i++)
        assert(uv_queue_work(&loop, &requests[i].work, work, told) == 0);
}

static void check_all(void)
{
    for (int i = 0; i < REQUESTS; i++) {
        assert(requests[i].told == 1);
        assert(requests[i].done == (requests[i].status == 0));
    }
}

static void run_work(void)
{
    queue_all();
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    check_all();
    assert(requests[0].done + requests[1].done + requests[2].done == REQUESTS);
}

static void run_cancel(void)
{
    queue_all();
    int rc = uv_cancel((uv_req_t *)&requests[REQUESTS - 1].work);

    assert(rc == 0 || rc == UV_EBUSY);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    check_all();
    assert(requests[REQUESTS - 1].status == (rc == 0 ? UV_ECANCELED : 0));
}

static void on_async(uv_async_t *a)
{
    uv_mutex_lock(&mutex);
    heard = sent;
    uv_mutex_unlock(&mutex);
    if (heard == 2)
        uv_close((uv_handle_t *)a, NULL);
}

static void send_twice(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        uv_mutex_lock(&mutex);
        sent++;
        uv_mutex_unlock(&mutex);
        assert(uv_async_send(&async) == 0);
    }
}

static void run_async(void)
{
    assert(uv_async_init(&loop, &async, on_async) == 0);
    assert(uv_thread_create(&sender, send_twice, NULL) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    assert(heard == 2);
    assert(uv_thread_join(&sender) == 0);
}

static void on_first(uv_async_t *a)
{
    assert(uv_thread_join(&sender) == 0);
    uv_close((uv_handle_t *)a, NULL);
}

static void run_close(void)
{
    assert(uv_async_init(&loop, &async, on_first) == 0);
    assert(uv_thread_create(&sender, send_twice, NULL) == 0);
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
}

static void on_closed(uv_handle_t *h)
{
    free(h);
}

static void on_own(uv_async_t *a)
{
    uv_close((uv_handle_t *)a, on_closed);
}

static void send_once(void *a)
{
    assert(uv_async_send(a) == 0);
}

static void run_free(void)
{
    uv_thread_t threads[2];

    for (int i = 0; i < 2; i++) {
        uv_async_t *a = malloc(sizeof *a);

        assert(a != NULL && uv_async_init(&loop, a, on_own) == 0);
        assert(uv_thread_create(&threads[i], send_once, a) == 0);
    }
    assert(uv_run(&loop, UV_RUN_DEFAULT) == 0);
    for (int i = 0; i < 2; i++)
        assert(uv_thread_join(&threads[i]) == 0);
}

/* setenv would allocate by the number of variables that there are: another one in every shell. */
extern char **environ;

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = { { "work", run_work }, { "async", run_async }, { "cancel", run_cancel },
                  { "close", run_close }, { "free", run_free } };

    environ = (char *[]){ (char[]){ "UV_THREADPOOL_SIZE=2" }, NULL };
    assert(uv_mutex_init(&mutex) == 0);
    assert(uv_loop_init(&loop) == 0);
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].run();
            assert(uv_loop_close(&loop) == 0);
            uv_library_shutdown();
            return 0;
        }
    fprintf(stderr, "usage: harness work|async|cancel|close|free\n");
    return 2;
}
