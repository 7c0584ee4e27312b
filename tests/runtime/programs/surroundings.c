/* SPDX-License-Identifier: BSD-2-Clause
 *
 * surroundings.c - directory, umask, limits and mappings.  Call: surroundings
 * DIRECTORY, the one that it is started in. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state.h"

static void *leave_traces(void *arg)
{
    struct rlimit limit;
    unsigned char *pages = mmap(NULL, 3 * 65536, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert(pages != MAP_FAILED && pages[0] == 0 && pages[65536] == 0);
    echo((uintptr_t)pages >> 16);
    memset(pages, 1, 3 * 65536);
    munmap(pages, 65536);
    assert(chdir("/") == 0);
    umask(0777);
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_cur == 0 ? limit.rlim_max : 0;
    setrlimit(RLIMIT_CORE, &limit);
    return arg;
}

int main(int argc, char **argv)
{
    char directory[PATH_MAX];
    struct rlimit limit;
    pthread_t thread;

    assert(argc == 2);
    assert(getcwd(directory, sizeof directory) != NULL);
    assert(strcmp(directory, argv[1]) == 0);
    assert(umask(027) == 022);
    getrlimit(RLIMIT_CORE, &limit);
    echo(limit.rlim_cur == 0);
    pthread_create(&thread, NULL, leave_traces, NULL);
    echo(2);
    pthread_join(thread, NULL);
    return 0;
}
