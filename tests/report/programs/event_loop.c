/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event_loop - callbacks on an eventfd and epoll, in the manner of libuv.  Work for the loop is posted from other threads.
 * The callback that closes a session frees it although a callback that was posted before it is still to come. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef void callback(void *);

struct task {
    struct task *next;
    callback *run;
    void *data;
};

struct loop {
    int epoll, wakeup;
    int stopped;
    pthread_mutex_t lock;
    struct task *first, **last;
};

struct session {
    struct loop *loop;
    int replies;
};

static struct loop *loop_new(void)
{
    struct loop *loop = calloc(1, sizeof *loop);
    struct epoll_event ready = { .events = EPOLLIN };

    loop->last = &loop->first;
    loop->epoll = epoll_create1(0);
    loop->wakeup = eventfd(0, EFD_NONBLOCK);
    pthread_mutex_init(&loop->lock, NULL);
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->wakeup, &ready) != 0)
        abort();
    return loop;
}

static void loop_post(struct loop *loop, callback *run, void *data)
{
    struct task *task = malloc(sizeof *task);
    uint64_t one = 1;

    *task = (struct task){ .run = run, .data = data };
    pthread_mutex_lock(&loop->lock);
    *loop->last = task;
    loop->last = &task->next;
    pthread_mutex_unlock(&loop->lock);
    if (write(loop->wakeup, &one, sizeof one) != sizeof one)
        abort();
}

static struct task *loop_take(struct loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    struct task *task = loop->first;

    if (task != NULL && (loop->first = task->next) == NULL)
        loop->last = &loop->first;
    pthread_mutex_unlock(&loop->lock);
    return task;
}

static void loop_run(struct loop *loop)
{
    while (!loop->stopped) {
        struct epoll_event ready;
        uint64_t posted;

        epoll_wait(loop->epoll, &ready, 1, -1);
        if (read(loop->wakeup, &posted, sizeof posted) < 0)
            continue;
        for (struct task *task; (task = loop_take(loop)) != NULL;) {
            task->run(task->data);
            free(task);
        }
    }
}

static void on_reply(void *data)
{
    struct session *session = data;

    session->replies++;
}

static void on_close(void *data)
{
    struct session *session = data;

    session->loop->stopped = 1;
    free(session);
}

static void *resolver(void *data)
{
    struct session *session = data;

    loop_post(session->loop, on_reply, session);
    return NULL;
}

int main(void)
{
    struct loop *loop = loop_new();
    struct session *session = calloc(1, sizeof *session);
    pthread_t thread;

    session->loop = loop;
    pthread_create(&thread, NULL, resolver, session);
    loop_post(loop, on_close, session);
    loop_run(loop);
    pthread_join(thread, NULL);
    close(loop->wakeup);
    close(loop->epoll);
    free(loop);
    return 0;
}
