/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.c - processes, signals, time, identity, System V and POSIX communication, sockets. */
#include "passive.h"

#include <dlfcn.h>
#include <grp.h>
#include <locale.h>
#include <langinfo.h>
#include <mqueue.h>
#include <netdb.h>
#include <pty.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#define BUF passive_buf

extern char **environ;
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *dso);
int __cxa_atexit(void (*fn)(void *), void *arg, void *dso);
int __cxa_thread_atexit_impl(void (*fn)(void *), void *arg, void *dso);
void __assert_fail(const char *what, const char *file, unsigned line, const char *fn) __attribute__((noreturn));
void __assert_perror_fail(int error, const char *file, unsigned line, const char *fn) __attribute__((noreturn));
ssize_t __recv_chk(int fd, void *buf, size_t n, size_t room, int flags);

static void quiet(void)
{
    close(2);
    open("/dev/null", O_WRONLY);
}

/* ---- ends ---- */
static void says(void)
{
    printf("a handler\n");
    fflush(stdout);
}
static void says_too(void *unused)
{
    (void)unused;
    says();
}
static void says_code(int code, void *unused)
{
    (void)unused;
    printf("code %d\n", code);
    fflush(stdout);
}
CALL(exit, exit(3);)
CALL(_exit, _exit(4);)
CALL(_Exit, _Exit(5);)
CALL(quick_exit, at_quick_exit(says); quick_exit(6);)
CALL(abort, quiet(); abort();)
CALL(__assert_fail, quiet(); __assert_fail("a", "b", 1, "c");)
CALL(__assert_perror_fail, quiet(); __assert_perror_fail(2, "b", 1, "c");)
CALL(__cxa_atexit, __cxa_atexit(says_too, NULL, NULL); exit(0);)
CALL(__cxa_thread_atexit_impl, extern char dso __asm__("__dso_handle"); return __cxa_thread_atexit_impl(says_too, NULL, &dso);)
CALL(on_exit, on_exit(says_code, NULL); exit(9);)

/* ---- other processes ---- */
static long code_of(pid_t pid)
{
    int status = -1;

    return waitpid(pid, &status, 0) == pid ? status : -1;
}
static char *const argv_true[] = { "true", NULL };
CALL(fork, pid_t p = fork(); if (p == 0) _exit(7); return code_of(p);)
CALL(vfork, pid_t p = vfork(); if (p == 0) _exit(8); return code_of(p);)
CALL(wait, int s = 0; if (fork() == 0) _exit(1); return (wait(&s) > 0) + s;)
CALL(wait3, int s = 0; if (fork() == 0) _exit(2); return (wait3(&s, 0, NULL) > 0) + s;)
CALL(wait4, int s = 0; if (fork() == 0) _exit(3); return (wait4(-1, &s, 0, NULL) > 0) + s;)
CALL(waitid, siginfo_t i; if (fork() == 0) _exit(4); return waitid(P_ALL, 0, &i, WEXITED) + i.si_status;)
CALL(waitpid, return waitpid(-1, NULL, 0) + errno;)
CALL(posix_spawn, pid_t p; return posix_spawn(&p, "/bin/true", NULL, NULL, argv_true, environ) + code_of(p);)
CALL(posix_spawnp, pid_t p; return posix_spawnp(&p, "true", NULL, NULL, argv_true, environ) + code_of(p);)
CALL(system, return system("exit 3");)
CALL(popen, return fgetc(popen("echo k", "r"));)
CALL(pclose, return pclose(popen("exit 2", "r"));)
CALL(execl, execl("/bin/sh", "sh", "-c", "exit 11", NULL); return -1;)
CALL(execle, execle("/bin/sh", "sh", "-c", "exit 12", NULL, environ); return -1;)
CALL(execlp, execlp("sh", "sh", "-c", "exit 13", NULL); return -1;)
CALL(execv, return execv("/nowhere", argv_true) * 100 + errno;)
CALL(execve, execve("/bin/true", argv_true, environ); return -1;)
CALL(execvp, execvp("true", argv_true); return -1;)
CALL(execvpe, execvpe("true", argv_true, environ); return -1;)
CALL(fexecve, fexecve(open("/bin/true", O_RDONLY), argv_true, environ); return -1;)
CALL(daemon, daemon(1, 1); _exit(0);)
CALL(__register_atfork, int r = __register_atfork(says, NULL, NULL, NULL); pid_t p = fork(); if (p == 0) _exit(0);
     return r + code_of(p);)
