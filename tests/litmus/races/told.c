/* SPDX-License-Identifier: BSD-2-Clause
 *
 * told - more ways in which one thread learns through the kernel what another one has done, by
 * calls that move bytes, ask, set a timer, unlock a file or send a signal (channels.c has the
 * usual ones).  With "early" as second argument the first thread tells before it writes the
 * data: the twin that races. */
#define _GNU_SOURCE
#include "races.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN, OUT };

static int data;
static int a[2], b[2]; /* two pipes */
static int pair[2];    /* of sockets */
static int clock_fd, queue, semaphores, locked[2];
static FILE *stream[2];
static sigset_t usr1;

static void must(bool condition)
{
    if (!condition)
        _exit(1);
}

static void take(int fd)
{
    char byte;

    must(read(fd, &byte, 1) >= 0);
}

static void poll_for(int fd)
{
    struct pollfd one = { fd, POLLIN, 0 };

    must(poll(&one, 1, -1) == 1);
}

/* ---- by bytes that are moved ------------------------------------------------------------- */

static void put(void)
{
    must(write(a[OUT], "x", 1) == 1);
}

static void put_raw(void)
{
    must(syscall(SYS_write, a[OUT], "x", 1) == 1);
}

static void take_a(void)
{
    take(a[IN]);
}

static void take_raw(void)
{
    char byte;

    must(syscall(SYS_read, a[IN], &byte, 1) == 1);
}

static void take_b(void)
{
    take(b[IN]);
}

static void take_pair(void)
{
    take(pair[IN]);
}

static void splice_on(void)
{
    must(write(a[OUT], "x", 1) == 1 && splice(a[IN], NULL, b[OUT], NULL, 1, 0) == 1);
}

static void splice_away(void)
{
    must(splice(a[IN], NULL, b[OUT], NULL, 1, 0) == 1);
}

static void tee_on(void)
{
    must(write(a[OUT], "x", 1) == 1 && tee(a[IN], b[OUT], 1, 0) == 1);
}

static void map_on(void)
{
    static char byte = 'x';
    struct iovec v = { &byte, 1 };

    must(vmsplice(b[OUT], &v, 1, 0) == 1);
}

static void send_file(void)
{
    off_t at = 0;

    must(sendfile(pair[OUT], locked[0], &at, 1) == 1);
}

static void send_several(void)
{
    struct iovec v = { "x", 1 };
    struct mmsghdr both[2] = { { .msg_hdr = { .msg_iov = &v, .msg_iovlen = 1 } },
                               { .msg_hdr = { .msg_iov = &v, .msg_iovlen = 1 } } };

    must(sendmmsg(pair[OUT], both, 2, 0) == 2);
}

static void send_halves(void)
{
    must(send(pair[OUT], "x", 1, 0) == 1 && send(pair[OUT], "y", 1, 0) == 1);
}

static void collect(void)
{
    char both[2];

    must(recv(pair[IN], both, 2, MSG_WAITALL) == 2);
}

/* ---- by what is asked ---------------------------------------------------------------------- */

static void count(void)
{
    int n = 0;

    while (ioctl(a[IN], FIONREAD, &n) == 0 && n == 0)
        sched_yield();
}

static void count_sent(void)
{
    int n = 1;

    while (ioctl(pair[OUT], TIOCOUTQ, &n) == 0 && n != 0)
        sched_yield();
}

static void await_set(void)
{
    struct epoll_event e;
    int set = epoll_create1(0);

    e.events = EPOLLIN;
    must(epoll_ctl(set, EPOLL_CTL_ADD, a[IN], &e) == 0 && epoll_pwait2(set, &e, 1, NULL, NULL) == 1);
}

/* ---- by what ends --------------------------------------------------------------------------- */

static void shut(void)
{
    must(shutdown(pair[IN], SHUT_RD) == 0);
}

static void close_stream(void)
{
    fputs("x\n", stream[OUT]);
    fclose(stream[OUT]);
}

static void read_stream(void)
{
    char line[8];

    while (fgets(line, sizeof line, stream[IN]) != NULL)
        continue;
}

