/* SPDX-License-Identifier: BSD-2-Clause
 *
 * panel.c - lays out the panel.  Every fact has its own line, which is wrapped between
 * words if it is too long; only the end of a long command is cut. */
#include "status/panel.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/print/text.h"
#include "status/approximate.h"

enum { INDENT = 14 /* column of the text after a label */, NUMBER = 32 };

struct sentence {
    char text[600];
    size_t n;
};

static void __attribute__((format(printf, 2, 3))) say(struct sentence *s, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(s->text + s->n, sizeof s->text - s->n, fmt, ap);

    va_end(ap);
    s->n += n > 0 ? (size_t)n : 0;
    if (s->n >= sizeof s->text)
        s->n = sizeof s->text - 1;
}

static void say_number(struct sentence *s, uint64_t n)
{
    char number[NUMBER];

    hd_text_number(n, number, sizeof number);
    say(s, "%s", number);
}

/* "2 min": hd_about_time without the leading "about ". */
static const char *time_text(double seconds, char buf[HD_ABOUT])
{
    static const char about[] = "about ";

    hd_about_time(seconds, buf);
    return strncmp(buf, about, sizeof about - 1) == 0 ? buf + sizeof about - 1 : buf;
}

/* "3 to 5 of", or "3 of" if both texts are equal. */
static void say_range(struct sentence *s, const char *low, const char *high)
{
    say(s, "%s%s%s", low, strcmp(low, high) != 0 ? " to " : "", strcmp(low, high) != 0 ? high : "");
}

/* ---- lines ------------------------------------------------------------------------------------- */

static void add_line(struct hd_panel *p, int label, enum hd_panel_tone tone, const char *text, int n)
{
    if (p->n == HD_PANEL_LINES)
        return;
    for (int i = 0; i < n; i++) {
        char c = text[i];

        p->line[p->n].text[i] = c >= ' ' && c < 0x7f ? c : '?';
    }
    p->line[p->n].text[n] = '\0';
    p->line[p->n].label = label;
    p->line[p->n++].tone = tone;
}

/* Number of bytes of the text that fit into `room` columns: whole words, unless one fills a
 * line. */
static int fitting(const char *text, int room)
{
    int n = (int)strlen(text);

    if (n <= room)
        return n;
    for (n = room; n > 0 && text[n] != ' ';)
        n--;
    return n > 0 ? n : room;
}

static void add(struct hd_panel *p, int width, const char *label, enum hd_panel_tone tone,
                const char *text)
{
    char line[HD_PANEL_WIDTH + 1];

    for (bool first = true; first || *text != '\0'; first = false) {
        int n = fitting(text, width - INDENT);
        int all = snprintf(line, sizeof line, " %-*s%.*s", INDENT - 1, first ? label : "", n, text);

        add_line(p, first ? INDENT : 0, tone, line, all);
        text += n;
        text += strspn(text, " ");
    }
}

static void add_rule(struct hd_panel *p, int width)
{
    char line[HD_PANEL_WIDTH + 1];

    memset(line, '-', (size_t)width);
    line[0] = ' ';
    add_line(p, 0, HD_TONE_RULE, line, width);
}

/* ---- contents
 * -------------------------------------------------------------------------------------- */

static void clock_text(double seconds, char *buf, size_t cap)
{
    unsigned long long s = seconds > 0 ? (unsigned long long)seconds : 0;

    snprintf(buf, cap, "%llu:%02llu:%02llu", s / 3600, s / 60 % 60, s % 60);
}

/* The command at the left, the time at the right; a long command is cut. */
static void add_head(struct hd_panel *p, int width, const struct hd_stats *s)
{
    char line[HD_PANEL_WIDTH + 1], what[1400], time[NUMBER];

    clock_text(s->seconds, time, sizeof time);
    snprintf(what, sizeof what, "%s%s%s", s->command, s->test[0] != '\0' ? ", test " : "", s->test);
    int room = width - 3 - (int)strlen(time), n = (int)strlen(what);
    bool cut = n > room;
    int all = snprintf(line, sizeof line, " %-*.*s%s %s", cut ? room - 3 : room, cut ? room - 3 : room,
                       what, cut ? "..." : "", time);

    add_line(p, cut ? room + 1 : n + 1, HD_TONE_PLAIN, line, all);
}