CALL(getpid, return getpid() == syscall(SYS_getpid);)
CALL(getppid, return getppid() == syscall(SYS_getppid);)
CALL(gettid, return gettid() == syscall(SYS_gettid);)
CALL(syscall, return syscall(SYS_getpid) == getpid();)
CALL(prctl, return prctl(PR_SET_NAME, "passive", 0, 0, 0) + prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);)
CALL(getpgid, return getpgid(0) == getpgrp();)
static int clone_body(void *arg)
{
    return arg != NULL ? 21 : 0;
}
static char clone_stack[65536] __attribute__((aligned(16)));
CALL(_Fork, pid_t p = _Fork(); if (p == 0) _exit(9); return code_of(p);)
CALL(clone, return code_of(clone(clone_body, clone_stack + sizeof clone_stack, SIGCHLD, clone_stack));)
CALL(forkpty, int m; pid_t p = forkpty(&m, NULL, NULL, NULL); if (p == 0) _exit(10); return code_of(p);)
CALL(getpgrp, return getpgrp() == getpgid(0);)
CALL(setpgrp, return setpgrp() + (getpgrp() == getpid());)
CALL(setsid, return setsid() == getpid();)
CALL(tgkill, return tgkill(getpid(), gettid(), 0);)
CALL(getsid, return getsid(0) > 0;)
CALL(setpgid, return setpgid(0, 0);)
CALL(killpg, return killpg(getpgrp(), 0);)
CALL(process_vm_readv, int v = 7; int w = 0; struct iovec a = { &w, 4 }; struct iovec b = { &v, 4 };
     return process_vm_readv(getpid(), &a, 1, &b, 1, 0) * 10 + w;)
CALL(process_vm_writev, int v = 7; int w = 0; struct iovec a = { &v, 4 }; struct iovec b = { &w, 4 };
     return process_vm_writev(getpid(), &a, 1, &b, 1, 0) * 10 + w;)
CALL(pidfd_open, int fd = pidfd_open(getpid(), 0); return fd > 0;)
CALL(ptrace, return (long)syscall(SYS_ptrace, 99, 0, 0, 0) + errno;)
CALL(sched_getscheduler, return sched_getscheduler(0);)
CALL(getpriority, return getpriority(PRIO_PROCESS, 0);)

/* ---- signals ---- */
static volatile sig_atomic_t seen;
static void handler(int signal) { seen = signal; }
static sigset_t set_of(int signal)
{
    sigset_t s;

    sigemptyset(&s);
    sigaddset(&s, signal);
    return s;
}
static sigset_t pending_one(void) /* of which one is pending */
{
    sigset_t s = set_of(SIGUSR1);

    sigprocmask(SIG_BLOCK, &s, NULL);
    raise(SIGUSR1);
    return s;
}
CALL(signal, signal(SIGUSR1, handler); raise(SIGUSR1); return seen;)
CALL(sigaction, struct sigaction a = { .sa_handler = handler }; int r = sigaction(SIGUSR2, &a, NULL); raise(SIGUSR2); return r + seen;)
CALL(raise, raise(SIGTERM); return 0;)
CALL(kill, signal(SIGUSR1, handler); return kill(getpid(), SIGUSR1) * 100 + seen;)
CALL(sigqueue, signal(SIGUSR1, handler); return sigqueue(getpid(), SIGUSR1, (union sigval){ 0 }) * 100 + seen;)
CALL(sigaltstack, static char stack[65536]; stack_t s = { .ss_sp = stack, .ss_size = sizeof stack }; return sigaltstack(&s, NULL);)
CALL(sigprocmask, sigset_t s = set_of(SIGUSR1); sigset_t old; sigprocmask(SIG_BLOCK, &s, NULL); sigprocmask(0, NULL, &old);
     return sigismember(&old, SIGUSR1);)
