/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sweep.c - all calls of passive.h, each in a process of its own: the name, what came back, and how
 * the process ended.  With an argument: their names only. */
#include "passive.h"

#include <sys/mman.h>
#include <sys/wait.h>

const char passive_name[] = "file.tmp";
char passive_buf[4096];

const char *passive_ipc_name(void)
{
    static char name[40];

    snprintf(name, sizeof name, "/heddle-passive-%ld", (long)getpid());
    return name;
}

extern const struct call __start_calls[], __stop_calls[];

int passive_file(void)
{
    int fd = open(passive_name, O_RDWR | O_CREAT | O_TRUNC, 0644);

    if (write(fd, "hello\n", 6) != 6 || lseek(fd, 0, SEEK_SET) != 0)
        _exit(99);
    return fd;
}

FILE *passive_stream(void)
{
    close(passive_file());
    return fopen(passive_name, "r+");
}

int main(int argc, char **argv)
{
    long *result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    (void)argv;
    for (const struct call *c = __start_calls; c < __stop_calls; c++) {
        int status = 0;

        if (argc > 1) {
            puts(c->name);
            continue;
        }
        *result = -77; /* it has not come back */
        fflush(stdout);
        pid_t pid = fork();

        if (pid == 0) {
            alarm(20);
            *result = c->fn();
            fflush(stdout);
            _exit(0);
        }
        waitpid(pid, &status, 0);
        printf("%s returned %ld, the process ended with %#x\n", c->name, *result, (unsigned)status);
    }
    return 0;
}
