/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guest.c - the only program inside Linux: it sets the kernel up, sends the kernel's symbols to the tool, and runs the
 * test.
 *
 * The threads of the test have one real-time priority with a time slice of one tick, so that a tick lets the next one
 * run (plugin/linux.c); the main thread has a higher one, so that it runs as soon as it can.  It runs one execution
 * after another.  The tool stops the machine at hd_guest_knows, and takes the snapshot at hd_guest_ready.
 *
 * It sends lines to QEMU's debug console through an I/O port, without the kernel. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <heddle/kernel.h>

#include "kernel/link/mark.h"

#define WARM_UP 3 /* number of executions before the snapshot, in which the kernel does what it does only once */

static unsigned nthreads;
static unsigned generation, arrived; /* number of the execution; number of threads that have ended their part of it */
static char wrong[256];

void hd_guest_knows(void);
void hd_guest_ready(void);

static void send_text(const char *text, size_t n)
{
    __asm__ volatile("rep outsb" : "+S"(text), "+c"(n) : "d"(HD_GUEST_PORT) : "memory");
}

static void send_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void send_line(const char *format, ...)
{
    char line[320];
    va_list list;

    va_start(list, format);
    int n = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (n < 0)
        return;
    n = n > (int)sizeof line - 2 ? (int)sizeof line - 2 : n;
    for (int i = 0; i < n; i++)
        line[i] = line[i] == '\n' ? ' ' : line[i];
    line[n] = '\n';
    send_text(line, (size_t)n + 1);
    HD_MARK(HD_MARK_LINE);
}

/* ---- for tests ------------------------------------------------------------------------- */

void hd_kernel_fail(const char *format, ...)
{
    va_list list;

    if (wrong[0] != '\0')
        return;
    va_start(list, format);
    vsnprintf(wrong, sizeof wrong, format, list);
    va_end(list);
}

void hd_kernel_calls(const char *text)
{
    send_line("%s", text);
}

void hd_kernel_called(long result)
{
    int error = errno;

    if (result == -1)
        send_line("= -1 (%s)", strerrorname_np(error) == NULL ? "?" : strerrorname_np(error));
    else
        send_line("= %ld", result);
    errno = error;
}

/* ---- the kernel -------------------------------------------------------------------------- */

/* The tool reports the last line. */
static _Noreturn void give_up(const char *what, const char *name)
{
    send_line("heddle: %s %s: %s", what, name, strerror(errno));
    for (;;)
        hd_guest_knows();
}

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);

    if (fd == -1 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        give_up("cannot write", path);
    close(fd);
}

