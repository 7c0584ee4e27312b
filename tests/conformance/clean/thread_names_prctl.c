/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_names_prctl.c - prctl names the thread that calls it, and only that one;
 * pthread_getname_np tells the same name. */
#include <string.h>
#include <sys/prctl.h>

#include "../conform.h"

static char shown[16];

static void expect_name(const char *want)
{
    char other[16];

    IS(prctl(PR_GET_NAME, shown), 0);
    IS(strcmp(shown, want), 0);
    IS(pthread_getname_np(pthread_self(), other, sizeof other), 0);
    IS(strcmp(other, want), 0);
}

static void *worker(void *arg)
{
    IS(prctl(PR_SET_NAME, "a name that is too long"), 0);
    expect_name("a name that is ");
    return arg;
}

int main(void)
{
    IS(prctl(PR_SET_NAME, "weaver"), 0);
    finish(start(worker, NULL));
    expect_name("weaver");
    IS(prctl(PR_GET_DUMPABLE) >= 0, 1);
    return 0;
}
