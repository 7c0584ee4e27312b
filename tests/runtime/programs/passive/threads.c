/* SPDX-License-Identifier: BSD-2-Clause
 *
 * threads.c - pthreads, C11 threads, semaphores. */
#include "passive.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t sem;
static mtx_t mtx;
static cnd_t cnd;
static struct timespec past = { 1, 0 };
static volatile int count;

static void *body(void *arg)
{
    count++;
    return arg;
}
static int c11_body(void *arg)
{
    (void)arg;
    return 5;
}
static void *sleeper(void *arg)
{
    for (;;)
        usleep(1000);
    return arg;
}
static void *leaver(void *arg)
{
    pthread_exit(arg);
}
static pthread_t thread_of(void *(*fn)(void *))
{
    pthread_t t;

    if (pthread_create(&t, NULL, fn, &count) != 0)
        _exit(95);
    return t;
}
static void once_body(void) { count++; }
static void key_gone(void *p) { count += p != NULL; }
static void *with_key(void *arg)
{
    pthread_setspecific(key, arg);
    return NULL;
}

CALL(pthread_create, pthread_t t = thread_of(body); void *r = NULL; pthread_join(t, &r); return count + (r == &count);)
CALL(pthread_join, return pthread_join(thread_of(body), NULL);)
CALL(pthread_tryjoin_np, return pthread_tryjoin_np(thread_of(sleeper), NULL);)
CALL(pthread_timedjoin_np, return pthread_timedjoin_np(thread_of(sleeper), NULL, &past);)
CALL(pthread_clockjoin_np, return pthread_clockjoin_np(thread_of(sleeper), NULL, CLOCK_MONOTONIC, &past);)
CALL(pthread_detach, return pthread_detach(thread_of(body));)
CALL(pthread_exit, void *r = NULL; pthread_join(thread_of(leaver), &r); return r == &count;)
CALL(pthread_cancel, pthread_t t = thread_of(sleeper); void *r; return pthread_cancel(t) + pthread_join(t, &r) + (r == PTHREAD_CANCELED);)
CALL(pthread_setcancelstate, int old = -1; return pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) * 10 + old;)
CALL(pthread_setcanceltype, int old = -1; return pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) * 10 + old;)
CALL(pthread_testcancel, pthread_testcancel(); return 0;)
CALL(pthread_kill, return pthread_kill(pthread_self(), 0);)
CALL(pthread_sigqueue, return pthread_sigqueue(pthread_self(), 0, (union sigval){ 0 });)
CALL(pthread_yield, extern int pthread_yield(void); return pthread_yield();)
CALL(pthread_getname_np, char n[16]; return pthread_getname_np(pthread_self(), n, sizeof n);)
CALL(pthread_setname_np, return pthread_setname_np(pthread_self(), "passive");)
CALL(pthread_getattr_np, pthread_attr_t a; size_t g = 0; int r = pthread_getattr_np(thread_of(sleeper), &a);
     pthread_attr_getguardsize(&a, &g); return r + (long)g;)
CALL(pthread_getaffinity_np, cpu_set_t s; return pthread_getaffinity_np(pthread_self(), sizeof s, &s);)
CALL(pthread_setaffinity_np, cpu_set_t s; pthread_getaffinity_np(pthread_self(), sizeof s, &s);
     return pthread_setaffinity_np(pthread_self(), sizeof s, &s);)
CALL(pthread_setschedparam, struct sched_param p = { 0 }; return pthread_setschedparam(pthread_self(), SCHED_OTHER, &p);)
CALL(pthread_getschedparam, struct sched_param p; int how; return pthread_getschedparam(pthread_self(), &how, &p) + how;)
CALL(pthread_setschedprio, return pthread_setschedprio(pthread_self(), 0);)
CALL(pthread_once, static pthread_once_t o = PTHREAD_ONCE_INIT; pthread_once(&o, once_body); pthread_once(&o, once_body); return count;)
CALL(pthread_key_create, int r = pthread_key_create(&key, key_gone); pthread_join(thread_of(with_key), NULL); return r * 10 + count;)
CALL(pthread_key_delete, pthread_key_create(&key, NULL); return pthread_key_delete(key);)
CALL(pthread_setspecific, pthread_key_create(&key, NULL); return pthread_setspecific(key, &key);)
CALL(pthread_getspecific, pthread_key_create(&key, NULL); pthread_setspecific(key, &key); return pthread_getspecific(key) == &key;)

