/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_attributes.c - every mutex attribute reads back as it was set, and nonsense is
 * EINVAL. */
#include "../conform.h"

int main(void)
{
    static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ADAPTIVE_NP,
                                PTHREAD_MUTEX_DEFAULT};
    pthread_mutexattr_t attr;
    int v;

    IS(pthread_mutexattr_init(&attr), 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        IS(pthread_mutexattr_settype(&attr, types[i]), 0);
        IS(pthread_mutexattr_gettype(&attr, &v), 0);
        IS(v, types[i]);
    }
    IS(pthread_mutexattr_settype(&attr, 77), EINVAL);
    IS(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST), 0);
    IS(pthread_mutexattr_getrobust(&attr, &v), 0);
    IS(v, PTHREAD_MUTEX_ROBUST);
    IS(pthread_mutexattr_setrobust(&attr, 77), EINVAL);
    IS(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_mutexattr_getpshared(&attr, &v), 0);
    IS(v, PTHREAD_PROCESS_SHARED);
    IS(pthread_mutexattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE), 0);
    IS(pthread_mutexattr_getprotocol(&attr, &v), 0);
    IS(v, PTHREAD_PRIO_NONE);
    IS(pthread_mutexattr_setprotocol(&attr, 77), EINVAL);
    IS(pthread_mutexattr_destroy(&attr), 0);
    return 0;
}
