/* SPDX-License-Identifier: BSD-2-Clause
 *
 * double_checked - an object is made by the first who needs it.  Looking at the pointer
 * without the lock needs release and acquire. */
#include "races.h"

static int object, *pointer;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *look(void)
{
    return is("acquire") ? __atomic_load_n(&pointer, __ATOMIC_ACQUIRE)
                         : __atomic_load_n(&pointer, __ATOMIC_RELAXED);
}

static void make(void)
{
    pthread_mutex_lock(&m);
    if (look() == NULL) {
        PUT(object, 42);
        if (is("acquire"))
            __atomic_store_n(&pointer, &object, __ATOMIC_RELEASE);
        else
            __atomic_store_n(&pointer, &object, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&m);
}

static void *use(void *arg)
{
    if (look() == NULL)
        make();
    (void)GET(*look());
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, use, use);
}
