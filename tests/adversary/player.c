/* SPDX-License-Identifier: BSD-2-Clause
 *
 * player.c - runs one small program, given as text (text.h), on the real thread library.  The
 * exit code tells the outcome: what main, and the threads that it joined, have seen.
 *
 *     player TEXT [DELAY]
 *
 * With a number DELAY, for runs without Heddle, each operation comes after a random pause. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifdef PLAYER_CONTROLLED
#include <heddle/heddle.h>
#else
#define heddle_choose(n) 0u
#endif

#include "player.h"

struct thread {
    unsigned number;
    uint32_t seen;
    unsigned delay;
    int8_t held[8]; /* mutexes, and the others as below, in the order of locking */
    unsigned nheld;
};

enum { HELD_READ = 20, HELD_WRITE, HELD_SPIN };

static struct text program;
static struct thread thread[TEXT_THREADS];
static pthread_t id[TEXT_THREADS];
static thrd_t thrd[TEXT_THREADS];
static bool gone[TEXT_THREADS], by_thrd[TEXT_THREADS], detached[TEXT_THREADS]; /* their creator's own */

atomic_int cell[TEXT_CELLS];
pthread_mutex_t mutex[TEXT_MUTEXES - 1];
static mtx_t mtx;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static cnd_t cnd;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag c11_once = ONCE_FLAG_INIT;
static pthread_spinlock_t spin;
static pthread_key_t key;
static tss_t tss;
static int from[TEXT_CHANNELS], to[TEXT_CHANNELS]; /* descriptors to read and to write */
static timer_t timer;
static char values[10]; /* what keys point to */

static int told(int error)
{
    switch (error) {
    case 0: return TEXT_OK;
    case EBUSY: return TEXT_BUSY;
    case ETIMEDOUT: return TEXT_TIMEOUT;
    case EDEADLK: return TEXT_SELF;
    case EOWNERDEAD: return TEXT_DEAD;
    case EAGAIN: return TEXT_AGAIN;
    case EINTR: return TEXT_INTERRUPTED;
    default: return TEXT_OTHER;
    }
}

static int told_c11(int result)
{
    return result == thrd_success ? TEXT_OK : result == thrd_busy ? TEXT_BUSY :
           result == thrd_timedout ? TEXT_TIMEOUT : TEXT_OTHER;
}

static int told_errno(int result)
{
    return result == 0 ? TEXT_OK : told(errno);
}

/* A time-out is a matter of schedule under Heddle, whatever the time; asking for it would only
 * take away what is claimed. */
