/* SPDX-License-Identifier: BSD-2-Clause
 *
 * copied_file.c - the kernel copies a file while another thread uses it.
 *   HOW 0  sendfile to a file that main reads
 *       1  copy_file_range to a file that main reads
 *   ORDERED  main waits for the copy first: correct */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <unistd.h>

static int from, to;

static void *copy(void *arg)
{
    off_t begin = 0;

#if HOW == 0
    assert(sendfile(to, from, &begin, 4) == 4);
#else
    off_t there = 0;

    assert(copy_file_range(from, &begin, to, &there, 4, 0) == 4);
#endif
    return arg;
}

int main(void)
{
    pthread_t other;
    char got[4] = "";

    from = open("from.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
    to = open("to.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(write(from, "abcd", 4) == 4);
    pthread_create(&other, NULL, copy, NULL);
#ifdef ORDERED
    pthread_join(other, NULL);
#endif
    int n = (int)pread(to, got, 4, 0);
#ifndef ORDERED
    pthread_join(other, NULL);
#endif
    unlink("from.tmp");
    unlink("to.tmp");
#ifdef ORDERED
    assert(n == 4);
#else
    assert(n == 0);
#endif
    return 0;
}