CALL(pthread_sigmask, sigset_t s = set_of(SIGUSR1); return pthread_sigmask(SIG_BLOCK, &s, NULL);)
CALL(sigpending, pending_one(); sigset_t s; return sigpending(&s) * 10 + sigismember(&s, SIGUSR1);)
CALL(sigsuspend, signal(SIGUSR1, handler); pending_one(); sigset_t none; sigemptyset(&none); return sigsuspend(&none) * 100 + seen;)
CALL(sigtimedwait, sigset_t s = pending_one(); struct timespec t = { 1, 0 }; return sigtimedwait(&s, NULL, &t);)
CALL(sigwait, sigset_t s = pending_one(); int n = 0; return sigwait(&s, &n) * 100 + n;)
CALL(sigwaitinfo, sigset_t s = pending_one(); siginfo_t i; return sigwaitinfo(&s, &i) * 100 + i.si_signo;)
CALL(signalfd, sigset_t s = pending_one(); struct signalfd_siginfo i; read(signalfd(-1, &s, 0), &i, sizeof i); return i.ssi_signo;)
CALL(pause, signal(SIGALRM, handler); ualarm(1000, 0); return pause() * 100 + seen;)
CALL(alarm, return alarm(3) > 0;)
CALL(ualarm, return ualarm(1000000, 0) > 0;)
CALL(setitimer, struct itimerval t = { .it_value = { 5, 0 } }; return setitimer(ITIMER_REAL, &t, NULL);)
CALL(getitimer, struct itimerval t; return getitimer(ITIMER_VIRTUAL, &t) + t.it_value.tv_sec;)
CALL(__sysv_signal, extern sighandler_t __sysv_signal(int, sighandler_t); __sysv_signal(SIGUSR1, handler); raise(SIGUSR1); return seen;)
CALL(bsd_signal, extern sighandler_t bsd_signal(int, sighandler_t); bsd_signal(SIGUSR1, handler); raise(SIGUSR1); return seen;)
CALL(sysv_signal, sysv_signal(SIGUSR1, handler); raise(SIGUSR1); return seen;)
CALL(siginterrupt, return siginterrupt(SIGUSR1, 1);)
CALL(sighold, return sighold(SIGUSR1);)
CALL(sigrelse, return sigrelse(SIGUSR1);)
CALL(sigignore, int r = sigignore(SIGUSR1); raise(SIGUSR1); return r;)
CALL(sigset, sigset(SIGUSR1, handler); raise(SIGUSR1); return seen;)
CALL(sigblock, return sigblock(1 << (SIGUSR1 - 1));)
CALL(sigsetmask, return sigsetmask(0);)
CALL(siggetmask, return siggetmask();)
CALL(__sigpause, extern int __sigpause(int, int); signal(SIGUSR1, handler); pending_one(); return __sigpause(SIGUSR1, 1) * 100 + seen;)
CALL(__xpg_sigpause, extern int __xpg_sigpause(int); signal(SIGUSR1, handler); pending_one(); return __xpg_sigpause(SIGUSR1) * 100 + seen;)
CALL(__sigsetjmp, sigjmp_buf b; volatile int n = 0; if (__sigsetjmp(b, 1) < 2) siglongjmp(b, ++n); return n;)
CALL(siglongjmp, sigjmp_buf b; volatile int n = 0; if (sigsetjmp(b, 0) < 2) siglongjmp(b, ++n); return n;)
CALL(longjmp, jmp_buf b; volatile int n = 0; if (setjmp(b) < 2) longjmp(b, ++n); return n;)
CALL(_longjmp, jmp_buf b; volatile int n = 0; if (setjmp(b) < 2) _longjmp(b, ++n); return n;)
CALL(__longjmp_chk, extern void __longjmp_chk(jmp_buf, int); jmp_buf b; volatile int n = 0; if (setjmp(b) < 2) __longjmp_chk(b, ++n); return n;)
CALL(ssignal, ssignal(SIGUSR1, handler); raise(SIGUSR1); return seen;)