static void fork_writer(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(write(a[OUT], "x", 1) != 1);
    waitpid(child, NULL, 0);
}

/* ---- by timers, locks and queues ------------------------------------------------------------- */

static void set_clock(void)
{
    struct itimerspec soon = { { 0, 0 }, { 0, 1000 } };

    must(timerfd_settime(clock_fd, 0, &soon, NULL) == 0);
}

static void read_clock(void)
{
    uint64_t n;

    must(read(clock_fd, &n, sizeof n) == sizeof n);
}

static void poll_clock(void)
{
    poll_for(clock_fd);
}

static void close_locked(void)
{
    must(close(locked[0]) == 0);
}

static void lock_file(void)
{
    must(flock(locked[1], LOCK_EX) == 0);
}

static void unlock_range(void)
{
    struct flock none = { .l_type = F_UNLCK };

    must(fcntl(locked[0], F_OFD_SETLK, &none) == 0);
}

static void lock_range(void)
{
    struct flock all = { .l_type = F_WRLCK };

    must(fcntl(locked[1], F_OFD_SETLKW, &all) == 0);
}

static void send_message(void)
{
    struct {
        long type;
        char byte;
    } m = { 1, 'x' };

    must(msgsnd(queue, &m, 1, 0) == 0);
}

static void ask_queue(void)
{
    struct msqid_ds state;

    do
        must(msgctl(queue, IPC_STAT, &state) == 0 && sched_yield() == 0);
    while (state.msg_qnum == 0);
}

static void raise_semaphore(void)
{
    must(semctl(semaphores, 0, SETVAL, 1) == 0);
}

static void lower_semaphore(void)
{
    struct sembuf down = { 0, -1, 0 };

    must(semop(semaphores, &down, 1) == 0);
}

/* ---- by signals ------------------------------------------------------------------------------- */

static void queue_signal(void)
{
    must(sigqueue(getpid(), SIGUSR1, (union sigval){ .sival_int = 1 }) == 0);
}

static void kill_raw(void)
{
    must(syscall(SYS_kill, getpid(), SIGUSR1) == 0);
}

static void take_signal(void)
{
    must(sigwaitinfo(&usr1, NULL) == SIGUSR1);
}

static void take_signal_soon(void)
{
    struct timespec second = { 1, 0 };

    while (sigtimedwait(&usr1, NULL, &second) != SIGUSR1)
        continue;
}

static void ask_signals(void)
{
    sigset_t pending;

    do
        must(sigpending(&pending) == 0 && sched_yield() == 0);
    while (!sigismember(&pending, SIGUSR1));
}

/* ---- by the names of files --------------------------------------------------------------------- */

static char name[64]; /* of this process alone: several may run at once */

static void open_to_write(void)
{
    must(open(name, O_WRONLY) >= 0);
}

static void open_to_read(void)
{
    must(open(name, O_RDONLY) >= 0);
}

static void make_file(void)
{
    must(open(name, O_CREAT | O_EXCL | O_RDWR, 0600) >= 0);
}

static void see_file(void)
{
    while (access(name, F_OK) != 0)
        sched_yield();
}

static void remove_file(void)
{
    must(unlink(name) == 0);
}

static void make_file_in_turn(void)
{
    while (open(name, O_CREAT | O_EXCL | O_RDWR, 0600) < 0)
        sched_yield();
}

static int watcher;

static void read_change(void)
{
    char changes[512];

    must(read(watcher, changes, sizeof changes) > 0);
}

/* ---- by what is in a file ----------------------------------------------------------------------- */

static void write_at(void)
{
    must(pwrite(locked[0], "y", 1, 0) == 1);
}

static void read_at(void)
{
    char byte = 0;

    while (pread(locked[1], &byte, 1, 0) == 1 && byte != 'y')
        sched_yield();
}

static void set_flag(void)
{
    must(fcntl(a[IN], F_SETFL, O_NONBLOCK) == 0);
}

static void see_flag(void)
{
    while ((fcntl(a[IN], F_GETFL) & O_NONBLOCK) == 0)
        sched_yield();
}

