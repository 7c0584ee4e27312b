/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw_calls - system calls by the instruction itself where that is difficult: in handlers, with all
 * signals kept out, behind a jump out of a handler, in a child.  They tell the same as libc's
 * functions, and leave errno alone. */
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int handled;

static long call(long nr, long a, long b, long c, long d)
{
    long result = nr;
    register long fourth __asm__("r10") = d;

    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
}

static void handler(int number)
{
    handled++;
    assert(call(SYS_getpid, 0, 0, 0, 0) == getpid());
    if (number == SIGUSR2)
        siglongjmp(back, 1);
}

static void *body(void *arg)
{
    call(SYS_sched_yield, 0, 0, 0, 0);
    assert(call(SYS_gettid, 0, 0, 0, 0) == gettid());
    return arg;
}

static void use_handlers(void)
{
    struct sigaction act = { .sa_handler = handler };

    sigfillset(&act.sa_mask);
    sigaction(SIGUSR1, &act, NULL);
    sigaction(SIGUSR2, &act, NULL);
    raise(SIGUSR1);
    if (sigsetjmp(back, 1) == 0)
        raise(SIGUSR2);
    assert(handled == 2);
}

static void use_masks(void)
{
    unsigned long all = ~0ul;

    assert(call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, sizeof all) == 0);
    errno = 0;
    assert(call(SYS_close, -1, 0, 0, 0) == -EBADF && errno == 0);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int status;

    (void)argv;
    pthread_create(&thread, NULL, body, NULL);
    use_handlers();
    use_masks();
    if (argc > 1) {
        long child = call(SYS_fork, 0, 0, 0, 0);

        if (child == 0)
            call(SYS_exit_group, 3, 0, 0, 0);
        assert(waitpid((pid_t)child, &status, 0) == child && WEXITSTATUS(status) == 3);
    }
    pthread_join(thread, NULL);
    return 0;
}
