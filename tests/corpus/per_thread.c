/* SPDX-License-Identifier: BSD-2-Clause
 *
 * per_thread - attributes of a thread stay as the thread has set them, whatever other threads
 * do: one thread (own) changes its attribute, the other does not.
 *
 *     by argument: a name of the table at the end
 *
 * Claim: each thread finds its own value.  True. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <errno.h>
#include <fenv.h>
#include <immintrin.h>
#include <locale.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static atomic_int x;

/* Two moments at which the other thread may run. */
static void others(void)
{
    x++;
    x++;
}

static sigset_t user_signal(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return set;
}

static void rounding(bool own)
{
    if (own)
        fesetround(FE_UPWARD);
    others();
    assert(fegetround() == (own ? FE_UPWARD : FE_TONEAREST));
}

static void exceptions(bool own)
{
    feclearexcept(FE_ALL_EXCEPT);
    if (own)
        feraiseexcept(FE_DIVBYZERO);
    others();
    assert((fetestexcept(FE_DIVBYZERO) != 0) == own);
}

static void flush_to_zero(bool own)
{
    if (own)
        _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    others();
    assert(_MM_GET_FLUSH_ZERO_MODE() == (own ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF));
}

static void mask(bool own)
{
    sigset_t set = user_signal(), now;

    if (own)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    others();
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, SIGUSR1) == own);
}

static void pending(bool own)
{
    sigset_t set = user_signal(), now;
    int number;

    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (own)
        raise(SIGUSR1);
    others();
    sigpending(&now);
    assert(sigismember(&now, SIGUSR1) == own);
    if (own)
        sigwait(&set, &number);
}

static void name(bool own)
{
    char now[16];
    const char *mine = own ? "mine" : "other";

    pthread_setname_np(pthread_self(), mine);
    others();
    pthread_getname_np(pthread_self(), now, sizeof now);
    assert(strcmp(now, mine) == 0);
}

static void kernel_name(bool own)
{
    char now[16];
    const char *mine = own ? "mine" : "other";

    prctl(PR_SET_NAME, mine);
    others();
    prctl(PR_GET_NAME, now);
    assert(strcmp(now, mine) == 0);
}

static void alternate_stack(bool own)
{
    static char memory[16384];
    stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory }, now;

    if (own)
        sigaltstack(&stack, NULL);
    others();
    sigaltstack(NULL, &now);
    assert(own ? now.ss_sp == memory : (now.ss_flags & SS_DISABLE) != 0);
    stack.ss_flags = SS_DISABLE;
    if (own)
        sigaltstack(&stack, NULL);
}

static void locale(bool own)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(own ? c : (locale_t)0);

    others();
    assert(uselocale((locale_t)0) == (own ? c : LC_GLOBAL_LOCALE));
    uselocale(before);
    freelocale(c);
}

static void error_number(bool own)
{
    errno = own ? ENOENT : EPERM;
    others();
    assert(errno == (own ? ENOENT : EPERM));
}

static void affinity(bool own)
{
    cpu_set_t one, now;

    CPU_ZERO(&one);
    CPU_SET(0, &one);
    if (own)
        pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    others();
    pthread_getaffinity_np(pthread_self(), sizeof now, &now);
    if (own)
        assert(CPU_COUNT(&now) == 1);
}

static void priority(bool own)
{
    if (own)
        setpriority(PRIO_PROCESS, (id_t)gettid(), 5);
    others();
    if (own)
        assert(getpriority(PRIO_PROCESS, (id_t)gettid()) == 5);
}

static void thread_clock(bool own)
{
    struct timespec before, after;

    (void)own;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    others();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    assert(after.tv_sec > before.tv_sec ||
           (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
}

static void coroutine(void)
{
    x++;
}

static void context(bool own)
{
    static char memory[2][65536];
    ucontext_t here, there;

    getcontext(&there);
    there.uc_stack.ss_sp = memory[own];
    there.uc_stack.ss_size = sizeof memory[own];
    there.uc_link = &here;
    makecontext(&there, coroutine, 0);
    swapcontext(&here, &there);
    x++;
}

static atomic_int handled;

static void nested_handler(int number)
{
    handled++;
    if (number == SIGUSR1)
        raise(SIGUSR2);
    handled++;
}

static void nested(bool own)
{
    (void)own;
    raise(SIGUSR1);
}

static void no_defer_handler(int number, siginfo_t *info, void *registers)
{
    (void)number;
    (void)info;
    (void)registers;
    handled++;
}

static void no_defer(bool own)
{
    struct sigaction action = { .sa_sigaction = no_defer_handler, .sa_flags = SA_SIGINFO | SA_NODEFER };

    (void)own;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

static const struct {
    const char *name;
    void (*run)(bool own);
} cases[] = {
    { "rounding", rounding },
    { "mask", mask },
    { "name", name },
    { "kernel_name", kernel_name },
    { "alternate_stack", alternate_stack },
    { "locale", locale },
    { "error_number", error_number },
    { "affinity", affinity },
    { "thread_clock", thread_clock },
    { "context", context },
    { "flush_to_zero", flush_to_zero },
    { "nested", nested },
    { "no_defer", no_defer },
    { "priority", priority },
    { "exceptions", exceptions },
    { "pending", pending },
};

static void (*chosen)(bool own);

static void *owner(void *arg)
{
    chosen(true);
    return arg;
}

static void *other(void *arg)
{
    chosen(false);
    return arg;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
            chosen = cases[i].run;
    if (chosen == NULL)
        return 2;
    if (chosen == nested) {
        signal(SIGUSR1, nested_handler);
        signal(SIGUSR2, nested_handler);
    }
    pthread_t a = spawn(owner), b = spawn(other);

    join(a);
    join(b);
    if (chosen == nested)
        assert(handled == 8);
    if (chosen == no_defer)
        assert(handled == 2);
    return 0;
}
