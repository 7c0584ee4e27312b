/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libc functions that make a system call abort a transaction, with status 0. That holds for functions that Heddle
 * models and for system calls inside libc.  Other functions do not abort it. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rtm.h"

enum { CALLS = 28, OTHERS = 4 };

static char buffer[100];
static sigset_t set;
static struct stat about;
static struct rlimit limit;
static int place;

static void call(int which)
{
    switch (which) {
    case 0: (void)open("/dev/null", O_RDONLY); break;
    case 1: fopen("/dev/null", "r"); break;
    case 2: getpid(); break;
    case 3: gettid(); break;
    case 4: getppid(); break;
    case 5: mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); break;
    case 6: sigprocmask(SIG_BLOCK, &set, NULL); break;
    case 7: signal(SIGUSR1, SIG_DFL); break;
    case 8: stat("/", &about); break;
    case 9: getrlimit(RLIMIT_CORE, &limit); break;
    case 10: umask(0); break;
    case 11: (void)!getcwd(buffer, sizeof buffer); break;
    case 12: raise(SIGUSR2); break;
    case 13: kill(getppid(), 0); break;
    case 14: pthread_kill(pthread_self(), SIGUSR2); break;
    case 15: opendir("/"); break;
    case 16: fork(); break;
    case 17: close(77); break;
    case 18: access("/", R_OK); break;
    case 19: unlink("/nonexistent"); break;
    case 20: getuid(); break;
    case 21: (void)!dup(0); break;
    case 22: exit(0);
    case 23: _exit(0);
    case 24: (void)!getrandom(buffer, 8, 0); break;
    case 25: waitpid(-1, NULL, WNOHANG); break;
    case 26: munmap(&about, 0); break;
    case 27: pthread_setname_np(pthread_self(), "renamed"); break;
    /* makes no system call */
    case CALLS: (void)getenv("HOME"); break;
    case CALLS + 1: free(strdup("a copy")); break;
    case CALLS + 2: snprintf(buffer, sizeof buffer, "%d", which); break;
    case CALLS + 3: (void)pthread_self(); break;
    }
}

int main(void)
{
    int which = (int)heddle_choose(CALLS + OTHERS);

    signal(SIGUSR2, SIG_IGN);
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        place++;
        call(which);
        _xend();
        assert(which >= CALLS && place == 1);
    } else {
        assert(place == 0 && (status == _XABORT_RETRY || (status == 0 && which < CALLS)));
    }
    return 0;
}
