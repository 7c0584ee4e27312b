/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words.c - finds the failure in the output of the program.  "main called abort()" means nothing to the user of a
 * test framework, but the message of the framework does.  Each framework has a row with the text that begins its
 * message, and a function that reads it. */
#include "report/evidence/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_LINES = 8 }; /* limit of lines in a message */

/* Appends `text` without blanks around it, after a blank if the buffer is not empty. */
static void append(char *buf, size_t cap, const char *text, size_t n)
{
    size_t used = strlen(buf);

    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\r' || text[n - 1] == '\t'))
        n--;
    while (n > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        n--;
    }
    if (n > 0)
        snprintf(buf + used, cap - used, "%s%.*s", used > 0 ? " " : "", (int)n, text);
}

static size_t length(const char *line)
{
    return strcspn(line, "\n");
}

/* Returns the line after this one; "" if it is the last. */
static const char *next(const char *line)
{
    line += length(line);
    return line + (*line == '\n');
}

/* Appends the line in quotes, as the name of a test, which may be a sentence. */
static void append_quoted(char *buf, size_t cap, const char *line)
{
    size_t n = length(line), used;

    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
        n--;
    used = strlen(buf);
    snprintf(buf + used, cap - used, "%s\"%.*s\"", used > 0 ? " " : "", (int)n, line);
}

static const char *line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* ---- frameworks --------------------------------------------------------------------------------- */

/* An uncaught exception, as libstdc++ reports it:
 * terminate called after throwing an instance of 'std::runtime_error'
 *   what():  jobs lost */
static void read_exception(const char *text, const char *at, char *buf, size_t cap)
{
    const char *type = strchr(at, '\'') + 1, *what = next(at);
    size_t n = strcspn(type, "'\n");

    (void)text;
    snprintf(buf, cap, "uncaught exception %.*s", (int)n, type);
    what += strspn(what, " ");
    if (starts(what, "what():")) {
        snprintf(buf + strlen(buf), cap - strlen(buf), ":");
        append(buf, cap, what + 7, length(what + 7));
    }
}

static void read_terminate(const char *text, const char *at, char *buf, size_t cap)
{
    (void)text;
    (void)at;
    snprintf(buf, cap, "std::terminate without an exception: a std::thread was destroyed or assigned to before "
                       "it was joined");
}

/* An uncaught exception, as libc++ reports it:
 * libc++abi: terminating due to uncaught exception of type std::runtime_error: jobs lost */
static void read_libcxx(const char *text, const char *at, char *buf, size_t cap)
{
    const char *type = strstr(at, "of type ") + 8;

    (void)text;
    snprintf(buf, cap, "uncaught exception");
    append(buf, cap, type, length(type));
}

/* Appends the lines until an empty one or one that begins with `end`. */
static void append_lines(const char *line, const char *end, char *buf, size_t cap)
{
    for (unsigned i = 0; i < MOST_LINES && *line != '\0' && *line != '\n' && *line != '\r' && !starts(line, end); i++) {
        append(buf, cap, line, length(line));
        line = next(line);
    }
}

/* Appends the lines of GoogleTest's message as a sentence: "Expected equality of these values: n (is 1), 2". */
static void append_values(const char *line, char *buf, size_t cap)
{
    static const char is[] = "Which is: ";

    for (unsigned i = 0; i < MOST_LINES && *line != '\0' && *line != '\n' && *line != '\r' && *line != '['; i++) {
        const char *text = line + strspn(line, " ");
        size_t used = strlen(buf);

        if (starts(text, is)) {
            text += strlen(is);
            snprintf(buf + used, cap - used, " (is %.*s)", (int)length(text), text);
        } else {
            if (i > 0 && used > 0 && buf[used - 1] != ':')
                snprintf(buf + used, cap - used, ",");
            append(buf, cap, text, length(text));
        }
        line = next(line);
    }
}

/* GoogleTest:
 * pool_test.cc:12: Failure
 * Expected equality of these values:
 *   done
 *     Which is: 1
 *   2 */
static void read_gtest(const char *text, const char *at, char *buf, size_t cap)
{
    const char *line = line_start(text, at), *run = NULL;

    for (const char *r = strstr(text, "[ RUN      ] "); r != NULL && r < at; r = strstr(r + 1, "[ RUN      ] "))
        run = r + 13;
    if (run != NULL)
        append_quoted(buf, cap, run);
    append(buf, cap, "fails at", 8);
    append(buf, cap, line, (size_t)(at - line));
    snprintf(buf + strlen(buf), cap - strlen(buf), ":");
    append_values(next(at), buf, cap);
}

/* -------------------------------------------------------------------------------
 * the pool runs all jobs
 * -------------------------------------------------------------------------------
 * pool_test.cc:10
 * ...............................................................................
 *
 * pool_test.cc:14: FAILED:
 *   REQUIRE( done == 2 )
 * with expansion:
 *   1 == 2 */
