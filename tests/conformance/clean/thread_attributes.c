/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_attributes.c - attributes of threads can be read back, invalid values
 * give EINVAL, and a thread sees its own: detached state, stack. */
#include "../conform.h"

static void *worker(void *arg)
{
    pthread_attr_t attr;
    size_t size, guard;
    void *low;
    int state;

    IS(pthread_getattr_np(pthread_self(), &attr), 0);
    IS(pthread_attr_getdetachstate(&attr, &state), 0);
    IS(state, PTHREAD_CREATE_JOINABLE);
    IS(pthread_attr_getstack(&attr, &low, &size), 0);
    IS(pthread_attr_getguardsize(&attr, &guard), 0);
    IS(size >= 100000, 1);
    IS((char *)&state >= (char *)low && (char *)&state < (char *)low + size, 1);
    IS(pthread_attr_destroy(&attr), 0);
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    size_t size;
    int v;

    IS(pthread_attr_init(&attr), 0);
    IS(pthread_attr_getdetachstate(&attr, &v), 0);
    IS(v, PTHREAD_CREATE_JOINABLE);
    IS(pthread_attr_setdetachstate(&attr, 77), EINVAL);
    IS(pthread_attr_setstacksize(&attr, 1), EINVAL);
    IS(pthread_attr_setstacksize(&attr, 256 * 1024), 0);
    IS(pthread_attr_getstacksize(&attr, &size), 0);
    IS(size, 256 * 1024);
    IS(pthread_attr_setguardsize(&attr, 8192), 0);
    IS(pthread_attr_getguardsize(&attr, &size), 0);
    IS(size, 8192);
    IS(pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM), 0);
    IS(pthread_attr_setinheritsched(&attr, PTHREAD_INHERIT_SCHED), 0);
    IS(pthread_create(&t, &attr, worker, NULL), 0);
    IS(pthread_attr_destroy(&attr), 0);
    finish(t);
    return 0;
}