/* ---- time ---- */
CALL(time, return time(NULL) > 1700000000;)
CALL(clock, return clock() >= 0;)
CALL(times, struct tms t; return times(&t) != -1;)
CALL(clock_gettime, struct timespec t; return clock_gettime(CLOCK_REALTIME, &t) + (t.tv_sec > 1700000000);)
CALL(clock_getres, struct timespec t; return clock_getres(CLOCK_MONOTONIC, &t) + t.tv_sec;)
CALL(clock_nanosleep, struct timespec t = { 0, 1000 }; return clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);)
CALL(nanosleep, struct timespec t = { 0, 1000 }; return nanosleep(&t, NULL);)
CALL(usleep, return usleep(10);)
CALL(sleep, return sleep(0);)
CALL(gettimeofday, struct timeval t; return gettimeofday(&t, NULL) + (t.tv_sec > 1700000000);)
CALL(timespec_get, struct timespec t; return timespec_get(&t, TIME_UTC);)
static timer_t timer_of(void)
{
    timer_t t;
    struct sigevent e = { .sigev_notify = SIGEV_NONE };

    return timer_create(CLOCK_MONOTONIC, &e, &t) == 0 ? t : NULL;
}
CALL(timer_create, timer_t t; struct sigevent e = { .sigev_notify = SIGEV_NONE }; return timer_create(CLOCK_MONOTONIC, &e, &t);)
CALL(timer_delete, return timer_delete(timer_of());)
CALL(timer_settime, struct itimerspec t = { .it_value = { 5, 0 } }; return timer_settime(timer_of(), 0, &t, NULL);)
CALL(timer_gettime, struct itimerspec t; return timer_gettime(timer_of(), &t) + t.it_value.tv_sec;)
CALL(timer_getoverrun, return timer_getoverrun(timer_of());)