static struct timespec soon(void)
{
    struct timespec t = { 2000000000, 0 };

#ifndef PLAYER_CONTROLLED
    clock_gettime(CLOCK_REALTIME, &t);
#endif
    t.tv_nsec += 500000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

static void routine(void)
{
    atomic_fetch_add(&cell[0], 1);
}

static void destroy(void *value)
{
    atomic_fetch_add(&cell[2], (int)((char *)value - values));
}

static void handler(int number)
{
    (void)number;
    atomic_fetch_add(&cell[1], 1);
}

static void hold(struct thread *me, int what)
{
    me->held[me->nheld++] = (int8_t)what;
}

static void let_go(struct thread *me, int what)
{
    for (unsigned i = me->nheld; i-- > 0;)
        if (me->held[i] == what) {
            me->nheld--;
            memmove(&me->held[i], &me->held[i + 1], me->nheld - i);
            return;
        }
}

static void unlock(int what)
{
    if (what == HELD_SPIN)
        pthread_spin_unlock(&spin);
    else if (what >= HELD_READ)
        pthread_rwlock_unlock(&rwlock);
    else if (what == 5)
        mtx_unlock(&mtx);
    else
        pthread_mutex_unlock(&mutex[what]);
}

/* At the end of a thread, however it comes: a robust mutex stays locked. */
static void release_all(void *arg)
{
    struct thread *me = arg;

    while (me->nheld > 0)
        unlock(me->held[--me->nheld]);
}

static int locked(struct thread *me, int what, int result)
{
    if (result == TEXT_DEAD)
        pthread_mutex_consistent(&mutex[what]);
    if ((result == TEXT_OK || result == TEXT_DEAD) && what != 4)
        hold(me, what);
    return result;
}

static int lock(struct thread *me, char kind, int m)
{
    struct timespec until;

    if (kind == 'T')
        until = soon();
    if (m == 5)
        return locked(me, m, told_c11(kind == 'l' ? mtx_lock(&mtx) : kind == 't' ? mtx_trylock(&mtx) :
                                      mtx_timedlock(&mtx, &until)));
    return locked(me, m, told(kind == 'l' ? pthread_mutex_lock(&mutex[m]) :
                              kind == 't' ? pthread_mutex_trylock(&mutex[m]) :
                              pthread_mutex_timedlock(&mutex[m], &until)));
}

static int wait_condition(char kind, int c)
{
    struct timespec until;

    if (kind == 'K')
        until = soon();
    if (c == 1)
        return told_c11(kind == 'k' ? cnd_wait(&cnd, &mtx) : cnd_timedwait(&cnd, &mtx, &until));
    return told(kind == 'k' ? pthread_cond_wait(&cond, &mutex[0]) :
                pthread_cond_timedwait(&cond, &mutex[0], &until));
}

static int read_write(struct thread *me, char kind)
{
    struct timespec until;
    int result;

    if (kind == 'Y' || kind == 'Z')
        until = soon();
    switch (kind) {
    case 'R': result = pthread_rwlock_rdlock(&rwlock); break;
    case 'W': result = pthread_rwlock_wrlock(&rwlock); break;
    case 'S': result = pthread_rwlock_tryrdlock(&rwlock); break;
    case 'V': result = pthread_rwlock_trywrlock(&rwlock); break;
    case 'Y': result = pthread_rwlock_timedrdlock(&rwlock, &until); break;
    default: result = pthread_rwlock_timedwrlock(&rwlock, &until);
    }
    if (result == 0)
        hold(me, strchr("RSY", kind) != NULL ? HELD_READ : HELD_WRITE);
    return told(result);
}

static int with_semaphore(char kind)
{
    struct timespec until;
    int value = 0;

    switch (kind) {
    case 'p': return told_errno(sem_post(&semaphore));
    case 'd': return told_errno(sem_wait(&semaphore));
    case 'e': return told_errno(sem_trywait(&semaphore));
    case 'G': sem_getvalue(&semaphore, &value); return value;
    default: until = soon(); return told_errno(sem_timedwait(&semaphore, &until));
    }
}

static void *body(void *arg);

static int thrd_body(void *arg)
{
    return body(arg) != NULL;
}

static int join(unsigned n, char kind)
{
    void *value = NULL;
    int code = 0, result;

    if (gone[n])
        return 0;
    if (by_thrd[n]) {
        thrd_join(thrd[n], &code);
        result = 0;
    } else if (kind == 'j') {
        result = pthread_join(id[n], &value);
    } else if (kind == 'y') {
        result = pthread_tryjoin_np(id[n], &value);
    } else {
        struct timespec until = soon();

        result = pthread_timedjoin_np(id[n], &value, &until);
    }
    gone[n] = result == 0;
    return result != 0 ? told(result) : value == PTHREAD_CANCELED ? 7 : 0;
}

static int other_thread(char kind, unsigned n, int how)
{
    if (kind == 'c') {
        by_thrd[n] = how == 1;
        if (how == 1)
            thrd_create(&thrd[n], thrd_body, &thread[n]);
        else if (pthread_create(&id[n], NULL, body, &thread[n]) != 0)
            exit(77);
        return 0;
    }
    if (gone[n])
        return 0;
    if (kind == 'z') {
        gone[n] = detached[n] = true;
        return by_thrd[n] ? thrd_detach(thrd[n]) : pthread_detach(id[n]);
    }
    if (kind == 'C')
        return by_thrd[n] ? 0 : pthread_cancel(id[n]);
    return by_thrd[n] ? 0 : pthread_kill(id[n], kind == '&' ? SIGUSR1 : SIGUSR2);
}

int with_futex(char kind, int c, int value)
{
    struct timespec wait = { 0, 500000 };
    long result;

    if (kind == 'v')
        return (int)syscall(SYS_futex, &cell[c], FUTEX_WAKE_PRIVATE, value, NULL, NULL, 0);
    result = syscall(SYS_futex, &cell[c], FUTEX_WAIT_PRIVATE, value, kind == 'F' ? &wait : NULL, NULL, 0);
    return told_errno((int)result);
}

static const struct itimerspec shortly = { .it_value.tv_nsec = 300000 };

/* How many of the descriptor can be read now: one of three ways to ask. */
static int ask(int fd, int how)
{
    struct pollfd one = { fd, POLLIN, 0 };
    struct epoll_event event = { .events = EPOLLIN };
    struct timeval now = { 0, 0 };
    fd_set set;

    if (how == 0)
        return poll(&one, 1, 0);
    if (how == 1) {
        FD_ZERO(&set);
        FD_SET(fd, &set);
        return select(fd + 1, &set, NULL, NULL, &now);
    }
    int epoll = epoll_create1(0);

    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    int n = epoll_wait(epoll, &event, 1, 0);

    close(epoll);
    return n;
}

static int channel(const struct text_op *o)
{
    bool counts = o->a == TEXT_EVENTFD || o->a == TEXT_TIMERFD;
    uint64_t value = 1;
    char byte = 1;

    if (o->kind == 'A')
        return counts ? write(to[o->a], &value, sizeof value) < 0 : write(to[o->a], &byte, 1) < 0;
    if (o->kind == 'L')
        return ask(from[o->a], o->b) == 1 ? TEXT_OK : TEXT_AGAIN;
    if (counts)
        return read(from[o->a], &value, sizeof value) < 0 ? -1 : (int)value;
    return read(from[o->a], &byte, 1) < 0 ? -1 : byte;
}

/* Each order in turn, wherever the language allows it. */
static memory_order order(unsigned i, bool reads, bool writes)
{
    static const memory_order orders[] = { memory_order_seq_cst, memory_order_relaxed,
                                           memory_order_acquire, memory_order_release,
                                           memory_order_acq_rel };
    memory_order o = orders[i % 5];

    if ((!writes && (o == memory_order_release || o == memory_order_acq_rel)) ||
        (!reads && (o == memory_order_acquire || o == memory_order_acq_rel)))
        return memory_order_seq_cst;
    return o;
}

static int with_cell(const struct text_op *o, unsigned i)
{
    atomic_int *c = &cell[o->a];
    int expected = o->b;

    if (o->kind == '%')
        return !atomic_compare_exchange_weak_explicit(c, &expected, o->b + 1, order(i, true, true),
                                                      memory_order_relaxed);
    switch (o->kind) {
    case 'r': return atomic_load_explicit(c, order(i, true, false));
    case 'w': atomic_store_explicit(c, o->b, order(i, false, true)); return 0;
    case 'a': return atomic_fetch_add_explicit(c, o->b, order(i, true, true));
    case 'g': return atomic_exchange_explicit(c, o->b, order(i, true, true));
    default:
        return !atomic_compare_exchange_strong_explicit(c, &expected, o->b + 1, order(i, true, true),
                                                        memory_order_relaxed);
    }
}

/* A failed attempt is tried again at once. */
static int wait_for_lock(struct thread *me, int what)
{
    static const int8_t holds[] = { 0, 1, HELD_SPIN, HELD_READ, HELD_WRITE };

    switch (what) {
    case 0: case 1:
        while (pthread_mutex_trylock(&mutex[what]) != 0)
            ;
        break;
    case 2:
        while (pthread_spin_trylock(&spin) != 0)
            ;
        break;
    case 3:
        while (pthread_rwlock_tryrdlock(&rwlock) != 0)
            ;
        break;
    case 4:
        while (pthread_rwlock_trywrlock(&rwlock) != 0)
            ;
        break;
    default:
        while (sem_trywait(&semaphore) != 0)
            ;
        return 0;
    }
    hold(me, holds[what]);
    return 0;
}

static int with_signal(char kind)
{
    sigset_t set;
    int number;

    if (kind == 'M')
        return raise(SIGUSR1);
    if (kind == '@')
        return kill(getpid(), SIGUSR2);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return sigwait(&set, &number);
}

static int with_key(char kind, int which, int value)
{
    if (kind == 'o' && which == 0)
        pthread_setspecific(key, &values[value]);
    else if (kind == 'o')
        tss_set(tss, &values[value]);
    else if (which == 0)
        pthread_key_delete(key);
    else
        tss_delete(tss);
    return 0;
}

static int perform(struct thread *me, const struct text_op *o, unsigned i)
{
    switch (o->kind) {
    case 'l': case 't': case 'T': return lock(me, o->kind, o->a);
    case 'u':
        if (o->a != 4)
            let_go(me, o->a);
        unlock(o->a);
        return 0;
    case 'k': case 'K': return wait_condition(o->kind, o->a);
    case 's': return o->a == 1 ? cnd_signal(&cnd) : pthread_cond_signal(&cond);
    case 'b': return o->a == 1 ? cnd_broadcast(&cnd) : pthread_cond_broadcast(&cond);
    case 'R': case 'W': case 'S': case 'V': case 'Y': case 'Z': return read_write(me, o->kind);
    case 'U':
        let_go(me, HELD_READ + o->a);
        return pthread_rwlock_unlock(&rwlock);
    case 'p': case 'd': case 'e': case 'D': case 'G': return with_semaphore(o->kind);
    case 'B': return pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    case 'O':
        if (o->a == 1)
            call_once(&c11_once, routine);
        else
            pthread_once(&once, routine);
        return 0;
    case 'i': pthread_spin_lock(&spin); hold(me, HELD_SPIN); return 0;
    case 'h':
        if (pthread_spin_trylock(&spin) != 0)
            return TEXT_BUSY;
        hold(me, HELD_SPIN);
        return 0;
    case 'I': let_go(me, HELD_SPIN); pthread_spin_unlock(&spin); return 0;
    case 'j': case 'y': case 'J': return join((unsigned)o->a, o->kind);
    case 'c': case 'z': case 'C': case 'm': case '&': return other_thread(o->kind, (unsigned)o->a, o->b);
    case 'X': pthread_exit(NULL);
    case 'Q': exit(text_code(text_add(me->seen, (int)me->number + 100)));
    case 'o': case 'n': return with_key(o->kind, o->a, o->b);
    case 'N': pthread_testcancel(); return 0;
    case 'f': case 'F': case 'v': return with_futex(o->kind, o->a, o->b);
    case 'A': case 'H': case 'L': return channel(o);
    case '^': return timerfd_settime(from[TEXT_TIMERFD], 0, &shortly, NULL);
    case '*': return timer_settime(timer, 0, &shortly, NULL);
    case 'M': case '@': case '!': return with_signal(o->kind);
    case 'P': usleep(100); return 0;
    case 'E': return sched_yield();
    case '`': return wait_for_lock(me, o->a);
    case '2':
        wait_for_both(o);
        hold(me, o->a);
        hold(me, 1 - o->a);
        return 0;
    case 'q': return (int)heddle_choose((unsigned)o->b);
    default: return is_loop(o->kind) ? wait_in_loop(o, me->number, order(i, true, false)) : with_cell(o, i);
    }
}

/* Not usleep, which would be a place for cancellation. */
static void sleep_microseconds(unsigned n)
{
    struct timespec t = { 0, (long)n * 1000 };

    syscall(SYS_nanosleep, &t, NULL);
}

/* Sometimes long enough for a time-out of another thread. */
static void pause_a_while(struct thread *me)
{
    if (me->delay == 0)
        return;
    me->delay = me->delay * 1664525u + 1013904223u;
    unsigned how = me->delay >> 24;

    if (how < 60)
        sleep_microseconds(how);
    else if (how < 70)
        sleep_microseconds(900);
    else if (how < 160)
        for (volatile unsigned i = 0; i < (me->delay >> 12 & 4095); i++)
            ;
    else if (how < 200)
        sched_yield();
}

static void play(struct thread *me)
{
    unsigned loops = 0;
    int last = 0;

    for (unsigned i = 0; i < program.n[me->number]; i++) {
        const struct text_op *o = &program.op[me->number][i];

        if (o->kind == '<') {
            if (last != 0 && loops < (unsigned)o->b) {
                loops++;
                i -= (unsigned)o->a + 1;
            }
            continue;
        }
        pause_a_while(me);
        last = perform(me, o, i);
        if (text_tells(o->kind))
            me->seen = text_add(me->seen, last);
        if (last != 0)
            i += (unsigned)o->skip;
    }
}

static void *body(void *arg)
{
    struct thread *me = arg;

    pthread_cleanup_push(release_all, me);
    play(me);
    pthread_cleanup_pop(1);
    return NULL;
}

static void set_up(void)
{
    static const int types[] = { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                 PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_NORMAL };
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    sigset_t set;

    for (int i = 0; i < 5; i++) {
        pthread_mutexattr_t attributes;

        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[i]);
        if (i == 4)
            pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&mutex[i], &attributes);
    }
    mtx_init(&mtx, mtx_timed);
    cnd_init(&cnd);
    sem_init(&semaphore, 0, program.semaphore);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_key_create(&key, destroy);
    tss_create(&tss, destroy);
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Whether one of the kinds of operations occurs: what a program does not use is not made, since it
 * would take away what is claimed of it. */
