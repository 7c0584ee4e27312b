/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lost.c - ways to lose the process of an execution that the crash handler does
 * not see, or not in time. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static sem_t ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* With SIGCHLD ignored the kernel keeps no status for the process that waits. */
__attribute__((constructor)) static void ignore_children(void)
{
    if (getenv("LOST_IGNORE") != NULL)
        signal(SIGCHLD, SIG_IGN);
}

static void *printer(void *arg)
{
    sem_wait(&ready);
    puts("the other one");
    return arg;
}

/* The crash leaves libc's lock of stdout taken, for which the other thread waits. */
static void crash_inside_stdio(void)
{
    pthread_t t;

    setvbuf(stdout, NULL, _IOFBF, 4096);
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, printer, NULL);
    sem_post(&ready);
    printf("hello %s\n", (char *)(long)(getpid() > 0));
    pthread_join(t, NULL);
}

/* A system call as code has it that no interposer sees. */
static long call_kernel(long number, const void *a, const void *b, const void *c)
{
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return number;
}

/* A finding after which the execution does not end while a directory is there: whoever
 * kills its process removes that, so that the execution ends when it is run again. */
static void find_and_wait(void)
{
    pthread_mutex_unlock(&lock);
    if (access("waits", F_OK) == 0)
        for (;;)
            __asm__ volatile("");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    char *become[] = { "sh", "-c", argc > 2 ? argv[2] : "exit 0", NULL };

    if (strcmp(how, "stdio") == 0)
        crash_inside_stdio();
    else if (strcmp(how, "find") == 0)
        find_and_wait();
    else if (strcmp(how, "exec") == 0)
        call_kernel(SYS_execve, "/bin/sh", become, environ);
    else if (strcmp(how, "leave") == 0)
        call_kernel(SYS_exit_group, (void *)(long)atoi(argv[2]), NULL, NULL);
    return 0;
}
