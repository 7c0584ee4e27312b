/* SPDX-License-Identifier: BSD-2-Clause
 *
 * states_test.c - a kept state is the last one or the one before, whatever happens while it is written. */
#include "support/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/sql.h"
#include "store/states.h"

static char root[] = "/tmp/heddle-states-XXXXXX", path[64], error[512];

enum { PIECE = 1 << 20 };

static void run(const char *what)
{
    char command[128];

    snprintf(command, sizeof command, "%s %s/*", what, root);
    assert_int_equal(system(command), 0);
}

static int make_root(void **state)
{
    (void)state;
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/store.sqlite", root);
    return 0;
}

static int remove_root(void **state)
{
    (void)state;
    run("rm -rf");
    return rmdir(root);
}

/* A file of that many bytes, all of which are the letter. */
static int file_of(char letter, size_t size)
{
    int fd = memfd_create("test", MFD_CLOEXEC);
    char *data = malloc(size + 1);

    memset(data, letter, size);
    assert_int_equal(write(fd, data, size), size);
    free(data);
    return fd;
}

static bool put(const char *name, char letter, size_t size)
{
    int fd = file_of(letter, size);
    bool ok = hd_states_put(path, name, fd, error, sizeof error);

    close(fd);
    return ok;
}

/* Returns the letter of which all bytes of the state are, 0 if there is no state. *size: its size. */
static char letter_of(const char *name, size_t *size)
{
    int fd = memfd_create("test", MFD_CLOEXEC);
    enum hd_states_got got = hd_states_get(path, name, fd, error, sizeof error);
    struct stat st;

    *size = 0;
    if (got == HD_STATES_FAILED)
        fail_msg("%s", error);
    assert_int_equal(got == HD_STATES_FOUND, hd_states_has(path, name));
    if (got == HD_STATES_NONE) {
        close(fd);
        return 0;
    }
    assert_int_equal(fstat(fd, &st), 0);
    *size = (size_t)st.st_size;
    char *data = malloc(*size + 1);

    assert_int_equal(pread(fd, data, *size, 0), *size);
    for (size_t i = 1; i < *size; i++)
        assert_int_equal(data[i], data[0]);
    char letter = data[0];

    free(data);
    close(fd);
    return letter;
}

static void what_was_put_is_there(void **state)
{
    const size_t sizes[] = { 1, 4096, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE };
    size_t size;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_true(put("one", (char)('a' + i), sizes[i]));
        assert_int_equal(letter_of("one", &size), 'a' + (int)i);
        assert_int_equal(size, sizes[i]);
    }
    assert_true(put("one", 'z', 5)); /* nothing remains of a longer one */
    assert_int_equal(letter_of("one", &size), 'z');
    assert_int_equal(size, 5);
}

static void removing_gives_room_back(void **state)
{
    struct stat st;
    size_t size;

    (void)state;
    run("rm -f");
    assert_true(put("one", 'a', 4 * PIECE));
    assert_true(put("one-1", 'b', 1));
    assert_true(put("one-22", 'c', 1));
    assert_true(put("two-1", 'd', 1));
    assert_true(hd_states_remove(path, "one"));
    assert_int_equal(letter_of("one", &size), 0);
    assert_int_equal(letter_of("one-1", &size), 'b');
    assert_true(hd_states_remove_all(path, "one-"));
    assert_int_equal(letter_of("one-1", &size), 0);
    assert_int_equal(letter_of("one-22", &size), 0);
    assert_int_equal(letter_of("two-1", &size), 'd');
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size < PIECE);
    assert_true(hd_states_remove(path, "one")); /* there is none */
}

static void only_put_makes_a_store(void **state)
{
    size_t size;

    (void)state;
    run("rm -f");
    assert_int_equal(letter_of("one", &size), 0);
    assert_true(hd_states_remove(path, "one"));
    assert_true(hd_states_remove_all(path, "one"));
    assert_int_not_equal(access(path, F_OK), 0);
}

/* States contain environment variables. */
static void only_the_owner_reads_it(void **state)
{
    struct stat st;

    (void)state;
    for (int there = 0; there < 2; there++) {
        run("rm -f");
        if (there) /* campaigns have made it */
            close(open(path, O_RDWR | O_CREAT, 0666));
        assert_true(put("one", 'a', 1));
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, 0600);
    }
}

