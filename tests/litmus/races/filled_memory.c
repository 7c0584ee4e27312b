/* SPDX-License-Identifier: BSD-2-Clause
 *
 * filled_memory - libc functions that write results to memory of the caller, or that read a record or a path there.
 * One thread calls the function named by the first word.  The other thread touches the memory that the function uses
 * ("inside"), or memory after it ("beside"), or, under a common lock, the memory that the function uses ("locked"). */
#define _GNU_SOURCE
#include "races.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>

static union { /* memory of the caller, used for nothing else */
    char c[4096];
    int i;
    long l;
    double d;
    wchar_t w[64];
    void *p;
    struct timespec spec;
    struct timeval val;
    sigset_t set;
    struct pollfd poll;
    fd_set fds;
    off_t off;
} m;
static char other[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t sem;
static struct hsearch_data table;
static int ends[2];
static volatile long result; /* keeps a call whose result is not needed */
static size_t used, unused;  /* offset of a byte that the function uses, and of one that it does not use */

int __xpg_strerror_r(int error, char *to, size_t n);

static void name_bytes(size_t in, size_t beside)
{
    used = in;
    unused = beside;
}

static void *nothing(void *arg)
{
    return arg;
}

static int join_into(void **value)
{
    pthread_t t;

    pthread_create(&t, NULL, nothing, NULL);
    return pthread_join(t, value);
}

static int copies(int (*how)(int, int))
{
    int to = memfd_create("to", 0), from = memfd_create("from", 0);

    return write(from, "text", 4) == 4 ? how(to, from) : -1;
}

static int sends(int to, int from)
{
    return (int)sendfile(to, from, &m.off, 2);
}

static int ranges(int to, int from)
{
    return (int)copy_file_range(from, &m.off, to, NULL, 2, 0);
}

/* Calls the function of this name.  With go = false only sets the offsets of its accesses. */
static bool call(const char *name, bool go)
{
    struct sockaddr_in local = { .sin_family = AF_INET };
    struct iovec to = { &m, 8 }, from = { other, 8 };
    struct hsearch_data *t = &table;

#define IS(word, in, beside, does)    \
    if (strcmp(name, word) == 0) {    \
        if (go)                       \
            result = (long)(does);    \
        else                          \
            name_bytes(in, beside);   \
        return true;                  \
    }
/* A function that fills a record of this type. */
#define FILLS(word, type, does) IS(word, sizeof(type) - 1, sizeof(type), does)
    FILLS("time", time_t, time(&m.l))
    FILLS("clock_gettime", struct timespec, clock_gettime(CLOCK_MONOTONIC, &m.spec))
    FILLS("clock_getres", struct timespec, clock_getres(CLOCK_MONOTONIC, &m.spec))
    FILLS("timespec_get", struct timespec, timespec_get(&m.spec, TIME_UTC))
    FILLS("gettimeofday", struct timeval, gettimeofday(&m.val, NULL))
    FILLS("times", struct tms, times((struct tms *)&m))
    FILLS("getrusage", struct rusage, getrusage(RUSAGE_SELF, (struct rusage *)&m))
    FILLS("getrlimit", struct rlimit, getrlimit(RLIMIT_NOFILE, (struct rlimit *)&m))
    FILLS("getitimer", struct itimerval, getitimer(ITIMER_REAL, (struct itimerval *)&m))
    FILLS("pipe", int[2], pipe(&m.i))
    FILLS("socketpair", int[2], socketpair(AF_UNIX, SOCK_STREAM, 0, &m.i))
    FILLS("statvfs", struct statvfs, statvfs("/", (struct statvfs *)&m))
    FILLS("getresuid", uid_t, getresuid((uid_t *)&m, (uid_t *)other, (uid_t *)other + 1))
    FILLS("sigmask", sigset_t, pthread_sigmask(SIG_BLOCK, NULL, &m.set))
    FILLS("mask", sigset_t, pthread_sigmask(SIG_UNBLOCK, &m.set, NULL))
    FILLS("sigaction", struct sigaction, sigaction(SIGUSR1, NULL, (struct sigaction *)&m))
    FILLS("sigaltstack", stack_t, sigaltstack(NULL, (stack_t *)&m))
    FILLS("sem_getvalue", int, sem_getvalue(&sem, &m.i))
    FILLS("getname", char[16], pthread_getname_np(pthread_self(), m.c, 16))
    FILLS("affinity", cpu_set_t, pthread_getaffinity_np(pthread_self(), sizeof(cpu_set_t), (cpu_set_t *)&m))
    FILLS("sched_affinity", cpu_set_t, sched_getaffinity(0, sizeof(cpu_set_t), (cpu_set_t *)&m))
    FILLS("policy", int, pthread_getschedparam(pthread_self(), &m.i, (struct sched_param *)other))
    FILLS("getattr", pthread_attr_t, pthread_getattr_np(pthread_self(), (pthread_attr_t *)&m))
    FILLS("key", pthread_key_t, pthread_key_create((pthread_key_t *)&m, NULL))
    FILLS("clockid", clockid_t, pthread_getcpuclockid(pthread_self(), &m.i))
    FILLS("cancelstate", int, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &m.i))
    FILLS("canceltype", int, pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &m.i))
    FILLS("join", void *, join_into(&m.p))
    FILLS("memalign", void *, posix_memalign(&m.p, 16, 16))
    FILLS("getentropy", char[5], getentropy(m.c, 5))
    FILLS("getrandom", char[5], getrandom(m.c, 5, 0))
    FILLS("arc4random", char[5], (arc4random_buf(m.c, 5), 0))
    FILLS("inet_aton", struct in_addr, inet_aton("1.2.3.4", (struct in_addr *)&m))
    FILLS("glob", glob_t, glob("/", 0, NULL, (glob_t *)&m))
    FILLS("getloadavg", double, getloadavg(&m.d, 1))
    FILLS("hcreate_r", struct hsearch_data, hcreate_r(5, (struct hsearch_data *)&m))
    FILLS("hsearch_r", ENTRY *, hsearch_r((ENTRY){ "a", NULL }, FIND, (ENTRY **)&m.p, t))
    FILLS("nanosleep", struct timespec, nanosleep(&m.spec, NULL))
    FILLS("vm_readv", char[8], process_vm_readv(getpid(), &to, 1, &from, 1, 0))
    FILLS("vm_writev", char[8], process_vm_writev(getpid(), &from, 1, &to, 1, 0))
    FILLS("sendfile", off_t, copies(sends))
    FILLS("copy_file_range", off_t, copies(ranges))
    FILLS("fgetpos", fpos_t, fgetpos(stdin, (fpos_t *)&m))
    FILLS("poll", struct pollfd, (m.poll.fd = ends[0], poll(&m.poll, 1, 0)))
    FILLS("select", fd_mask, (FD_SET(ends[0], &m.fds), select(ends[0] + 1, &m.fds, NULL, NULL, &(struct timeval){ 0 })))
    FILLS("c16rtomb", char, c16rtomb(m.c, u'a', NULL))
    FILLS("mbrtoc32", char32_t, mbrtoc32((char32_t *)m.w, "abc", 3, NULL))
    FILLS("ecvt_r", int, ecvt_r(1.5, 3, &m.i, (int *)other, other + 8, 20))
    FILLS("wcstol", wchar_t *, wcstol(L"12x", (wchar_t **)&m.p, 10))
    FILLS("wcstod", wchar_t *, wcstod(L"12x", (wchar_t **)&m.p))
    FILLS("strtoimax", char *, strtoimax("12x", (char **)&m.p, 10))
    IS("gethostname", 0, 4000, gethostname(m.c, 100))
    IS("realpath", 1, 2, realpath("/", m.c))
    IS("confstr", 0, 4000, confstr(_CS_PATH, m.c, 100))
    IS("xpg_strerror_r", 3, 200, __xpg_strerror_r(5, m.c, 100))
    IS("getnameinfo", 7, 8, getnameinfo((struct sockaddr *)&local, sizeof local, m.c, 100, NULL, 0, NI_NUMERICHOST))
    IS("strfromd", 3, 4, strfromd(m.c, 10, "%.1f", 1.5))
    IS("wcsftime", 16, 20, wcsftime(m.w, 20, L"%Y", &(struct tm){ .tm_mday = 1 }))
    /* These functions read a text of three characters and its terminating zero. */
    IS("open", 3, 4, open(m.c, O_RDONLY))
    IS("fopen", 3, 4, fopen(m.c, "r"))
    IS("access", 3, 4, access(m.c, R_OK))
    IS("chdir", 3, 4, chdir(m.c))
    IS("opendir", 3, 4, opendir(m.c))
    IS("getenv", 3, 4, getenv(m.c))
    IS("setenv", 3, 4, setenv("HEDDLE_LITMUS", m.c, 1))
    IS("setname", 3, 4, pthread_setname_np(pthread_self(), m.c))
    IS("inet_addr", 3, 4, inet_addr(m.c))
    IS("fnmatch", 3, 4, fnmatch("a*", m.c, 0))
    IS("strverscmp", 3, 4, strverscmp(m.c, "abd"))
    IS("basename", 3, 4, basename(m.c))
    IS("perror", 3, 4, (perror(m.c), 0))
    IS("number", 7, 8, wcstol(m.w + 1, NULL, 10))
#undef IS
#undef FILLS
    return false;
}

static void *calls(void *name)
{
    if (is("locked"))
        pthread_mutex_lock(&lock);
    call(name, true);
    if (is("locked"))
        pthread_mutex_unlock(&lock);
    return NULL;
}

static void *touches(void *arg)
{
    if (is("locked"))
        pthread_mutex_lock(&lock);
    PUT(m.c[is("beside") ? unused : used], m.c[is("beside") ? unused : used]);
    if (is("locked"))
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(int argc, char **argv)
{
    if (argc < 3 || !call(argv[1], false))
        return 99;
    variant = argv[2];
    if (pipe(ends) != 0 || sem_init(&sem, 0, 1) != 0 || hcreate_r(5, &table) == 0)
        return 99;
    hsearch_r((ENTRY){ "a", NULL }, ENTER, &(ENTRY *){ NULL }, &table);
    if (used == 3 || strcmp(argv[1], "number") == 0)
        strcpy(m.c, "abc");
    pthread_t caller, toucher;

    pthread_create(&caller, NULL, calls, argv[1]);
    pthread_create(&toucher, NULL, touches, NULL);
    pthread_join(caller, NULL);
    pthread_join(toucher, NULL);
    return 0;
}
