/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chart.c - message sequence charts in text: a lane for each thread, an arrow for each message, a cross for each
 * failure and for each actor that one ends.  Threads that neither send nor receive one of the messages shown have no lane. */
#include "report/text/chart.h"

#include <string.h>

#include "report/evidence/describe.h"
#include "report/evidence/mail.h"

enum { SHOWN = 14, LANES = 16, WIDTH = 12, NAME = 11 };

struct chart {
    const struct hd_report *r;
    uint32_t event[SHOWN]; /* the last sends and failures */
    unsigned nevents;
    uint32_t earlier;      /* number of earlier messages, which are not shown */
    hd_tid lane[LANES];
    unsigned nlanes;
    bool fits;
};

static bool is_failure(const struct hd_event *e)
{
    return e->kind == HD_EV_MAIL_STRIKE;
}

/* A failure that ends actors is shown as their crashes. */
static bool is_shown(const struct hd_report *r, const struct hd_event *e)
{
    return is_failure(e) ? !hd_mail_ends_actors(r, e) : hd_mail_is_message(e);
}

static unsigned lane_of(const struct chart *c, hd_tid tid)
{
    unsigned i = 0;

    while (i < c->nlanes && c->lane[i] != tid)
        i++;
    return i;
}

static void add_lane(struct chart *c, hd_tid tid)
{
    unsigned i = lane_of(c, tid);

    if (i < c->nlanes)
        return;
    if (i == LANES) {
        c->fits = false;
        return;
    }
    c->lane[c->nlanes++] = tid;
}

static void collect(struct chart *c, int width)
{
    uint32_t total = 0, seen = 0;

    for (uint32_t i = 0; i < c->r->nevents; i++)
        total += is_shown(c->r, &c->r->events[i]);
    c->fits = true;
    c->earlier = total > SHOWN ? total - SHOWN : 0;
    for (uint32_t i = 0; i < c->r->nevents; i++) {
        const struct hd_event *e = &c->r->events[i];

        if (!is_shown(c->r, e) || seen++ < c->earlier)
            continue;
        c->event[c->nevents++] = i;
        if (!hd_mail_is_crash(c->r, e))
            add_lane(c, e->tid);
        if (!is_failure(e))
            add_lane(c, e->peer);
    }
    c->fits = c->fits && (int)(c->nlanes * WIDTH) <= width;
}

/* Writes the name of the thread without its number; if it has no name, its number. */
static void short_name(const struct chart *c, hd_tid tid, char *buf, size_t cap)
{
    char who[64];
    char *name;

    hd_describe_thread(c->r, tid, who, sizeof who);
    name = strchr(who, '(');
    snprintf(buf, cap, "%.*s", NAME, name != NULL ? name + 1 : who);
    buf[strcspn(buf, ")")] = '\0';
}

static void print_names(const struct chart *c, FILE *out)
{
    char name[NAME + 1];

    fputs("  ", out);
    for (unsigned i = 0; i < c->nlanes; i++) {
        short_name(c, c->lane[i], name, sizeof name);
        fprintf(out, i + 1 < c->nlanes ? "%-*s" : "%.*s", WIDTH, name);
    }
    putc('\n', out);
}

static const struct hd_event *shown(const struct chart *c, unsigned i)
{
    return &c->r->events[c->event[i]];
}

static unsigned clear_line(const struct chart *c, char *line)
{
    memset(line, ' ', LANES * WIDTH + 1);
    for (unsigned i = 0; i < c->nlanes; i++)
        line[i * WIDTH] = '|';
    return (c->nlanes - 1) * WIDTH;
}

static void print_arrow(const struct chart *c, const struct hd_event *e, FILE *out)
{
    char line[LANES * WIDTH + 1], name[64];
    unsigned from = lane_of(c, e->tid) * WIDTH, to = lane_of(c, is_failure(e) ? e->tid : e->peer) * WIDTH;
    unsigned low = from < to ? from : to, high = from < to ? to : from, last = clear_line(c, line);

    hd_mail_name(c->r, e, name, sizeof name);
    size_t length = strlen(name);

    if (from == to) { /* a failure, or a message from a thread to itself */
        line[from] = is_failure(e) ? 'X' : '@';
        line[last + 1] = '\0';
        fprintf(out, "  %s  %s\n", line, is_failure(e) ? "failure" : name);
        return;
    }
    memset(line + low + 1, '-', high - low - 1);
    line[from < to ? to - 1 : to + 1] = from < to ? '>' : '<';
    if (length > high - low - 4)
        length = high - low - 4;
    memcpy(line + low + 2, name, length);
    line[last + 1] = '\0';
    fprintf(out, "  %s\n", line);
}

static void print_line(const struct chart *c, const struct hd_event *e, FILE *out)
{
    char from[NAME + 1], to[NAME + 1] = "", name[64];

    short_name(c, e->tid, from, sizeof from);
    if (is_failure(e)) {
        fprintf(out, "  %-*s X failure\n", NAME, from);
        return;
    }
    short_name(c, e->peer, to, sizeof to);
    hd_mail_name(c->r, e, name, sizeof name);
    fprintf(out, "  %-*s -> %-*s %s\n", NAME, from, NAME, to, name);
}

/* The actors that one failure ends, in one line.  Returns how many of the messages that are. */
static unsigned print_crash(const struct chart *c, unsigned first, FILE *out)
{
    char line[LANES * WIDTH + 1], name[NAME + 1];
    const struct hd_event *failure = hd_mail_failure(c->r, shown(c, first));
    unsigned last = clear_line(c, line), i = first;

    for (; i < c->nevents && hd_mail_is_crash(c->r, shown(c, i)) && hd_mail_failure(c->r, shown(c, i)) == failure; i++) {
        if (c->fits) {
            line[lane_of(c, shown(c, i)->peer) * WIDTH] = 'X';
            continue;
        }
        short_name(c, shown(c, i)->peer, name, sizeof name);
        fprintf(out, "  %-*s X  crash\n", NAME, name);
    }
    line[last + 1] = '\0';
    if (c->fits)
        fprintf(out, "  %s  crash\n", line);
    return i - first;
}

/* Returns how many of the events it has printed. */
static unsigned print_event(const struct chart *c, unsigned i, FILE *out)
{
    if (hd_mail_is_crash(c->r, shown(c, i)))
        return print_crash(c, i, out);
    (c->fits ? print_arrow : print_line)(c, shown(c, i), out);
    return 1;
}

void hd_chart_text(const struct hd_text *t, const struct hd_report *r)
{
    struct chart c = { .r = r };

    collect(&c, hd_text_width(t) - 2);
    if (c.nevents == 0 || c.nlanes == 0)
        return;
    hd_text_heading(t, "Messages");
    if (c.earlier > 0)
        fprintf(t->out, "  ... %u more\n", c.earlier);
    if (c.fits)
        print_names(&c, t->out);
    for (unsigned i = 0; i < c.nevents;)
        i += print_event(&c, i, t->out);
}
