/* SPDX-License-Identifier: BSD-2-Clause
 *
 * glib - locks, queues and pools of a library that has its own atomics and futexes.
 *
 *     glib mutex|pool|queue|deadlock
 *
 * Claim: all of them end with the right sum.  False for "deadlock" only, where two
 * threads take two locks in opposite orders. */
#include <assert.h>
#include <glib.h>
#include <string.h>

static GMutex lock, first, second;
static GAsyncQueue *queue;
static int sum;

static gpointer add_twice(gpointer arg)
{
    for (int i = 0; i < 2; i++) {
        g_mutex_lock(&lock);
        sum++;
        g_mutex_unlock(&lock);
    }
    return arg;
}

static void add(gpointer what, gpointer arg)
{
    (void)arg;
    g_mutex_lock(&lock);
    sum += GPOINTER_TO_INT(what);
    g_mutex_unlock(&lock);
}

static gpointer in_order(gpointer arg)
{
    g_mutex_lock(&first);
    g_mutex_lock(&second);
    g_mutex_unlock(&second);
    g_mutex_unlock(&first);
    return arg;
}

static gpointer produce(gpointer arg)
{
    int *item = g_new(int, 1);

    *item = 42;
    g_async_queue_push(queue, item);
    return arg;
}

static void with_mutex(void)
{
    GThread *a = g_thread_new("a", add_twice, NULL), *b = g_thread_new("b", add_twice, NULL);

    g_thread_join(a);
    g_thread_join(b);
    assert(sum == 4);
}

static void with_pool(void)
{
    GThreadPool *pool = g_thread_pool_new(add, NULL, 2, TRUE, NULL);

    g_thread_pool_push(pool, GINT_TO_POINTER(1), NULL);
    g_thread_pool_push(pool, GINT_TO_POINTER(2), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    assert(sum == 3);
}

static void with_two(void)
{
    GThread *a = g_thread_new("a", in_order, NULL);

    g_mutex_lock(&second);
    g_mutex_lock(&first);
    g_mutex_unlock(&first);
    g_mutex_unlock(&second);
    g_thread_join(a);
}

static void with_queue(void)
{
    queue = g_async_queue_new();
    GThread *a = g_thread_new("a", produce, NULL);
    int *item = g_async_queue_pop(queue);

    assert(*item == 42);
    g_free(item);
    g_thread_join(a);
    g_async_queue_unref(queue);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "mutex") == 0)
        with_mutex();
    else if (strcmp(argv[1], "pool") == 0)
        with_pool();
    else if (strcmp(argv[1], "deadlock") == 0)
        with_two();
    else
        with_queue();
    return 0;
}
