/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_writes.c - a thread waits for a pipe that only a child process will write to: no thread
 * in the program can go on, and it is no deadlock. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg)
{
    char c = 0;

    assert(read(ends[0], &c, 1) == 1 && c == 'c');
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int status;

    (void)argv;

    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, reader, NULL);
    pid_t pid = fork();

    if (pid == 0) {
        usleep(argc > 1 ? 500000 : 1000);
        _exit(write(ends[1], "c", 1) != 1);
    }
    pthread_join(t, NULL);
    assert(waitpid(pid, &status, 0) == pid && status == 0);
    return 0;
}