static void say_search(struct sentence *t, const struct hd_stats *s)
{
    say(t, "%s, seed %llu, %s", s->strategy, (unsigned long long)s->seed,
        strcmp(s->isolation, "fork") == 0 ? "a process for each execution" : "executions in process");
    if (s->fork_reason[0] != '\0')
        say(t, " (%s)", s->fork_reason);
    if (s->passes > 1)
        say(t, ", pass %llu", (unsigned long long)s->passes);
}

static void say_part(struct sentence *t, uint64_t n, const char *what)
{
    if (n == 0)
        return;
    say(t, ", ");
    say_number(t, n);
    say(t, " %s", what);
}

static void say_executions(struct sentence *t, const struct hd_stats *s)
{
    say_number(t, s->executions);
    say(t, " complete, ");
    say_number(t, s->redundant);
    say(t, " redundant");
    say_part(t, s->too_long, "given up as too long");
    say_part(t, s->loop_cuts, "loops cut");
    say_part(t, s->assumed, "left out by heddle_assume");
    say_part(t, s->discarded, "of earlier passes");
}

static void say_rate(struct sentence *t, const struct hd_stats *s)
{
    if (isfinite(s->rate_now) && s->running) {
        say_number(t, (uint64_t)(s->rate_now + 0.5));
        say(t, "/s now, ");
    }
    say_number(t, isfinite(s->rate) ? (uint64_t)(s->rate + 0.5) : 0);
    say(t, "/s on average");
}

static void say_size(struct sentence *t, const struct hd_stats *s)
{
    say(t, "%.100s; %llu thread%s at most; steps: ", s->program, (unsigned long long)s->threads_max,
        s->threads_max == 1 ? "" : "s");
    if (isfinite(s->steps_mean))
        say(t, "%.0f on average, ", s->steps_mean);
    say_number(t, s->steps_max);
    say(t, " at most");
}

static void say_left(struct sentence *t, double low, double high)
{
    char from[HD_ABOUT], to[HD_ABOUT];

    if (!isfinite(low))
        return;
    say(t, "; ");
    say_range(t, time_text(low, from), time_text(high, to));
    say(t, " left");
}

/* Shows both estimates, so that their difference shows how reliable they are. */
static void say_tree(struct sentence *t, const struct hd_stats *s)
{
    char low[HD_ABOUT], high[HD_ABOUT];

    if (isfinite(s->bound))
        say(t, "bound %.0f", s->bound);
    if (isfinite(s->explored))
        say(t, "%s%.2g%% explored", isfinite(s->bound) ? ", about " : "about ", 100 * s->explored);
    if (isfinite(s->estimate_low)) {
        hd_about_number(s->estimate_low, low);
        hd_about_number(s->estimate_high, high);
        say(t, " of ");
        say_range(t, low, high);
        /* several workers make only one estimate */
        say(t, s->jobs > 1 ? " executions (estimated)" : " executions (two estimates)");
    }
    if (s->estimate_unknown[0] != '\0')
        say(t, "%ssize not known: %s", t->n > 0 ? "; " : "", s->estimate_unknown);
    if (s->running)
        say_left(t, s->seconds_left_low, s->seconds_left_high);
}

static void say_limits(struct sentence *t, const struct hd_stats *s)
{
    char time[HD_ABOUT];

    if (isfinite(s->limit_executions)) {
        say_number(t, (uint64_t)s->limit_executions);
        say(t, " executions");
    }
    if (isfinite(s->limit_seconds)) {
        say(t, "%s%s", t->n > 0 ? " or " : "", time_text(s->limit_seconds, time));
    }
    if (t->n == 0)
        say(t, "none");
    if (s->running)
        say_left(t, s->limit_seconds_left, s->limit_seconds_left);
}

static void say_ago(struct sentence *t, const struct hd_stats *s, double when, double execution)
{
    char time[NUMBER];

    if (!isfinite(when))
        return;
    clock_text(when, time, sizeof time);
    say(t, "at %s, execution ", time);
    say_number(t, (uint64_t)execution);
    if (s->running && s->seconds > when) {
        clock_text(s->seconds - when, time, sizeof time);
        say(t, " (%s ago)", time);
    }
}

static void say_findings(struct sentence *t, const struct hd_stats *s)
{
    const char *before = ": ";

    say_number(t, s->findings);
    for (unsigned k = 0; k < HD_FK_COUNT; k++)
        if (s->by_kind[k] != 0) {
            say(t, "%s%llu %s", before, (unsigned long long)s->by_kind[k],
                hd_finding_kind_text((enum hd_finding_kind)k));
            before = ", ";
        }
    if (isfinite(s->last_finding_seconds)) {
        say(t, "; the last ");
        say_ago(t, s, s->last_finding_seconds, s->last_finding_execution);
    }
    say_part(t, s->suppressed, "suppressed");
    say_part(t, s->warnings, s->warnings == 1 ? "warning" : "warnings");
}