/* ---- who it is, limits, surroundings ---- */
CALL(getresuid, uid_t a; uid_t b; uid_t c; return getresuid(&a, &b, &c) + (a == getuid());)
CALL(getresgid, gid_t a; gid_t b; gid_t c; return getresgid(&a, &b, &c) + (a == getgid());)
CALL(getgroups, return getgroups(0, NULL) >= 0;)
CALL(setuid, return setuid(getuid());)
CALL(setgid, return setgid(getgid());)
CALL(seteuid, return seteuid(geteuid());)
CALL(setegid, return setegid(getegid());)
CALL(setreuid, return setreuid(-1, -1);)
CALL(setregid, return setregid(-1, -1);)
CALL(setresuid, return setresuid(-1, -1, -1);)
CALL(setresgid, return setresgid(-1, -1, -1);)
CALL(setgroups, return setgroups(100000, NULL) + errno;)
CALL(initgroups, return initgroups("nobody", 65534) >= -1;)
CALL(getrlimit, struct rlimit r; return getrlimit(RLIMIT_NOFILE, &r) + (r.rlim_cur > 0);)
CALL(getrlimit64, struct rlimit64 r; return getrlimit64(RLIMIT_NOFILE, &r) + (r.rlim_cur > 0);)
CALL(setrlimit, struct rlimit r; getrlimit(RLIMIT_CORE, &r); return setrlimit(RLIMIT_CORE, &r);)
CALL(prlimit, struct rlimit r; return prlimit(0, RLIMIT_NOFILE, NULL, &r) + (r.rlim_cur > 0);)
CALL(setrlimit64, struct rlimit64 r; getrlimit64(RLIMIT_CORE, &r); return setrlimit64(RLIMIT_CORE, &r);)
CALL(prlimit64, struct rlimit64 r; return prlimit64(0, RLIMIT_NOFILE, NULL, &r) + (r.rlim_cur > 0);)
CALL(getrusage, struct rusage r; return getrusage(RUSAGE_SELF, &r);)
CALL(setpriority, return setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0));)
CALL(sched_yield, return sched_yield();)
CALL(sched_getcpu, return sched_getcpu() >= 0;)
CALL(getcpu, unsigned c; return getcpu(&c, NULL);)
CALL(sched_getaffinity, cpu_set_t s; return sched_getaffinity(0, sizeof s, &s) + (CPU_COUNT(&s) > 0);)
CALL(sched_setaffinity, cpu_set_t s; sched_getaffinity(0, sizeof s, &s); return sched_setaffinity(0, sizeof s, &s);)
CALL(sched_getparam, struct sched_param p; return sched_getparam(0, &p) + p.sched_priority;)
CALL(nice, return nice(0);)
CALL(sched_setparam, struct sched_param p = { 0 }; return sched_setparam(0, &p);)
CALL(sched_setscheduler, struct sched_param p = { 0 }; return sched_setscheduler(0, SCHED_OTHER, &p);)
CALL(sched_rr_get_interval, struct timespec t; return sched_rr_get_interval(0, &t);)
CALL(uname, struct utsname u; return uname(&u) + u.sysname[0];)
CALL(sysinfo, struct sysinfo i; return sysinfo(&i) + (i.totalram > 0);)
CALL(getenv, setenv("A", "b", 1); return getenv("A")[0];)
CALL(secure_getenv, setenv("A", "c", 1); return secure_getenv("A")[0];)
CALL(setenv, return setenv("A", "b", 1) + (getenv("A") != NULL);)
CALL(putenv, return putenv("A=d") + getenv("A")[0];)
CALL(unsetenv, setenv("A", "b", 1); return unsetenv("A") + (getenv("A") == NULL);)
CALL(clearenv, return clearenv() + (getenv("PATH") == NULL);)
CALL(setlocale, return setlocale(LC_ALL, "C")[0];)
CALL(localeconv, return localeconv()->decimal_point[0];)
CALL(nl_langinfo, return nl_langinfo(RADIXCHAR)[0];)
CALL(dlopen, return dlopen("libm.so.6", RTLD_NOW) != NULL;)
CALL(dlclose, return dlclose(dlopen("libm.so.6", RTLD_NOW));)

/* ---- random numbers ---- */
CALL(srand, srand(5); return rand();)
CALL(rand, return rand();)
CALL(srandom, srandom(5); return random();)
CALL(random, return random();)
CALL(initstate, return initstate(3, BUF, 64) != NULL ? random() : -1;)
CALL(setstate, initstate(3, BUF, 64); return setstate(BUF) != NULL;)
CALL(srand48, srand48(3); return lrand48();)
CALL(seed48, unsigned short x[3] = { 1, 2, 3 }; return seed48(x) != NULL ? lrand48() : -1;)
CALL(lcong48, unsigned short x[7] = { 1, 2, 3, 4, 5, 6, 7 }; lcong48(x); return lrand48();)
CALL(drand48, return (long)(drand48() * 1e6);)
CALL(lrand48, return lrand48();)
CALL(mrand48, return mrand48();)
CALL(getrandom, return getrandom(BUF, 16, 0);)
CALL(getentropy, return getentropy(BUF, 16);)
CALL(arc4random, return arc4random() < UINT64_C(1) << 32;)
CALL(arc4random_buf, arc4random_buf(BUF, 16); return 0;)
CALL(arc4random_uniform, return arc4random_uniform(1);)

/* ---- memory of the kernel ---- */
CALL(mmap, char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return p[17];)
CALL(mmap64, return mmap64(NULL, 4096, PROT_READ, MAP_SHARED, passive_file(), 0) != MAP_FAILED;)
CALL(munmap, return munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);)
CALL(mremap, char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
     p[17] = 3; p = mremap(p, 4096, 8192, MREMAP_MAYMOVE); return p[17] + p[5000];)