static void mount_at(const char *type, const char *where)
{
    mkdir(where, 0755);
    if (mount(type, where, type, 0, NULL) != 0 && errno != EBUSY)
        give_up("cannot mount", where);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_module(const struct dirent *e)
{
    return strstr(e->d_name, ".ko") != NULL;
}

static void load_modules(void)
{
    struct dirent **list;
    int n = scandir("/modules", &list, is_module, by_name);

    for (int i = 0; i < n; i++) {
        char path[300];

        snprintf(path, sizeof path, "/modules/%s", list[i]->d_name);
        int fd = open(path, O_RDONLY);

        if (fd == -1 || syscall(SYS_finit_module, fd, "", 0) != 0)
            give_up("cannot load", path);
        close(fd);
    }
}

/* Sends the symbols of all functions, and of the variables that hold the current task and preempt_count. */
static void send_symbols(void)
{
    static const char *const variables[] = { " current_task\n", " __preempt_count\n", " pcpu_hot\n",
                                             " __per_cpu_offset\n", " __per_cpu_end\n", NULL };
    char line[600];
    FILE *f = fopen("/proc/kallsyms", "r");

    if (f == NULL)
        give_up("cannot read", "/proc/kallsyms");
    while (fgets(line, sizeof line, f) != NULL) {
        bool wanted = strlen(line) > 18 && strchr("tTwW", line[17]) != NULL;

        for (unsigned i = 0; variables[i] != NULL; i++)
            wanted |= strstr(line, variables[i]) != NULL;
        if (wanted)
            send_text(line, strlen(line));
    }
    fclose(f);
}

/* ---- executions -------------------------------------------------------------------------- */

static void wait_while(const unsigned *word, unsigned value)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void advance(unsigned *word)
{
    __atomic_add_fetch(word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/* The number must be in the instruction. */
static void mark_start(size_t thread)
{
    switch (thread) {
    case 0: HD_MARK(HD_MARK_START); break;
    case 1: HD_MARK(HD_MARK_START + 1); break;
    case 2: HD_MARK(HD_MARK_START + 2); break;
    case 3: HD_MARK(HD_MARK_START + 3); break;
    case 4: HD_MARK(HD_MARK_START + 4); break;
    case 5: HD_MARK(HD_MARK_START + 5); break;
    case 6: HD_MARK(HD_MARK_START + 6); break;
    default: HD_MARK(HD_MARK_START + 7); break;
    }
}

static void *run_thread(void *argument)
{
    void (*body)(void) = hd_kernel_test.thread[(size_t)argument];

    for (unsigned seen = 0;; seen++) {
        wait_while(&generation, seen);
        mark_start((size_t)argument);
        body();
        HD_MARK(HD_MARK_STOP);
        advance(&arrived);
    }
    return NULL;
}

static void run_execution(void)
{
    unsigned n;

    wrong[0] = '\0';
    if (hd_kernel_test.setup != NULL)
        hd_kernel_test.setup();
    __atomic_store_n(&arrived, 0, __ATOMIC_RELEASE);
    HD_MARK(HD_MARK_BEGIN);
    advance(&generation);
    while ((n = __atomic_load_n(&arrived, __ATOMIC_ACQUIRE)) < nthreads)
        wait_while(&arrived, n);
    if (hd_kernel_test.check != NULL)
        hd_kernel_test.check();
    if (wrong[0] != '\0') {
        send_line("wrong: %s", wrong);
        HD_MARK(HD_MARK_WRONG);
    } else {
        HD_MARK(HD_MARK_CLEAN);
    }
}

static void become_real_time(pthread_t thread, int priority)
{
    struct sched_param p = { .sched_priority = priority };

    errno = pthread_setschedparam(thread, SCHED_RR, &p);
    if (errno != 0)
        give_up("cannot set the priority of", "a thread");
}

static void start_threads(void)
{
    become_real_time(pthread_self(), 60);
    for (; nthreads < HD_KERNEL_THREADS && hd_kernel_test.thread[nthreads] != NULL; nthreads++) {
        pthread_t t;

        errno = pthread_create(&t, NULL, run_thread, (void *)(size_t)nthreads);
        if (errno != 0)
            give_up("cannot start", "a thread");
        become_real_time(t, 50);
    }
    usleep(20000); /* by then all of them wait for the first execution */
}

/* The tool has breakpoints here. */
__attribute__((noinline)) void hd_guest_knows(void) { __asm__ volatile("" ::: "memory"); }
__attribute__((noinline)) void hd_guest_ready(void) { __asm__ volatile("" ::: "memory"); }

int main(void)
{
    if (iopl(3) != 0)
        for (;;)
            pause();
    mount_at("proc", "/proc");
    mount_at("sysfs", "/sys");
    mount_at("devtmpfs", "/dev");
    mount_at("tmpfs", "/tmp");
    load_modules();
    write_file("/proc/sys/kernel/sched_rt_runtime_us", "-1");
    write_file("/proc/sys/kernel/sched_rr_timeslice_ms", "1");
    send_symbols();
    hd_guest_knows();
    start_threads();
    for (unsigned i = 0; i < WARM_UP; i++)
        run_execution();
    hd_guest_ready();
    for (;;)
        run_execution();
}