static void say_races(struct sentence *t, const struct hd_stats *s)
{
    say_number(t, s->races - s->races_confirmed);
    say(t, " seen in one order, ");
    say_number(t, s->races_confirmed);
    say(t, " confirmed in both");
}

static void say_workers(struct sentence *t, const struct hd_stats *s)
{
    if (s->running)
        say(t, "%llu of ", (unsigned long long)s->workers_alive);
    say(t, "%llu%s", (unsigned long long)s->jobs, s->running ? " at work" : "");
    say(t, "; %llu process%s lost and replaced", (unsigned long long)s->workers_lost,
        s->workers_lost == 1 ? "" : "es");
}

/* A line for each search of Quicksand. */
static void add_sets(struct hd_panel *p, int width, const char *sets)
{
    char line[sizeof ((struct hd_stats *)0)->sets];

    for (const char *label = "points"; *sets != '\0'; label = "") {
        int n = (int)strcspn(sets, "\n");

        snprintf(line, sizeof line, "%.*s", n, sets);
        add(p, width, label, HD_TONE_PLAIN, line);
        sets += n + (sets[n] == '\n');
    }
}

/* ---- the whole panel ---------------------------------------------------------------------------------- */

static void add_said(struct hd_panel *p, int width, const struct hd_stats *s, const char *label,
                     enum hd_panel_tone tone, void (*what)(struct sentence *, const struct hd_stats *))
{
    struct sentence t = { .n = 0 };

    what(&t, s);
    if (t.n > 0)
        add(p, width, label, tone, t.text);
}

void hd_panel_lay(struct hd_panel *p, const struct hd_stats *s, int width)
{
    if (width > HD_PANEL_WIDTH)
        width = HD_PANEL_WIDTH;
    p->n = 0;
    add_head(p, width, s);
    add_rule(p, width);
    add_said(p, width, s, "search", HD_TONE_PLAIN, say_search);
    add_said(p, width, s, "executions", HD_TONE_PLAIN, say_executions);
    add_said(p, width, s, "speed", HD_TONE_PLAIN, say_rate);
    add_said(p, width, s, "program", HD_TONE_PLAIN, say_size);
    add_said(p, width, s, "tree", HD_TONE_PLAIN, say_tree);
    add_said(p, width, s, "limits", HD_TONE_PLAIN, say_limits);
    add_said(p, width, s, "findings", s->findings > 0 ? HD_TONE_BAD : HD_TONE_GOOD, say_findings);
    if (s->races > 0)
        add_said(p, width, s, "races", HD_TONE_PLAIN, say_races);
    add_said(p, width, s, "workers", HD_TONE_PLAIN, say_workers);
    add_sets(p, width, s->sets);
    if (s->advice[0] != '\0')
        add(p, width, "when to stop", HD_TONE_PLAIN, s->advice);
    add_rule(p, width);
}

static const char *escape_of(enum hd_panel_tone tone)
{
    switch (tone) {
    case HD_TONE_RULE:
        return "\033[2m";
    case HD_TONE_GOOD:
        return "\033[32m";
    case HD_TONE_BAD:
        return "\033[1;31m";
    default:
        return "";
    }
}

/* The text contains names and messages of the program; none of them may control the
 * terminal. */
static const char *harmless(const char *text, char *copy, size_t cap)
{
    snprintf(copy, cap, "%s", text);
    for (unsigned char *c = (unsigned char *)copy; *c != '\0'; c++)
        if (*c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            *c = '?';
    return copy;
}

void hd_panel_print(FILE *out, const struct hd_panel *p, bool color, bool redraws)
{
    char copy[sizeof p->line[0].text];

    for (int i = 0; i < p->n; i++) {
        const char *text = harmless(p->line[i].text, copy, sizeof copy), *tone = color ? escape_of(p->line[i].tone) : "";
        int label = p->line[i].label;

        if (label > 0)
            fprintf(out, "%s%.*s%s", color ? "\033[1m" : "", label, text, color ? "\033[0m" : "");
        fprintf(out, "%s%s%s%s\n", tone, text + label, *tone != '\0' ? "\033[0m" : "",
                redraws ? "\033[K" : "");
    }
}
