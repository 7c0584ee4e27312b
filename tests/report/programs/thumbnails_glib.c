/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thumbnails_glib - GLib: requests go through a GAsyncQueue to a GThread, which keeps what it has made in a
 * GHashTable.  Both look the name up and insert it in two critical sections, so that a thumbnail is made twice. */
#include <glib.h>

typedef struct {
    GMutex lock;
    GHashTable *made;
    gint renderings;
} Cache;

typedef struct {
    Cache *cache;
    GAsyncQueue *requests;
} Service;

static gboolean cache_has(Cache *cache, const char *name)
{
    g_mutex_lock(&cache->lock);
    gboolean found = g_hash_table_contains(cache->made, name);
    g_mutex_unlock(&cache->lock);
    return found;
}

static void cache_render(Cache *cache, const char *name)
{
    g_mutex_lock(&cache->lock);
    g_hash_table_insert(cache->made, g_strdup(name), g_strdup_printf("%s.png", name));
    cache->renderings++;
    g_mutex_unlock(&cache->lock);
}

static void service_show(Service *service, const char *name)
{
    if (!cache_has(service->cache, name))
        cache_render(service->cache, name);
}

static gpointer service_main(gpointer data)
{
    Service *service = data;
    char *name = g_async_queue_pop(service->requests);

    service_show(service, name);
    g_free(name);
    return NULL;
}

int main(void)
{
    Cache *cache = g_new0(Cache, 1);
    Service *service = g_new0(Service, 1);

    g_mutex_init(&cache->lock);
    cache->made = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    service->cache = cache;
    service->requests = g_async_queue_new();
    GThread *thread = g_thread_new("thumbnails", service_main, service);

    g_async_queue_push(service->requests, g_strdup("cat"));
    service_show(service, "cat");
    g_thread_join(thread);
    g_assert_cmpint(cache->renderings, ==, 1);
    g_hash_table_destroy(cache->made);
    g_async_queue_unref(service->requests);
    g_free(service);
    g_free(cache);
    return 0;
}
