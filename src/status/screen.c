/* SPDX-License-Identifier: BSD-2-Clause
 *
 * screen.c - redraws lines in place. */
#include "status/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Set by a signal handler, hence not in struct hd_screen; there is one terminal. */
static volatile sig_atomic_t continued;

static void on_continue(int signal)
{
    (void)signal;
    continued = 1;
}

void hd_screen_begin(void)
{
    struct sigaction act = { .sa_handler = on_continue, .sa_flags = SA_RESTART };

    sigaction(SIGCONT, &act, NULL);
}

bool hd_screen_size(int *cols, int *rows)
{
    struct winsize w;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col == 0 || w.ws_row == 0)
        return false;
    *cols = w.ws_col;
    *rows = w.ws_row;
    return true;
}

bool hd_screen_knows_escapes(void)
{
    const char *term = getenv("TERM");

    return term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

/* A terminal that does not control this session has no foreground process group. */
bool hd_screen_is_ours(void)
{
    pid_t group = tcgetpgrp(STDERR_FILENO);

    return group == -1 ? errno == ENOTTY : group == getpgrp();
}

/* Forgets the drawn lines if another process may have written since. */
static void forget_if_lost(struct hd_screen *s)
{
    if (continued || !hd_screen_is_ours())
        s->lines = 0;
    continued = 0;
}

/* Resizing moves the lines in a terminal-specific way, so only clearing the screen is
 * reliable. */
static void go_to_top(FILE *out, struct hd_screen *s, bool resized)
{
    if (s->lines > 0 && resized)
        fputs("\033[H\033[2J", out);
    else if (s->lines > 0)
        fprintf(out, "\r\033[%dA", s->lines);
}

static bool is_resized(struct hd_screen *s)
{
    int cols = s->cols, rows = s->rows;

    hd_screen_size(&cols, &rows);
    bool resized = cols != s->cols || rows != s->rows;

    s->cols = cols;
    s->rows = rows;
    return resized;
}

/* Standard error is unbuffered: output that must be one write has to be one string. */
static void put(struct hd_screen *s, const char *text, size_t n)
{
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);

    if (out == NULL)
        return;
    go_to_top(out, s, is_resized(s));
    fwrite(text, 1, n, out);
    fputs("\033[J", out);
    fclose(out);
    fwrite(all, 1, size, stderr);
    free(all);
}

void hd_screen_draw(struct hd_screen *s, const char *text, size_t size, int lines)
{
    forget_if_lost(s);
    put(s, text, size);
    s->lines = lines;
}

void hd_screen_clear(struct hd_screen *s)
{
    forget_if_lost(s);
    if (s->lines == 0)
        return;
    put(s, "", 0);
    s->lines = 0;
}
