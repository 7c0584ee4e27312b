/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancelled CALL [locked | twice] - main cancels a thread that makes a call of libc.
 *
 * Claim (an assertion): the thread ends by itself.  False for every call that is a
 * cancellation point.  Locked: it holds a mutex meanwhile, which no thread can have afterwards.
 * Twice: it makes the call twice and notes each; claimed is that it is not cancelled in between,
 * which is false, too.  With a call that is no cancellation point (getpid, tryjoin) the claim is
 * true.  Joins are of a thread that waits for main until the other has been cancelled. */
#define _GNU_SOURCE
#include "../litmus.h"

#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *call;
static bool locked, twice;
static int fd, calls;
static sem_t over;
static pthread_t waiter;

static bool is(const char *name)
{
    return strcmp(call, name) == 0;
}

static void make_call(void)
{
    char c = 0;

    if (is("write"))
        assert(write(STDOUT_FILENO, &c, 0) == 0);
    else if (is("read"))
        assert(read(fd, &c, 1) >= 0);
    else if (is("pread"))
        assert(pread(fd, &c, 1, 0) >= 0);
    else if (is("open"))
        assert(open("/dev/null", O_RDONLY) >= 0);
    else if (is("close"))
        close(fd);
    else if (is("fsync"))
        fsync(fd);
    else if (is("poll"))
        poll(NULL, 0, 0);
    else if (is("nanosleep"))
        nanosleep(&(struct timespec){ 0, 1 }, NULL);
    else if (is("wait"))
        waitpid(-1, NULL, WNOHANG);
    else if (is("connect"))
        connect(fd, NULL, 0);
    else if (is("testcancel"))
        pthread_testcancel();
    else if (is("timedjoin"))
        pthread_timedjoin_np(waiter, NULL, &(struct timespec){ 0, 1 });
    else if (is("clockjoin"))
        pthread_clockjoin_np(waiter, NULL, CLOCK_MONOTONIC, &(struct timespec){ 0, 1 });
    else if (is("tryjoin"))
        pthread_tryjoin_np(waiter, NULL);
    else
        getpid();
    calls++;
}

static void *wait_for_main(void *unused)
{
    sem_wait(&over);
    return unused;
}

static void *body(void *unused)
{
    if (locked)
        pthread_mutex_lock(&m);
    make_call();
    if (twice)
        make_call();
    if (locked)
        pthread_mutex_unlock(&m);
    return unused;
}

int main(int argc, char **argv)
{
    void *result = NULL;

    call = argc > 1 ? argv[1] : "write";
    locked = argc > 2 && strcmp(argv[2], "locked") == 0;
    twice = argc > 2 && strcmp(argv[2], "twice") == 0;
    fd = memfd_create("file", 0);
    if (strstr(call, "join") != NULL)
        waiter = spawn(wait_for_main);
    pthread_t t = spawn(body);

    pthread_cancel(t);
    pthread_join(t, &result);
    sem_post(&over);
    if (strstr(call, "join") != NULL)
        pthread_join(waiter, NULL);
    if (locked)
        pthread_mutex_lock(&m);
    if (twice)
        assert(calls != 1);
    else
        assert(result != PTHREAD_CANCELED);
    return 0;
}
