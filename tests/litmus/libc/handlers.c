/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handlers.c - signals that the program sends itself: masks, pending signals and handlers belong to
 * threads.  Each has a twin (`wrong` behind it) with an assertion that does not hold.
 *
 *   raise      the handler has run when raise returns, in each of two threads
 *   update     two handlers run at the same time: an increment may be lost
 *   jump       a handler leaves by siglongjmp, which restores the mask
 *   other      a signal to another thread is handled by that one, at some time before it ends
 *   process    a signal to the process is handled by a thread that does not block it
 *   late       a blocked signal is delivered when it is unblocked
 *   nested     a handler is not interrupted by its own signal, unless it says so
 *   killed     no thread handles it, and one thread does not block it
 *   pause      sigsuspend unblocks the signal and waits in one step; a handler that runs before pause
 *              ends nothing
 *   flag       a loop that waits for a flag of a handler ends
 *   alarm      the alarm comes at any time
 *   sem        a handler ends sem_wait, unless it restarts it
 *   timed      a handler ends sem_timedwait, always
 *   futex      a handler with SA_RESTART makes a wait on a futex compare its word again
 *   limited    a handler ends a wait on a futex with a time limit, always
 *   woken      one wake-up ends one wait on a futex: the other one is ended by the handler
 *   sleep      a handler ends a sleep, always
 *   read       a handler ends read, unless it restarts it
 *   poll       a handler ends poll, always
 *   lock       a handler never ends a wait for a mutex
 *   stack      a handler on the alternate stack of its own thread */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "../litmus.h"

static bool wrong;
static int count, inside;
static pthread_t worker;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction act = { .sa_handler = handler, .sa_flags = flags };

    assert(sigaction(number, &act, NULL) == 0);
}

static void keep_out(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(how, &set, NULL) == 0);
}

static void add(int number)
{
    (void)number;
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

static void add_in_two(int number)
{
    (void)number;
    visible_write(count, visible_read(count) + 1);
}

static void *raiser(void *unused)
{
    raise(SIGUSR1);
    if (!wrong)
        assert(visible_read(count) >= 1);
    return unused;
}

static void run_two(void *(*body)(void *))
{
    pthread_t a = spawn(body), b = spawn(body);

    join(a);
    join(b);
}

static void do_raise(void)
{
    handle(SIGUSR1, add, SA_RESTART);
    run_two(raiser);
    assert(count == (wrong ? 3 : 2));
}

static void do_update(void)
{
    handle(SIGUSR1, wrong ? add_in_two : add, SA_RESTART);
    run_two(raiser);
    assert(count == 2);
}

static _Thread_local sigjmp_buf back;

static void jump(int number)
{
    add(number);
    siglongjmp(back, 1);
}

static void *jumper(void *unused)
{
    if (sigsetjmp(back, !wrong) == 0) {
        raise(SIGUSR1);
        assert(0);
    }
    sigset_t now;

    assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 && !sigismember(&now, SIGUSR1));
    return unused;
}

static void do_jump(void)
{
    handle(SIGUSR1, jump, 0);
    run_two(jumper);
    assert(count == 2);
}

static void note_self(int number)
{
    (void)number;
    assert(pthread_equal(pthread_self(), worker));
    visible_write(count, 1);
}

static void *steps(void *unused)
{
    pthread_mutex_lock(&mutex);
    inside = 1;
    int seen = visible_read(count);

    inside = 0;
    pthread_mutex_unlock(&mutex);
    assert(!(wrong && seen));
    return unused;
}

static void do_other(void)
{
    handle(SIGUSR1, note_self, SA_RESTART);
    worker = spawn(steps);
    pthread_kill(worker, SIGUSR1);
    join(worker);
}

static void do_process(void)
{
    handle(SIGUSR1, note_self, SA_RESTART);
    worker = spawn(steps);
    if (!wrong)
        keep_out(SIG_BLOCK);
    kill(getpid(), SIGUSR1);
    join(worker);
}

static void do_late(void)
{
    handle(SIGUSR1, add, SA_RESTART);
    keep_out(SIG_BLOCK);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    assert(count == (wrong ? 1 : 0));
    keep_out(SIG_UNBLOCK);
    assert(count == 2);
}