CALL(brk, return brk((char *)sbrk(0) + 4096);)
CALL(sbrk, char *p = sbrk(4096); return p[17] + (sbrk(0) == p + 4096);)
CALL(mprotect, return mprotect(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096, PROT_NONE);)
CALL(madvise, return madvise(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096, MADV_DONTNEED);)
static int shm_of(void)
{
    int fd = shm_open(passive_ipc_name(), O_RDWR | O_CREAT, 0600);

    shm_unlink(passive_ipc_name());
    return fd;
}
CALL(shm_open, return write(shm_of(), "ab", 2);)
CALL(shm_unlink, return shm_unlink("/heddle-nowhere") + errno;)
static int segment(void)
{
    return shmget(IPC_PRIVATE, 4096, 0600);
}
CALL(shmat, int id = segment(); char *p = shmat(id, NULL, 0); shmctl(id, IPC_RMID, NULL); return p[5];)
CALL(shmdt, int id = segment(); char *p = shmat(id, NULL, 0); shmctl(id, IPC_RMID, NULL); return shmdt(p);)

/* ---- System V and POSIX communication ---- */
CALL(semctl, int id = semget(IPC_PRIVATE, 1, 0600); return semctl(id, 0, IPC_RMID);)
CALL(semop, int id = semget(IPC_PRIVATE, 1, 0600); struct sembuf b = { 0, 1, 0 }; int r = semop(id, &b, 1);
     return r + semctl(id, 0, GETVAL) + 10 * semctl(id, 0, IPC_RMID);)
CALL(semtimedop, int id = semget(IPC_PRIVATE, 1, 0600); struct sembuf b = { 0, -1, 0 }; struct timespec t = { 0, 1000 };
     int r = semtimedop(id, &b, 1, &t); semctl(id, 0, IPC_RMID); return r;)
struct message { long type; char text[8]; };
CALL(shmget, int id = shmget(IPC_PRIVATE, 4096, 0600); return (id >= 0) + 10 * shmctl(id, IPC_RMID, NULL);)
CALL(semget, int id = semget(IPC_PRIVATE, 1, 0600); return (id >= 0) + 10 * semctl(id, 0, IPC_RMID);)
CALL(msgget, int id = msgget(IPC_PRIVATE, 0600); return (id >= 0) + 10 * msgctl(id, IPC_RMID, NULL);)
CALL(msgctl, return msgctl(msgget(IPC_PRIVATE, 0600), IPC_RMID, NULL);)
CALL(msgsnd, int id = msgget(IPC_PRIVATE, 0600); struct message m = { 1, "abc" }; int r = msgsnd(id, &m, 3, 0);
     msgctl(id, IPC_RMID, NULL); return r;)
CALL(msgrcv, int id = msgget(IPC_PRIVATE, 0600); struct message m = { 1, "abc" }; msgsnd(id, &m, 3, 0);
     long r = msgrcv(id, &m, 8, 0, 0); msgctl(id, IPC_RMID, NULL); return r;)
static mqd_t queue(void)
{
    struct mq_attr a = { .mq_maxmsg = 2, .mq_msgsize = 64 };
    mqd_t q = mq_open(passive_ipc_name(), O_RDWR | O_CREAT | O_NONBLOCK, 0600, &a);

    mq_unlink(passive_ipc_name());
    return q;
}
mqd_t __mq_open_2(const char *name, int flags);
CALL(mq_open, return queue() >= 0;)
CALL(__mq_open_2, return __mq_open_2("/heddle-nowhere", O_RDONLY) + (errno == ENOENT);)
CALL(mq_unlink, return mq_unlink("/heddle-nowhere") + (errno == ENOENT);)
CALL(mq_getattr, struct mq_attr a = { 0 }; return mq_getattr(queue(), &a) + a.mq_msgsize;)
CALL(mq_send, return mq_send(queue(), "abc", 3, 0);)
CALL(mq_receive, mqd_t q = queue(); mq_send(q, "abc", 3, 0); return mq_receive(q, BUF, 64, NULL);)
CALL(mq_timedsend, struct timespec t = { 0, 0 }; return mq_timedsend(queue(), "abc", 3, 0, &t);)
CALL(mq_timedreceive, struct timespec t = { 0, 0 }; return mq_timedreceive(queue(), BUF, 64, NULL, &t) + (errno == EAGAIN);)
CALL(mq_notify, return mq_notify(queue(), NULL);)

