/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_join_main.c - main can be joined too, once it has left with pthread_exit. */
#include "../conform.h"

static pthread_t main_thread;

static void *worker(void *arg)
{
    IS(finish(main_thread) == arg, 1);
    return NULL;
}

int main(void)
{
    main_thread = pthread_self();
    start(worker, &main_thread);
    pthread_exit(&main_thread);
}