static void again(int number)
{
    assert(visible_read(inside) == 0);
    visible_write(inside, 1);
    visible_write(count, visible_read(count) + 1);
    if (visible_read(count) == 1)
        raise(number); /* the compiler takes it for a leaf that calls nothing here */
    visible_write(inside, 0);
}

static void do_nested(void)
{
    handle(SIGUSR1, again, wrong ? SA_NODEFER : 0);
    raise(SIGUSR1);
    assert(count == 2);
}

static void do_killed(void)
{
    pthread_t thread = spawn(steps);

    keep_out(SIG_BLOCK);
    if (!wrong)
        join(thread);
    kill(getpid(), SIGUSR1);
    if (wrong)
        join(thread);
}

static void *pauser(void *unused)
{
    sigset_t none;

    sigemptyset(&none);
    if (wrong)
        pause();
    else
        sigsuspend(&none);
    assert(visible_read(count) == 1);
    return unused;
}

static void do_pause(void)
{
    handle(SIGUSR1, add, SA_RESTART);
    keep_out(wrong ? SIG_UNBLOCK : SIG_BLOCK);
    pthread_t thread = spawn(pauser);

    pthread_kill(thread, SIGUSR1);
    join(thread);
}

static void *polls(void *unused)
{
    while (visible_read(count) == 0)
        ;
    return unused;
}

static void do_flag(void)
{
    handle(SIGUSR1, add, SA_RESTART);
    pthread_t thread = spawn(polls);

    if (!wrong)
        pthread_kill(thread, SIGUSR1);
    join(thread);
}

static void do_alarm(void)
{
    struct itimerval soon = { { 0, 0 }, { 0, 1000 } };

    handle(SIGALRM, add, SA_RESTART);
    alarm(5);
    assert(!(wrong && visible_read(count) != 0));
    if (!wrong) {
        while (visible_read(count) == 0)
            pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
        assert(alarm(0) == 0);
        assert(setitimer(ITIMER_REAL, &soon, NULL) == 0);
        while (visible_read(count) == 1)
            ;
    }
}

static sem_t posted;

static void *sem_waiter(void *unused)
{
    int rc = sem_wait(&posted);

    assert(rc == 0);
    return unused;
}

static void do_sem(void)
{
    handle(SIGUSR1, add, wrong ? 0 : SA_RESTART);
    sem_init(&posted, 0, 0);
    pthread_t thread = spawn(sem_waiter);

    pthread_kill(thread, SIGUSR1);
    sem_post(&posted);
    join(thread);
}

static void *timed_waiter(void *unused)
{
    struct timespec until = { 1, 0 };

    if (sem_timedwait(&posted, &until) != 0)
        assert(errno == ETIMEDOUT || (!wrong && errno == EINTR && visible_read(count) == 1));
    return unused;
}

static void do_timed(void)
{
    handle(SIGUSR1, add, SA_RESTART);
    sem_init(&posted, 0, 0);
    pthread_t thread = spawn(timed_waiter);

    pthread_kill(thread, SIGUSR1);
    join(thread);
}

/* The handler changes the word.  So the wait ends, whenever the handler runs. */
static void *futex_waiter(void *limit)
{
    long rc = syscall(SYS_futex, &count, FUTEX_WAIT_PRIVATE, 0, limit, NULL, 0);

    if (limit == NULL)
        assert(rc == -1 && errno == (wrong ? EINTR : EAGAIN));
    else
        assert(rc == -1 && (errno == EAGAIN || errno == ETIMEDOUT || (!wrong && errno == EINTR)));
    return NULL;
}

static void wait_on_futex(struct timespec *limit)
{
    pthread_t thread;

    handle(SIGUSR1, add, SA_RESTART);
    assert(pthread_create(&thread, NULL, futex_waiter, limit) == 0);
    pthread_kill(thread, SIGUSR1);
    join(thread);
}

static void do_futex(void)
{
    wait_on_futex(NULL);
}

static void do_limited(void)
{
    struct timespec limit = { 1, 0 };

    wait_on_futex(&limit);
}

static int word, woken[2];