static bool uses(const char *kinds, int a)
{
    for (unsigned t = 0; t < program.threads; t++)
        for (unsigned i = 0; i < program.n[t]; i++)
            if (strchr(kinds, program.op[t][i].kind) != NULL && program.op[t][i].a == a)
                return true;
    return false;
}

static bool open_channels(void)
{
    struct sigevent tells = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
    int ends[2];

    if (uses("AHL", TEXT_EVENTFD))
        from[TEXT_EVENTFD] = to[TEXT_EVENTFD] = eventfd(0, 0);
    if (uses("AHL", TEXT_PIPE)) {
        if (pipe(ends) != 0)
            return false;
        from[TEXT_PIPE] = ends[0];
        to[TEXT_PIPE] = ends[1];
    }
    if (uses("HL^", TEXT_TIMERFD))
        from[TEXT_TIMERFD] = timerfd_create(CLOCK_MONOTONIC, 0);
    if (uses("AHL", TEXT_SOCKETS)) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
            return false;
        from[TEXT_SOCKETS] = ends[0];
        to[TEXT_SOCKETS] = ends[1];
    }
    if (uses("*", 0) && timer_create(CLOCK_MONOTONIC, &tells, &timer) != 0)
        return false;
    return from[TEXT_EVENTFD] >= 0 && from[TEXT_TIMERFD] >= 0;
}

static unsigned creator(unsigned thread)
{
    for (unsigned t = 1; t < program.threads; t++)
        for (unsigned i = 0; i < program.n[t]; i++)
            if (program.op[t][i].kind == 'c' && program.op[t][i].a == (int)thread)
                return t;
    return 0;
}

/* Only when its creator was joined may main look at what it knows of the thread. */
static bool counts(unsigned t)
{
    return t == 0 || (counts(creator(t)) && gone[t] && !detached[t]);
}

int main(int argc, char **argv)
{
    if (argc < 2 || text_parse(&program, argv[1]) != 0)
        return 255;
    set_up();
    if (!open_channels())
        return 255;
    for (unsigned t = 0; t < TEXT_THREADS; t++) {
        thread[t].number = t;
        if (argc > 2)
            thread[t].delay = (unsigned)atoi(argv[2]) * 7919u + t * 104729u + 1;
    }
    play(&thread[0]);
    uint32_t seen = thread[0].seen;

    for (unsigned t = 1; t < TEXT_THREADS; t++)
        if (counts(t))
            seen = text_add(seen, (int)(thread[t].seen % 10007));
    return text_code(seen);
}