static void read_catch(const char *text, const char *at, char *buf, size_t cap)
{
    const char *line = line_start(text, at), *rule = NULL;

    for (const char *r = strstr(text, "\n----------"); r != NULL && r < at; r = strstr(r + 1, "\n----------"))
        if (!starts(next(next(r + 1)), "----------"))
            continue;
        else
            rule = next(r + 1);
    if (rule != NULL)
        append_quoted(buf, cap, rule);
    append(buf, cap, "fails at", 8);
    append(buf, cap, line, (size_t)(at - line));
    snprintf(buf + strlen(buf), cap - strlen(buf), ":");
    append_lines(next(at), "====", buf, cap);
}

/* [  ERROR   ] --- 0x1 != 0x2
 * [   LINE   ] --- pool_test.c:12: error: Failure! */
static void read_cmocka(const char *text, const char *at, char *buf, size_t cap)
{
    const char *what = at + strlen("[  ERROR   ] --- "), *place = strstr(at, "[   LINE   ] --- ");

    (void)text;
    append(buf, cap, "fails at", 8);
    if (place != NULL) {
        place += strlen("[   LINE   ] --- ");
        size_t n = strcspn(place, "\n");
        const char *end = strstr(place, ": error");

        append(buf, cap, place, end != NULL && (size_t)(end - place) < n ? (size_t)(end - place) : n);
    }
    snprintf(buf + strlen(buf), cap - strlen(buf), ":");
    append(buf, cap, what, length(what));
}

/* [----] pool_test.c:12: Assertion Failed
 * [----]
 * [----]   The expression `done == 2` is false. */
static void read_criterion(const char *text, const char *at, char *buf, size_t cap)
{
    const char *line = line_start(text, at);

    append(buf, cap, "fails at", 8);
    append(buf, cap, line + strlen("[----] "), (size_t)(at - line) - strlen("[----] "));
    snprintf(buf + strlen(buf), cap - strlen(buf), ":");
    line = next(at);
    for (unsigned i = 0; i < MOST_LINES && starts(line, "[----]"); i++, line = next(line))
        append(buf, cap, line + 6, length(line + 6));
}

/* GLib:
 * ERROR:pool_test.c:12:test_pool: assertion failed (done == 2): (1 == 2) */
static void read_glib(const char *text, const char *at, char *buf, size_t cap)
{
    (void)text;
    append(buf, cap, at + strlen("ERROR:"), length(at + strlen("ERROR:")));
}

/* Rust:
 * thread '<unnamed>' panicked at src/main.rs:12:9:
 * assertion failed */
static void read_panic(const char *text, const char *at, char *buf, size_t cap)
{
    const char *line = line_start(text, at);
    size_t n = length(at);

    append(buf, cap, at, n > 0 && at[n - 1] == ':' ? n - 1 : n);
    if (n > 0 && at[n - 1] == ':') {
        snprintf(buf + strlen(buf), cap - strlen(buf), ":");
        append_lines(next(line), "note: ", buf, cap);
    }
}

static const struct {
    const char *mark;  /* a text of the line that begins the message */
    bool first;        /* the mark is at the beginning of the line */
    bool last;         /* use the last occurrence, which ended the program; otherwise the first
                        * one */
    bool placed;
    void (*read)(const char *text, const char *at, char *buf, size_t cap);
} frameworks[] = {
    { ": Failure\n", false, false, true, read_gtest },
    { ": FAILED:\n", false, false, true, read_catch },
    { "[  ERROR   ] --- ", true, false, true, read_cmocka },
    { ": Assertion Failed\n", false, false, true, read_criterion },
    { "ERROR:", true, true, true, read_glib },
    { "panicked at ", false, true, true, read_panic },
    { "terminate called after throwing an instance of '", false, true, false, read_exception },
    { "terminate called without an active exception", false, true, false, read_terminate },
    { "uncaught exception of type ", false, true, false, read_libcxx },
};

static const char *find(const char *text, const char *mark, bool first, bool last)
{
    const char *found = NULL;

    for (const char *at = strstr(text, mark); at != NULL && (found == NULL || last); at = strstr(at + 1, mark))
        if (!first || at == line_start(text, at))
            found = at;
    return found;
}

bool hd_words_of_failure(const char *output, size_t n, char *buf, size_t cap, bool *placed)
{
    char *text = hd_zeroed(n + 1, 1);
    bool found = false;

    for (size_t i = 0; i < n; i++)
        text[i] = output[i] != '\0' ? output[i] : ' ';
    buf[0] = '\0';
    for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks && !found; i++) {
        const char *at = find(text, frameworks[i].mark, frameworks[i].first, frameworks[i].last);

        found = at != NULL;
        if (found) {
            frameworks[i].read(text, at, buf, cap);
            *placed = frameworks[i].placed;
        }
    }
    free(text);
    return found && buf[0] != '\0';
}
