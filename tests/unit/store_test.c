/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store_test.c - schedules appear whole under a name made of their content, and
 * a failure leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "conductor/store.h"

static char root[] = "/tmp/heddle-store-XXXXXX";

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int remove_root(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void fill(struct hd_schedule *s, const char *message)
{
    hd_schedule_init(s);
    s->points = HD_POINTS_SYNC;
    s->message = hd_schedule_string(s, message);
    hd_schedule_reserve(s, 1, 1, 1);
}

static unsigned entries(const char *dir)
{
    unsigned n = 0;
    DIR *d = opendir(dir);

    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d != NULL)
        closedir(d);
    return n;
}

static void saved_schedules_are_found_again(void **state)
{
    struct hd_schedule a, b, back;
    struct hd_stored sa, sb, again;
    struct hd_schedule_error err;
    char dir[64], latest[4096];

    (void)state;
    snprintf(dir, sizeof dir, "%s/deep/er", root);
    assert_false(hd_store_latest(dir, latest, sizeof latest));
    fill(&a, "one");
    fill(&b, "two");
    assert_true(hd_store_save(dir, &a, &sa));
    assert_true(hd_store_save(dir, &b, &sb));
    assert_string_not_equal(sa.id, sb.id);
    assert_true(hd_store_latest(dir, latest, sizeof latest));
    assert_string_equal(latest, sb.path);
    assert_true(hd_store_save(dir, &a, &again));
    assert_string_equal(again.id, sa.id);
    assert_int_equal(entries(dir), 3); /* two schedules and the link */
    hd_schedule_init(&back);
    assert_true(hd_schedule_read(&back, sa.path, &err));
    assert_string_equal(back.message, "one");
    hd_schedule_free(&back);
    hd_schedule_free(&a);
    hd_schedule_free(&b);
}

/* An archive without links, or a user who has removed the newest finding. */
static void without_the_link_the_newest_file_is_the_latest(void **state)
{
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    struct hd_schedule s;
    struct hd_stored one, two, three;
    char dir[64], link[100], other[100], latest[4096];

    (void)state;
    snprintf(dir, sizeof dir, "%s/unlinked", root);
    snprintf(link, sizeof link, "%s/" HD_STORE_LATEST, dir);
    snprintf(other, sizeof other, "%s/notes.txt", dir);
    fill(&s, "one");
    assert_true(hd_store_save(dir, &s, &one));
    s.message = "two";
    assert_true(hd_store_save(dir, &s, &two));
    s.message = "three";
    assert_true(hd_store_save(dir, &s, &three));
    hd_schedule_free(&s);
    assert_int_equal(symlink("x", other), 0); /* not a schedule */
    assert_int_equal(utimensat(AT_FDCWD, one.path, old, 0), 0);
    assert_int_equal(unlink(three.path), 0); /* the link dangles */
    assert_true(hd_store_latest(dir, latest, sizeof latest));
    assert_string_equal(latest, two.path);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(utimensat(AT_FDCWD, two.path, old, 0), 0);
    assert_int_equal(utimensat(AT_FDCWD, one.path, NULL, 0), 0);
    assert_true(hd_store_latest(dir, latest, sizeof latest));
    assert_string_equal(latest, one.path);
    assert_int_equal(unlink(one.path) | unlink(two.path), 0);
    assert_false(hd_store_latest(dir, latest, sizeof latest));
}

static void a_directory_that_cannot_be_is_reported(void **state)
{
    struct hd_schedule s;
    struct hd_stored out;

    (void)state;
    fill(&s, "x");
    assert_false(hd_store_save("/dev/null/x", &s, &out));
    assert_non_null(strstr(out.error, "/dev/null/x: Not a directory"));
    assert_int_equal(strlen(out.id), 12);
    hd_schedule_free(&s);
}

/* A limit on the size of files is the full disk that every machine has. */
static void a_full_disk_leaves_nothing_behind(void **state)
{
    struct rlimit before, small = { 64, RLIM_INFINITY };
    struct hd_schedule s;
    struct hd_stored out;
    char dir[64];

    (void)state;
    snprintf(dir, sizeof dir, "%s/full", root);
    fill(&s, "x");
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    bool saved = hd_store_save(dir, &s, &out);

    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(saved);
    assert_non_null(strstr(out.error, "File too large"));
    assert_int_equal(entries(dir), 0);
    hd_schedule_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_schedules_are_found_again),
        cmocka_unit_test(without_the_link_the_newest_file_is_the_latest),
        cmocka_unit_test(a_directory_that_cannot_be_is_reported),
        cmocka_unit_test(a_full_disk_leaves_nothing_behind),
    };

    return cmocka_run_group_tests(tests, make_root, remove_root);
}
