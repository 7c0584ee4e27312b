/* SPDX-License-Identifier: BSD-2-Clause
 *
 * changes_files - finds tree/old (2 bytes, mode 0644) and no tree/new, then changes one of
 * them in way number N.
 *
 *     changes_files N
 *
 * Claim: it finds them so in every execution.  True, if the last one was undone. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLD "tree/old"
#define NEW "tree/new"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static volatile int result; /* of calls whose failure would show elsewhere */

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void write_stream(const char *name, const char *mode, bool closed)
{
    FILE *f = fopen(name, mode);

    fputs("abcdef", f);
    if (closed)
        fclose(f);
    else
        fflush(f);
}

static void names(int way)
{
    switch (way) {
    case 0: result = renameat2(AT_FDCWD, OLD, AT_FDCWD, NEW, 0); break;
    case 1: result = mkdirat(AT_FDCWD, NEW, 0700); break;
    case 2: result = linkat(AT_FDCWD, OLD, AT_FDCWD, NEW, 0); break;
    case 3: result = mknodat(AT_FDCWD, NEW, S_IFREG | 0600, 0); break;
    case 4: result = mkfifoat(AT_FDCWD, NEW, 0600); break;
    case 5: result = unlinkat(AT_FDCWD, OLD, 0); break;
    case 6: result = remove(OLD); break;
    case 7: result = symlink("nowhere", NEW); break;
    case 8: result = mkstemp((char[]){ "tree/newXXXXXX" }); break;
    case 9: result = mkdtemp((char[]){ "tree/newXXXXXX" }) == NULL; break;
    case 10: result = rename("tree", "other"); break;
    case 11: result = mknod(NEW, S_IFREG | 0600, 0); break;
    default: result = chdir("tree") + creat("new", 0600);
    }
}

static void contents(int way)
{
    switch (way) {
    case 20: result = fchmodat(AT_FDCWD, OLD, 0600, 0); break;
    case 21: result = chmod(OLD, 0600); break;
    case 22: result = creat(NEW, 0600); break;
    case 23: result = openat(AT_FDCWD, NEW, O_CREAT | O_WRONLY, 0600); break;
    case 24: write_stream(NEW, "w", true); break;
    case 25: write_stream(OLD, "r+", false); break;
    case 26: write_stream(OLD, "a", false); break;
    case 27: result = posix_fallocate(open(OLD, O_RDWR), 0, 999); break;
    case 28: result = (int)pwrite(open(OLD, O_WRONLY), "hhhhh", 5, 0); break;
    case 29: result = open(OLD, O_WRONLY | O_TRUNC); break;
    case 30: result = ftruncate(open(OLD, O_WRONLY), 100); break;
    case 31: result = truncate(OLD, 50); break;
    case 32: result = openat(open("tree", O_DIRECTORY), "new", O_CREAT | O_RDWR, 0600); break;
    default: result = freopen(NEW, "w", stdin) == NULL;
    }
}

int main(int argc, char **argv)
{
    struct stat status;

    if (argc != 2)
        return 2;
    pthread_t other = spawn(work);

    assert(access(NEW, F_OK) != 0);
    assert(stat(OLD, &status) == 0);
    assert(status.st_mode == (S_IFREG | 0644) && status.st_size == 2);
    int way = atoi(argv[1]);

    if (way < 20)
        names(way);
    else
        contents(way);
    join(other);
    return 0;
}
