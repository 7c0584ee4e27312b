/* SPDX-License-Identifier: BSD-2-Clause
 *
 * load.c - dlopen of a library with state.  Call: load PLUGIN [THREADS]; with
 * THREADS, that many run before, and one more is made after. */
#include <dlfcn.h>
#include <stdlib.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static __thread int mine = 5;
static int (*call)(void);

static void *bump(void *arg)
{
    assert(mine == 5);
    mine++;
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *use(void *arg)
{
    bump(arg);
    pthread_mutex_lock(&mutex);
    int value = call();

    pthread_mutex_unlock(&mutex);
    assert(value == 11 || value == 12); /* own TLS, common counter */
    return arg;
}

int main(int argc, char **argv)
{
    int before = argc > 2 ? atoi(argv[2]) : 0;
    pthread_t thread[64], a, b;

    assert(count == 0 && mine == 5 && call == NULL);
    for (int i = 0; i < before; i++)
        pthread_create(&thread[i], NULL, bump, NULL);
    for (int i = 0; i < before; i++)
        pthread_join(thread[i], NULL);
    void *plugin = dlopen(argv[1], RTLD_NOW);

    assert(plugin != NULL);
    call = (int (*)(void))dlsym(plugin, "plugin_call");
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == before + 2);
    return 0;
}
