/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leaves.c - starts a process in a session of its own, and does not wait for it; does not want to
 * die with its parent itself. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    prctl(PR_SET_PDEATHSIG, 0);
    if (argc > 1 && fork() == 0) {
        setsid();
        prctl(PR_SET_PDEATHSIG, 0);
        execlp("sleep", argv[1], "300", (char *)0);
        _exit(1);
    }
    return 0;
}