CALL(pthread_mutex_init, return pthread_mutex_init(&mutex, NULL);)
CALL(pthread_mutex_destroy, return pthread_mutex_destroy(&mutex);)
CALL(pthread_mutex_lock, return pthread_mutex_lock(&mutex);)
CALL(pthread_mutex_trylock, pthread_mutex_lock(&mutex); return pthread_mutex_trylock(&mutex);)
CALL(pthread_mutex_timedlock, pthread_mutex_lock(&mutex); return pthread_mutex_timedlock(&mutex, &past);)
CALL(pthread_mutex_clocklock, pthread_mutex_lock(&mutex); return pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past);)
CALL(pthread_mutex_unlock, pthread_mutex_lock(&mutex); return pthread_mutex_unlock(&mutex);)
CALL(pthread_mutex_consistent, return pthread_mutex_consistent(&mutex);)
CALL(pthread_cond_init, return pthread_cond_init(&cond, NULL);)
CALL(pthread_cond_destroy, return pthread_cond_destroy(&cond);)
CALL(pthread_cond_signal, return pthread_cond_signal(&cond);)
CALL(pthread_cond_broadcast, return pthread_cond_broadcast(&cond);)
static void *signals(void *arg)
{
    pthread_mutex_lock(&mutex);
    count = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return arg;
}
CALL(pthread_cond_wait, pthread_mutex_lock(&mutex); thread_of(signals); while (count == 0) pthread_cond_wait(&cond, &mutex); return count;)
CALL(pthread_cond_timedwait, pthread_mutex_lock(&mutex); return pthread_cond_timedwait(&cond, &mutex, &past);)
CALL(pthread_cond_clockwait, pthread_mutex_lock(&mutex); return pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past);)
CALL(pthread_rwlock_init, return pthread_rwlock_init(&rwlock, NULL);)
CALL(pthread_rwlock_destroy, return pthread_rwlock_destroy(&rwlock);)
CALL(pthread_rwlock_rdlock, return pthread_rwlock_rdlock(&rwlock);)
CALL(pthread_rwlock_wrlock, return pthread_rwlock_wrlock(&rwlock);)
CALL(pthread_rwlock_tryrdlock, return pthread_rwlock_tryrdlock(&rwlock);)
CALL(pthread_rwlock_trywrlock, pthread_rwlock_rdlock(&rwlock); return pthread_rwlock_trywrlock(&rwlock);)
CALL(pthread_rwlock_timedrdlock, return pthread_rwlock_timedrdlock(&rwlock, &past);)
CALL(pthread_rwlock_timedwrlock, pthread_rwlock_rdlock(&rwlock); return pthread_rwlock_timedwrlock(&rwlock, &past);)
CALL(pthread_rwlock_clockrdlock, return pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &past);)
CALL(pthread_rwlock_clockwrlock, pthread_rwlock_rdlock(&rwlock); return pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &past);)
CALL(pthread_rwlock_unlock, pthread_rwlock_rdlock(&rwlock); return pthread_rwlock_unlock(&rwlock);)
CALL(pthread_barrier_init, return pthread_barrier_init(&barrier, NULL, 1);)
CALL(pthread_barrier_wait, pthread_barrier_init(&barrier, NULL, 1); return pthread_barrier_wait(&barrier);)
CALL(pthread_barrier_destroy, pthread_barrier_init(&barrier, NULL, 1); return pthread_barrier_destroy(&barrier);)
CALL(pthread_spin_init, return pthread_spin_init(&spin, 0);)
CALL(pthread_spin_destroy, pthread_spin_init(&spin, 0); return pthread_spin_destroy(&spin);)
CALL(pthread_spin_lock, pthread_spin_init(&spin, 0); return pthread_spin_lock(&spin);)
CALL(pthread_spin_trylock, pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); return pthread_spin_trylock(&spin);)
CALL(pthread_spin_unlock, pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); return pthread_spin_unlock(&spin);)

