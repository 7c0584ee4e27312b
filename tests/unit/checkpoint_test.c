/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkpoint_test.c - a saved search is loaded whole or not at all, and a failure leaves nothing behind. */
#include "support/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/session/identity.h"
#include "conductor/checkpoint.h"

static char root[] = "/tmp/heddle-checkpoint-XXXXXX";
static char file[64];
static const char notes[] = "kind\tname\tvalue\0other\t\tthing";

static int make_root(void **state)
{
    (void)state;
    if (mkdtemp(root) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/a", root);
    return 0;
}

static int remove_root(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
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

/* Data in all kinds of parts, with holes between them; the last byte of a page and more than one chunk. */
enum { FAR = 40 << 20, LONG = 5 << 18 };

static void fill(struct hd_wires *ws)
{
    for (uint32_t i = 0; i < ws->n; i++) {
        struct hd_wire *w = ws->wire[i];

        w->config.worker = i;
        w->campaign.totals[0].begun = 100 + i;
        w->arena.base[FAR + 4095] = 'x';
        memset(w->arena.base + 2 * FAR, 'a' + (int)i, LONG);
        w->phase = HD_PHASE_RUNNING;
        w->worker_pid = 4711;
        w->stop = w->rest = w->rests = 1;
        ws->common->let_go[i] = UINT64_MAX;
    }
    ws->common->arena.base[FAR] = 'y';
    ws->common->files_turn = 1;
}

static void check(const struct hd_wires *ws)
{
    for (uint32_t i = 0; i < ws->n; i++) {
        const struct hd_wire *w = ws->wire[i];

        assert_int_equal(w->config.worker, i);
        assert_int_equal(w->campaign.totals[0].begun, 100 + i);
        assert_int_equal(w->arena.base[FAR + 4095], 'x');
        assert_int_equal(w->arena.base[FAR + 4096], 0);
        assert_int_equal(w->arena.base[2 * FAR], 'a' + i);
        assert_int_equal(w->arena.base[2 * FAR + LONG - 1], 'a' + i);
    }
    assert_int_equal(ws->common->arena.base[FAR], 'y');
}

static void write_file(int from)
{
    static char buffer[1 << 16];
    int to = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t n;

    for (off_t at = 0; (n = pread(from, buffer, sizeof buffer, at)) > 0; at += n)
        assert_int_equal(write(to, buffer, (size_t)n), n);
    assert_int_equal(n, 0);
    close(to);
}

static void save(uint32_t nworkers)
{
    struct hd_checkpoint c;
    struct hd_wires ws;

    assert_true(hd_wires_create(&ws, nworkers));
    fill(&ws);
    assert_true(hd_checkpoint_copy(&c, root, notes, sizeof notes, &ws));
    assert_int_equal(entries(root), 0); /* a killed process leaves nothing behind */
    write_file(c.fd);
    hd_checkpoint_drop(&c);
    hd_wires_destroy(&ws);
}

static void what_was_saved_is_loaded(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 2; n++) {
        struct hd_checkpoint_file f;
        struct hd_wires ws;

        unlink(file);
        save(n);
        assert_int_equal(entries(root), 1);
        assert_int_equal(hd_checkpoint_open(&f, open(file, O_RDONLY)), HD_CHECKPOINT_GOOD);
        assert_int_equal(f.nworkers, n);
        assert_int_equal(f.size, sizeof notes);
        assert_memory_equal(f.notes, notes, sizeof notes);
        assert_true(hd_wires_create(&ws, n));
        ws.wire[0]->arena.base[7] = 'z'; /* not in the file: must be gone */
        assert_true(hd_checkpoint_load(&f, &ws));
        assert_int_equal(ws.wire[0]->arena.base[7], 0);
        check(&ws);
        assert_int_equal(ws.wire[0]->worker_pid, 4711);
        hd_wires_renew(&ws);
        check(&ws);
        assert_int_equal(ws.wire[n - 1]->phase, HD_PHASE_START);
        assert_int_equal(ws.wire[n - 1]->worker_pid, 0);
        assert_int_equal(ws.wire[n - 1]->stop | ws.wire[n - 1]->rest | ws.wire[n - 1]->rests, 0);
        assert_int_equal(ws.common->let_go[n - 1] | ws.common->files_turn, 0);
        hd_wires_destroy(&ws);
        hd_checkpoint_close(&f);
    }
}

static enum hd_checkpoint_state state_of(const char *path)
{
    struct hd_checkpoint_file f;
    enum hd_checkpoint_state s = hd_checkpoint_open(&f, open(path, O_RDONLY));

    hd_checkpoint_close(&f);
    return s;
}

static void flip(off_t at)
{
    int fd = open(file, O_RDWR);
    char byte;

    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte = (char)~byte;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* Every byte of the head, and some of the notes and of the data, and of the sum at the end. */
static void a_changed_byte_is_noticed(void **state)
{
    struct stat st;
    enum { HEAD = 80 };

    (void)state;
    unlink(file);
    save(1);
    assert_int_equal(stat(file, &st), 0);
    for (off_t at = 0; at < st.st_size; at += at < 160 ? 1 : 29989) {
        flip(at);
        enum hd_checkpoint_state s = state_of(file);

        if (s == HD_CHECKPOINT_GOOD)
            fail_msg("byte %ld was changed, and nobody noticed", (long)at);
        if (at >= HEAD)
            assert_int_equal(s, HD_CHECKPOINT_DAMAGED);
        flip(at);
    }
    flip(st.st_size - 1);
    assert_int_equal(state_of(file), HD_CHECKPOINT_DAMAGED);
    flip(st.st_size - 1);
    assert_int_equal(state_of(file), HD_CHECKPOINT_GOOD);
}

static void a_short_file_is_noticed(void **state)
{
    struct stat st;

    (void)state;
    unlink(file);
    save(1);
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(truncate(file, st.st_size - 1), 0);
    assert_int_equal(state_of(file), HD_CHECKPOINT_DAMAGED);
    assert_int_equal(truncate(file, st.st_size / 2), 0);
    assert_int_equal(state_of(file), HD_CHECKPOINT_DAMAGED);
    assert_int_equal(truncate(file, 90), 0); /* within the notes */
    assert_int_equal(state_of(file), HD_CHECKPOINT_DAMAGED);
    assert_int_equal(truncate(file, 20), 0);
    assert_int_equal(state_of(file), HD_CHECKPOINT_FOREIGN);
    assert_int_equal(truncate(file, 0), 0);
    assert_int_equal(state_of(file), HD_CHECKPOINT_FOREIGN);
    assert_int_equal(state_of(root), HD_CHECKPOINT_UNREADABLE);
}

/* The version is text, after the magic word and two numbers. */
static void another_version_is_named(void **state)
{
    struct hd_checkpoint_file f;
    int fd;

    (void)state;
    unlink(file);
    save(1);
    fd = open(file, O_RDWR);
    assert_int_equal(pwrite(fd, "9.9.9", 6, 16), 6);
    close(fd);
    assert_int_equal(hd_checkpoint_open(&f, open(file, O_RDONLY)), HD_CHECKPOINT_OTHER);
    assert_string_equal(f.version, "9.9.9");
    hd_checkpoint_close(&f);
}

/* A limit on the size of files is the full disk that every machine has. */
static void a_full_disk_leaves_nothing_behind(void **state)
{
    struct rlimit before, small = { 0, 0 };
    struct hd_checkpoint c;
    struct hd_wires ws;

    (void)state;
    unlink(file);
    assert_true(hd_wires_create(&ws, 1));
    fill(&ws);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){ 65536, before.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    bool copied = hd_checkpoint_copy(&c, root, notes, sizeof notes, &ws);

    setrlimit(RLIMIT_FSIZE, &before);
    assert_false(copied);
    assert_non_null(strstr(c.error, "File too large"));
    assert_int_equal(entries(root), 0);
    assert_false(hd_checkpoint_copy(&c, "/dev/null/x", notes, sizeof notes, &ws));
    assert_non_null(strstr(c.error, "/dev/null/x: Not a directory"));
    hd_wires_destroy(&ws);
}

/* ---- what is compared --------------------------------------------------------------------- */

static void differences_are_named(void **state)
{
    struct hd_identity was = { 0 }, is = { 0 }, back = { 0 };
    char text[1000];
    size_t size;

    (void)state;
    hd_identity_add(&was, "search", "seconds", "1");
    hd_identity_add(&was, "option", "--bound", "2");
    hd_identity_add(&was, "argument", "1", "a\tb\nc");
    hd_identity_add(&was, "variable", "LANG", "12");
    hd_identity_add(&was, "session", "TERM", "xterm");
    char *notes_text = hd_identity_text(&was, &size);

    hd_identity_parse(&back, notes_text, size);
    free(notes_text);
    assert_int_equal(back.n, was.n);
    assert_string_equal(hd_identity_get(&back, "argument", "1"), "a\tb\nc");
    assert_int_equal(hd_identity_compare(&was, &back, text, sizeof text), 0);

    hd_identity_add(&is, "option", "--bound", "3");
    hd_identity_add(&is, "argument", "1", "a\tb\nc");
    hd_identity_add(&is, "argument", "2", "d");
    hd_identity_add(&is, "session", "TERM", "vt100");
    assert_int_equal(hd_identity_compare(&was, &is, text, sizeof text), 3);
    assert_string_equal(text, "option --bound was '2' and is '3' now; the environment variable LANG is missing now; "
                              "argument 2 was not there before");
    hd_identity_free(&was);
    hd_identity_free(&is);
    hd_identity_free(&back);
}

/* A variable of the session gets its old value, the others have the one that they have. */
static void the_environment_comes_again(void **state)
{
    struct hd_identity was = { 0 };

    (void)state;
    setenv("HEDDLE_CHECKPOINT_TEST", "now", 1);
    hd_identity_add(&was, "session", "TERM", "old");
    hd_identity_add(&was, "option", "--seed", "1");
    hd_identity_add(&was, "variable", "HEDDLE_CHECKPOINT_TEST", "hash");
    char **env = hd_identity_environment(&was);

    assert_string_equal(env[0], "TERM=old");
    assert_string_equal(env[1], "HEDDLE_CHECKPOINT_TEST=now");
    assert_null(env[2]);
    hd_identity_environment_free(env);
    hd_identity_free(&was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_is_loaded),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(a_short_file_is_noticed),
        cmocka_unit_test(another_version_is_named),
        cmocka_unit_test(a_full_disk_leaves_nothing_behind),
        cmocka_unit_test(differences_are_named),
        cmocka_unit_test(the_environment_comes_again),
    };

    return cmocka_run_group_tests(tests, make_root, remove_root);
}
