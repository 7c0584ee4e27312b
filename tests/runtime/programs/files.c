/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.c HOW - asserts that the files of the directory are as the script has made them, and
 * changes all of them in every way that there is; "crash" and "kill" then end the process
 * before its end, if the second thread was first. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long first;

static void *turn(void *id)
{
    pthread_mutex_lock(&mutex);
    if (first == 0)
        first = (long)id;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static bool has(const char *path, const char *text)
{
    char got[32] = "";
    int fd = open(path, O_RDONLY);

    if (fd < 0 || read(fd, got, sizeof got - 1) < 0)
        return false;
    close(fd);
    return strcmp(got, text) == 0;
}

static void put(const char *path, const char *mode, const char *text)
{
    FILE *f = fopen(path, mode);

    assert(f != NULL);
    fputs(text, f);
    fclose(f);
}

static bool is_there(const char *path)
{
    struct stat s;

    return lstat(path, &s) == 0;
}

static void look(void)
{
    static const char *const absent[] = { "new", "made", "moved", "symbolic", "hard", "fifo" };
    char link[32] = "";
    struct stat s;

    assert(has("kept", "kept") && has("gone", "gone") && has("old", "old") && has("dir/in", "in"));
    assert(readlink("link", link, sizeof link - 1) > 0 && strcmp(link, "kept") == 0);
    for (unsigned i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert(!is_there(absent[i]));
    assert(stat("guarded", &s) == 0 && (s.st_mode & 0777) == 0444);
    assert(stat("kept", &s) == 0 && s.st_mtime == 1000000000);
    assert(stat("large", &s) == 0 && s.st_size == 200000);
    assert(stat("pipe", &s) == 0 && S_ISFIFO(s.st_mode));
}

static void change_names(void)
{
    char file[] = "file-XXXXXX", directory[] = "directory-XXXXXX";

    assert(unlink("gone") == 0 && unlink("pipe") == 0 && unlink("link") == 0);
    assert(mkdir("made", 0700) == 0 && mkfifo("fifo", 0600) == 0);
    assert(symlink("gone", "link") == 0 && symlink("kept", "symbolic") == 0 && link("kept", "hard") == 0);
    assert(rename("old", "new") == 0 && rename("dir", "moved") == 0);
    assert(close(mkstemp(file)) == 0 && mkdtemp(directory) != NULL);
}

/* Under their new names; from another directory; through a descriptor of one. */
static void change_contents(void)
{
    int dir = open("moved", O_RDONLY | O_DIRECTORY);

    put("new", "w", "x");
    put("old", "w", "y");
    put("symbolic", "a", "through a link");
    put("hard", "w", "through another name");
    put("moved/in", "r+", "other");
    assert(dir >= 0 && close(openat(dir, "more", O_WRONLY | O_CREAT, 0600)) == 0 && close(dir) == 0);
    assert(chdir("made") == 0);
    put("below", "w", "z");
    assert(chdir("..") == 0 && truncate("large", 1) == 0);
    assert(chmod("guarded", 0644) == 0);
    put("guarded", "w", "w");
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    look();
    pthread_create(&a, NULL, turn, (void *)1);
    pthread_create(&b, NULL, turn, (void *)2);
    change_names();
    change_contents();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    if (argc > 1 && first == 2)
        raise(strcmp(argv[1], "kill") == 0 ? SIGKILL : SIGSEGV);
    return 0;
}