CALL(sem_init, return sem_init(&sem, 0, 2);)
CALL(sem_destroy, sem_init(&sem, 0, 2); return sem_destroy(&sem);)
CALL(sem_wait, sem_init(&sem, 0, 2); return sem_wait(&sem);)
CALL(sem_trywait, sem_init(&sem, 0, 0); return sem_trywait(&sem) + errno;)
CALL(sem_timedwait, sem_init(&sem, 0, 0); return sem_timedwait(&sem, &past) + errno;)
CALL(sem_clockwait, sem_init(&sem, 0, 0); return sem_clockwait(&sem, CLOCK_MONOTONIC, &past) + errno;)
CALL(sem_post, sem_init(&sem, 0, 0); return sem_post(&sem) + sem_wait(&sem);)
CALL(sem_getvalue, int v = 0; sem_init(&sem, 0, 3); return sem_getvalue(&sem, &v) + v;)
static sem_t *named(void)
{
    sem_t *s = sem_open(passive_ipc_name(), O_CREAT, 0600, 4);

    sem_unlink(passive_ipc_name());
    return s;
}
CALL(sem_open, int v = 0; return sem_getvalue(named(), &v) + v;)
CALL(sem_close, return sem_close(named());)
CALL(sem_unlink, return sem_unlink("/heddle-nowhere") + errno;)

static int c11_result(thrd_t t)
{
    int r = 0;

    return thrd_join(t, &r) == thrd_success ? r : -1;
}
static int c11_exit(void *arg)
{
    (void)arg;
    thrd_exit(6);
}
CALL(thrd_create, thrd_t t; return thrd_create(&t, c11_body, NULL) + c11_result(t);)
CALL(thrd_join, thrd_t t; thrd_create(&t, c11_body, NULL); return thrd_join(t, NULL);)
CALL(thrd_detach, thrd_t t; thrd_create(&t, c11_body, NULL); return thrd_detach(t);)
CALL(thrd_exit, thrd_t t; return thrd_create(&t, c11_exit, NULL) + c11_result(t);)
CALL(thrd_sleep, struct timespec t = { 0, 1000 }; return thrd_sleep(&t, NULL);)
CALL(thrd_yield, thrd_yield(); return 0;)
CALL(mtx_init, return mtx_init(&mtx, mtx_plain);)
CALL(mtx_destroy, mtx_init(&mtx, mtx_plain); mtx_destroy(&mtx); return 0;)
CALL(mtx_lock, mtx_init(&mtx, mtx_plain); return mtx_lock(&mtx);)
CALL(mtx_trylock, mtx_init(&mtx, mtx_plain); mtx_lock(&mtx); return mtx_trylock(&mtx);)
CALL(mtx_timedlock, mtx_init(&mtx, mtx_timed); mtx_lock(&mtx); return mtx_timedlock(&mtx, &past);)
CALL(mtx_unlock, mtx_init(&mtx, mtx_plain); mtx_lock(&mtx); return mtx_unlock(&mtx);)
CALL(cnd_init, return cnd_init(&cnd);)
CALL(cnd_destroy, cnd_init(&cnd); cnd_destroy(&cnd); return 0;)
CALL(cnd_signal, cnd_init(&cnd); return cnd_signal(&cnd);)
CALL(cnd_broadcast, cnd_init(&cnd); return cnd_broadcast(&cnd);)
static int c11_signals(void *arg)
{
    mtx_lock(&mtx);
    count = 1;
    cnd_signal(&cnd);
    return arg == NULL ? mtx_unlock(&mtx) : 0;
}
CALL(cnd_wait, thrd_t t; mtx_init(&mtx, mtx_plain); cnd_init(&cnd); mtx_lock(&mtx); thrd_create(&t, c11_signals, NULL);
     while (count == 0) cnd_wait(&cnd, &mtx); return count;)
CALL(cnd_timedwait, mtx_init(&mtx, mtx_plain); cnd_init(&cnd); mtx_lock(&mtx); return cnd_timedwait(&cnd, &mtx, &past);)
CALL(tss_create, tss_t k; return tss_create(&k, NULL);)
CALL(tss_delete, tss_t k; tss_create(&k, NULL); tss_delete(k); return 0;)
CALL(tss_set, tss_t k; tss_create(&k, NULL); return tss_set(k, &k);)
CALL(call_once, static once_flag o = ONCE_FLAG_INIT; call_once(&o, once_body); call_once(&o, once_body); return count;)