static void *queued(void *number)
{
    if (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0)
        visible_write(woken[(intptr_t)number], 1);
    return NULL;
}

static long wake(int n)
{
    return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

/* The word differs when the handler runs.  So the first thread is in the queue after that only if it
 * has the wake-up, and the second one has it. */
static void do_woken(void)
{
    pthread_t thread[2];

    handle(SIGUSR1, add, SA_RESTART);
    for (intptr_t i = 0; i < 2; i++)
        assert(pthread_create(&thread[i], NULL, queued, (void *)i) == 0);
    visible_write(word, 1);
    wake(1);
    pthread_kill(thread[0], SIGUSR1);
    if (visible_read(woken[1]) && visible_read(count) == 1)
        assert(wake(1) == wrong);
    wake(2);
    join(thread[0]);
    join(thread[1]);
}

static void *sleeper(void *unused)
{
    struct timespec t = { 1, 0 };

    if (nanosleep(&t, &t) != 0)
        assert(!wrong && errno == EINTR && visible_read(count) == 1);
    return unused;
}

static void do_sleep(void)
{
    handle(SIGUSR1, add, SA_RESTART);
    pthread_t thread = spawn(sleeper);

    pthread_kill(thread, SIGUSR1);
    join(thread);
}

static int ends[2];

static void *reader(void *unused)
{
    char c;

    assert(read(ends[0], &c, 1) == 1);
    return unused;
}

static void *poller(void *unused)
{
    struct pollfd one = { ends[0], POLLIN, 0 };
    int rc = poll(&one, 1, -1);

    assert(rc == 1 || (!wrong && rc == -1 && errno == EINTR && visible_read(count) == 1));
    return unused;
}

static void interrupt(void *(*body)(void *), int flags)
{
    handle(SIGUSR1, add, flags);
    assert(pipe(ends) == 0);
    pthread_t thread = spawn(body);

    pthread_kill(thread, SIGUSR1);
    assert(write(ends[1], "a", 1) == 1);
    join(thread);
}

static void do_read(void)
{
    interrupt(reader, wrong ? 0 : SA_RESTART);
}

static void do_poll(void)
{
    interrupt(poller, SA_RESTART);
}

static void *locker(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    inside++;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void do_lock(void)
{
    handle(SIGUSR1, add, 0);
    pthread_mutex_lock(&mutex);
    pthread_t thread = spawn(locker);

    pthread_kill(thread, SIGUSR1);
    assert(!(wrong && visible_read(count) == 1));
    pthread_mutex_unlock(&mutex);
    join(thread);
    assert(inside == 1 && visible_read(count) == 1);
}

static char stacks[2][32768];
static _Thread_local char *own;

static void look_at_stack(int number)
{
    char here;

    (void)number;
    if (!wrong)
        assert(&here > own && &here < own + sizeof stacks[0]);
    else
        assert(&here > stacks[0] && &here < stacks[0] + sizeof stacks[0]);
}

static void *on_stack(void *unused)
{
    static int next;
    stack_t s = { .ss_size = sizeof stacks[0] }, old;

    own = stacks[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)];
    s.ss_sp = own;
    assert(sigaltstack(&s, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0);
    raise(SIGUSR1);
    assert(sigaltstack(NULL, &old) == 0 && old.ss_sp == own);
    return unused;
}

static void do_stack(void)
{
    handle(SIGUSR1, look_at_stack, SA_ONSTACK);
    run_two(on_stack);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    { "raise", do_raise }, { "update", do_update }, { "jump", do_jump }, { "other", do_other },
    { "process", do_process }, { "late", do_late }, { "nested", do_nested }, { "killed", do_killed },
    { "pause", do_pause }, { "flag", do_flag }, { "alarm", do_alarm }, { "sem", do_sem },
    { "timed", do_timed }, { "futex", do_futex }, { "limited", do_limited }, { "woken", do_woken },
    { "sleep", do_sleep }, { "read", do_read }, { "poll", do_poll }, { "lock", do_lock }, { "stack", do_stack },
};

int main(int argc, char **argv)
{
    wrong = argc > 2 && strcmp(argv[2], "wrong") == 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            ways[i].run();
    return 0;
}
