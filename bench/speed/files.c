/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.c - mostly input and output: two threads, many times { pass a line through a pipe
 * of its own; append it to a file of its own; read it back }.  What each system call costs
 * that passes through the runtime shows here. */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 2, ROUNDS = 50, LINE = 64 };

static void pass(int file, const int pipe_ends[2], long at)
{
    char line[LINE] = { 0 };

    if (write(pipe_ends[1], line, sizeof line) == LINE && read(pipe_ends[0], line, sizeof line) == LINE &&
        write(file, line, sizeof line) == LINE)
        pread(file, line, sizeof line, at);
}

static void *work(void *name)
{
    int pipe_ends[2], file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

    if (file < 0 || pipe(pipe_ends) != 0)
        return name;
    for (int i = 0; i < ROUNDS; i++)
        pass(file, pipe_ends, (long)i * LINE);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    close(file);
    unlink(name);
    return name;
}

int main(void)
{
    static char name[THREADS][16];
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++) {
        snprintf(name[i], sizeof name[i], "lines.%d", i);
        pthread_create(&thread[i], NULL, work, name[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
