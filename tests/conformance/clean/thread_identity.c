/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_identity.c - pthread_self, pthread_equal and gettid tell threads apart, and do
 * not change. */
#include <unistd.h>

#include "../conform.h"

static pthread_t self;
static pid_t tid;

static void *worker(void *arg)
{
    self = pthread_self();
    tid = gettid();
    IS(pthread_equal(self, pthread_self()) != 0, 1);
    IS(gettid(), tid);
    return arg;
}

int main(void)
{
    pthread_t me = pthread_self();
    pthread_t t = start(worker, NULL);

    IS(pthread_equal(me, pthread_self()) != 0, 1);
    IS(pthread_equal(me, t), 0);
    IS(gettid(), getpid());
    finish(t);
    IS(pthread_equal(self, t) != 0, 1);
    IS(tid != getpid(), 1);
    return 0;
}