static const struct way {
    const char *name;
    void (*tell)(void), (*learn)(void);
} ways[] = {
    { "splice", splice_on, take_b },
    { "splice-away", put, splice_away },
    { "tee", tee_on, take_b },
    { "vmsplice", map_on, take_b },
    { "sendfile", send_file, take_pair },
    { "sendmmsg", send_several, take_pair },
    { "raw-write", put_raw, take_a },
    { "raw-read", put, take_raw },
    { "collect", send_halves, collect },
    { "count", put, count },
    { "count-sent", take_pair, count_sent },
    { "pwait2", put, await_set },
    { "shut", shut, take_pair },
    { "stream-end", close_stream, read_stream },
    { "child", fork_writer, take_a },
    { "clock", set_clock, read_clock },
    { "clock-poll", set_clock, poll_clock },
    { "flock", close_locked, lock_file },
    { "range", unlock_range, lock_range },
    { "queue", send_message, ask_queue },
    { "semctl", raise_semaphore, lower_semaphore },
    { "sigqueue", queue_signal, take_signal },
    { "raw-kill", kill_raw, take_signal },
    { "sigtimedwait", queue_signal, take_signal_soon },
    { "sigpending", queue_signal, ask_signals },
    { "fifo", open_to_write, open_to_read },
    { "made", make_file, see_file },
    { "removed", remove_file, make_file_in_turn },
    { "watched", remove_file, read_change },
    { "contents", write_at, read_at },
    { "flag", set_flag, see_flag },
};

static const struct way *way;
static bool early;

static void prepare_files(void)
{
    char path[32];
    struct flock all = { .l_type = F_WRLCK };

    locked[0] = memfd_create("locked", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", locked[0]);
    locked[1] = open(path, O_RDWR);
    must(locked[0] >= 0 && locked[1] >= 0 && write(locked[0], "x", 1) == 1);
    if (is("flock"))
        must(flock(locked[0], LOCK_EX) == 0);
    if (is("range"))
        must(fcntl(locked[0], F_OFD_SETLK, &all) == 0);
}

static void prepare_name(void)
{
    ssize_t n = readlink("/proc/self", name, sizeof name - 8);

    must(n > 0);
    strcpy(name + n, ".told");
    unlink(name);
    if (is("fifo"))
        must(mkfifo(name, 0600) == 0);
    if (is("removed") || is("watched"))
        make_file();
    if (is("watched")) {
        watcher = inotify_init1(0);
        must(inotify_add_watch(watcher, name, IN_ATTRIB) >= 0);
    }
}

static void prepare(void)
{
    must(pipe(a) == 0 && pipe(b) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    if (is("sendfile") || is("flock") || is("range") || is("contents"))
        prepare_files();
    if (is("fifo") || is("made") || is("removed") || is("watched"))
        prepare_name();
    if (is("count-sent"))
        must(write(pair[OUT], "x", 1) == 1);
    if (is("clock") || is("clock-poll"))
        clock_fd = timerfd_create(CLOCK_MONOTONIC, 0);
    if (is("queue"))
        queue = msgget(IPC_PRIVATE, 0600);
    if (is("semctl"))
        semaphores = semget(IPC_PRIVATE, 1, 0600);
    if (is("stream-end")) {
        stream[IN] = fdopen(a[IN], "r");
        stream[OUT] = fdopen(a[OUT], "w");
    }
}

static void *first(void *arg)
{
    if (early)
        way->tell();
    PUT(data, 1);
    if (!early)
        way->tell();
    return arg;
}

static void *second(void *arg)
{
    way->learn();
    (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
    early = argc > 2 && strcmp(argv[2], "early") == 0;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (is(ways[i].name))
            way = &ways[i];
    must(way != NULL);
    prepare();
    int result = run_two(argc, argv, first, second);

    unlink(name);
    if (is("queue"))
        msgctl(queue, IPC_RMID, NULL);
    if (is("semctl"))
        semctl(semaphores, 0, IPC_RMID);
    return result;
}