/* A store of an older Heddle has no table of states. */
static void an_older_store_has_no_states(void **state)
{
    char url[128];
    size_t size;

    (void)state;
    run("rm -f");
    assert_true(put("one", 'a', 1));
    snprintf(url, sizeof url, "sqlite:%s", path);
    struct hd_sql *q = hd_sql_open(url, error, sizeof error);

    assert_non_null(q);
    assert_true(hd_sql_run(q, NULL, "DROP TABLE state", ""));
    assert_true(hd_sql_run(q, NULL, "UPDATE heddle_schema SET version = 5", ""));
    hd_sql_close(q);
    assert_int_equal(letter_of("one", &size), 0);
    assert_true(put("one", 'b', 1));
    assert_int_equal(letter_of("one", &size), 'b');
}

/* A process that writes 'b' over 'a' is killed at any moment. */
static void a_killed_writer_leaves_one_of_both(void **state)
{
    enum { ROUNDS = 10, SIZE = 2 * PIECE + 1 };
    size_t size;

    (void)state;
    run("rm -f");
    for (int i = 0; i < ROUNDS; i++) {
        assert_true(put("one", 'a', SIZE));
        pid_t pid = fork();

        if (pid == 0) {
            for (;;)
                put("one", 'b', SIZE - 1);
        }
        nanosleep(&(struct timespec){ 0, (i + 1) * 2000000L }, NULL);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        char letter = letter_of("one", &size);

        assert_true(letter == 'a' || letter == 'b');
        assert_int_equal(size, letter == 'a' ? SIZE : SIZE - 1);
    }
}

/* A process that makes the store is killed at any moment: what it leaves neither stops readers nor writers. */
static void a_killed_maker_leaves_nothing_or_all(void **state)
{
    enum { ROUNDS = 30 };
    size_t size;

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        run("rm -f");
        pid_t pid = fork();

        if (pid == 0)
            _exit(!put("one", 'b', 5));
        nanosleep(&(struct timespec){ 0, (i + 1) * 400000L }, NULL);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        char letter = letter_of("one", &size);

        assert_true(letter == 0 || letter == 'b');
        assert_true(put("one", 'c', 1));
    }
}

/* A limit on the size of files is the full disk that every machine has. */
static void a_full_disk_keeps_the_earlier_state(void **state)
{
    struct rlimit before, small;
    size_t size;

    (void)state;
    run("rm -f");
    assert_true(put("one", 'a', 1000));
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ PIECE, before.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    int fd = file_of('b', 4 * PIECE);

    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = hd_states_put(path, "one", fd, error, sizeof error);

    setrlimit(RLIMIT_FSIZE, &before);
    close(fd);
    assert_false(ok);
    assert_true(strlen(error) > 0);
    assert_int_equal(letter_of("one", &size), 'a');
    assert_int_equal(size, 1000);
}

static void a_damaged_store_is_named(void **state)
{
    int fd = memfd_create("test", MFD_CLOEXEC);

    (void)state;
    run("rm -f");
    assert_true(put("one", 'a', 1000));
    int file = open(path, O_WRONLY);

    assert_int_equal(pwrite(file, "no database at all", 18, 0), 18);
    close(file);
    assert_int_equal(hd_states_get(path, "one", fd, error, sizeof error), HD_STATES_FAILED);
    assert_non_null(strstr(error, "not a database"));
    assert_false(hd_states_has(path, "one"));
    assert_false(put("one", 'b', 1));
    assert_non_null(strstr(error, "not a database"));
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_is_there),
        cmocka_unit_test(removing_gives_room_back),
        cmocka_unit_test(only_put_makes_a_store),
        cmocka_unit_test(only_the_owner_reads_it),
        cmocka_unit_test(an_older_store_has_no_states),
        cmocka_unit_test(a_killed_writer_leaves_one_of_both),
        cmocka_unit_test(a_killed_maker_leaves_nothing_or_all),
        cmocka_unit_test(a_full_disk_keeps_the_earlier_state),
        cmocka_unit_test(a_damaged_store_is_named),
    };

    return cmocka_run_group_tests(tests, make_root, remove_root);
}