/* ---- sockets ---- */
static int pair[2];
static int connected(void)
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || write(pair[1], "abc", 3) != 3)
        _exit(98);
    return pair[0];
}
static socklen_t unix_name(struct sockaddr_un *a)
{
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    strcpy(a->sun_path, "socket.tmp");
    unlink(a->sun_path);
    return sizeof *a;
}
static int listening(struct sockaddr_un *a)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    socklen_t n = unix_name(a);

    if (bind(s, (struct sockaddr *)a, n) != 0 || listen(s, 5) != 0)
        _exit(97);
    return s;
}
static int with_client(void)
{
    struct sockaddr_un a;
    int s = listening(&a);

    if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&a, sizeof a) != 0)
        _exit(96);
    return s;
}
CALL(socket, return socket(AF_UNIX, SOCK_STREAM, 0) > 0;)
CALL(socketpair, return read(connected(), BUF, 9);)
CALL(bind, struct sockaddr_un a; socklen_t n = unix_name(&a); return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&a, n);)
CALL(listen, return listen(-1, 5) + errno;)
CALL(accept, return accept(with_client(), NULL, NULL) > 0;)
CALL(accept4, return accept4(with_client(), NULL, NULL, SOCK_CLOEXEC) > 0;)
CALL(connect, return with_client() > 0;)
CALL(shutdown, return shutdown(connected(), SHUT_RDWR);)
CALL(send, return send(connected(), "abcd", 4, 0);)
CALL(sendto, return sendto(connected(), "abcd", 4, 0, NULL, 0);)
CALL(sendmsg, struct iovec v = { BUF, 4 }; struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 }; return sendmsg(connected(), &m, 0);)
CALL(sendmmsg, struct iovec v = { BUF, 4 }; struct mmsghdr m = { .msg_hdr = { .msg_iov = &v, .msg_iovlen = 1 } };
     return sendmmsg(connected(), &m, 1, 0);)
CALL(recv, return recv(connected(), BUF, 9, 0);)
CALL(__recv_chk, return __recv_chk(connected(), BUF, 9, 99, 0);)
CALL(recvfrom, return recvfrom(connected(), BUF, 9, 0, NULL, NULL);)
CALL(recvmsg, struct iovec v = { BUF, 4 }; struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 }; return recvmsg(connected(), &m, 0);)
CALL(recvmmsg, struct iovec v = { BUF, 4 }; struct mmsghdr m = { .msg_hdr = { .msg_iov = &v, .msg_iovlen = 1 } };
     return recvmmsg(connected(), &m, 1, 0, NULL);)
CALL(getsockname, struct sockaddr_un a; socklen_t n = sizeof a; return getsockname(connected(), (struct sockaddr *)&a, &n) + a.sun_family;)
CALL(getpeername, struct sockaddr_un a; socklen_t n = sizeof a; return getpeername(connected(), (struct sockaddr *)&a, &n) + a.sun_family;)
CALL(getsockopt, int v = -1; socklen_t n = sizeof v; return getsockopt(connected(), SOL_SOCKET, SO_TYPE, &v, &n) + v;)
CALL(setsockopt, int v = 1; return setsockopt(connected(), SOL_SOCKET, SO_REUSEADDR, &v, sizeof v);)
CALL(getaddrinfo_a, return getaddrinfo_a(GAI_WAIT, NULL, 0, NULL);)
