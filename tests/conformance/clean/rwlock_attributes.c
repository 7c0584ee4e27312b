/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_attributes.c - rwlock attributes: every kind and sharing read back, nonsense is
 * EINVAL; each kind locks. */
#include "../conform.h"

int main(void)
{
    static const int kinds[] = {PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP,
                                PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP};
    pthread_rwlockattr_t attr;
    pthread_rwlock_t rw;
    int v;

    IS(pthread_rwlockattr_init(&attr), 0);
    IS(pthread_rwlockattr_setkind_np(&attr, 77), EINVAL);
    IS(pthread_rwlockattr_setpshared(&attr, 77), EINVAL);
    IS(pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_rwlockattr_getpshared(&attr, &v), 0);
    IS(v, PTHREAD_PROCESS_SHARED);
    for (int i = 0; i < 3; i++) {
        IS(pthread_rwlockattr_setkind_np(&attr, kinds[i]), 0);
        IS(pthread_rwlockattr_getkind_np(&attr, &v), 0);
        IS(v, kinds[i]);
        IS(pthread_rwlock_init(&rw, &attr), 0);
        IS(pthread_rwlock_rdlock(&rw), 0);
        IS(pthread_rwlock_unlock(&rw), 0);
        IS(pthread_rwlock_wrlock(&rw), 0);
        IS(pthread_rwlock_unlock(&rw), 0);
        IS(pthread_rwlock_destroy(&rw), 0);
    }
    IS(pthread_rwlockattr_destroy(&attr), 0);
    return 0;
}
