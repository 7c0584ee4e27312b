/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_stack.h - what lazy_stack_first and lazy_stack_second share. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int use(volatile int *x)
{
    pthread_mutex_lock(&mutex);
    int found = *x;
    *x = found + 1;
    pthread_mutex_unlock(&mutex);
    return found;
}

static void *other(void *x)
{
    int found = use(x);

    assert(MAIN_FAILS || found != 0);
    return x;
}

int main(void)
{
    volatile int x = 0;
    pthread_t thread;

    if (pthread_create(&thread, NULL, other, (void *)&x) != 0)
        return 77;
    int found = use(&x);

    assert(!MAIN_FAILS || found != 0);
    join(thread);
    return 0;
}
