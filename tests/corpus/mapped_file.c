/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mapped_file.c - a thread writes to a file through mapped memory, another one reads it by a call.  The call may see the
 * old or the new contents; SEEN is the one that the program does not expect.
 *   LATE  the file is mapped after other threads have begun */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;
static _Atomic char *memory;

static void map(void)
{
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert(memory != MAP_FAILED);
}

static void *changes(void *arg)
{
#ifdef LATE
    map();
#endif
    memory[0] = 1;
    return arg;
}

int main(void)
{
    pthread_t other;
    char name[64], first;

    snprintf(name, sizeof name, "mapped_file.%d", (int)getpid());
    file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
    unlink(name);
    assert(ftruncate(file, 4096) == 0);
#ifndef LATE
    map();
#endif
    pthread_create(&other, NULL, changes, NULL);
    assert(pread(file, &first, 1, 0) == 1);
    pthread_join(other, NULL);
    assert(first != SEEN);
    return 0;
}
