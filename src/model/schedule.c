/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schedule.c - storage of a schedule and writing its file; see schedule.h for
 * the format and schedule_read.c for the other direction.
 *
 * Strings are interned: a schedule of a million steps has a few dozen different
 * objects and sites. */
#include "model/schedule.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

/* ---- lasting names ------------------------------------------------------------ */

const char *const hd_region_words[] = { "other", "static", "heap", "stack", "thread", "process", NULL };

const char *hd_schedule_lasting(unsigned region, const char *name)
{
    return name[0] == '\0' || region == HD_REG_MODULE ? name : hd_region_words[region];
}

/* ---- storage ----------------------------------------------------------------- */

void hd_schedule_init(struct hd_schedule *s)
{
    memset(s, 0, sizeof *s);
    s->text = hd_zeroed(1, sizeof *s->text);
    s->program = s->directory = s->build_id = s->strategy = s->message = s->why = "";
    s->test = s->expected = s->about = "";
}

void hd_schedule_like(struct hd_schedule *s, const struct hd_schedule *other)
{
    struct hd_texts *text;

    hd_schedule_init(s);
    text = s->text;
    *s = *other;
    s->text = text;
    s->args = NULL;
    s->sites = NULL;
    s->slots = NULL;
    s->threads = NULL;
    s->steps = NULL;
    s->nargs = s->nsites = s->nfilters = s->nslots = s->nthreads = s->nsteps = 0;
    s->program = hd_schedule_string(s, other->program);
    s->directory = hd_schedule_string(s, other->directory);
    s->build_id = hd_schedule_string(s, other->build_id);
    s->strategy = hd_schedule_string(s, other->strategy);
    s->message = hd_schedule_string(s, other->message);
    s->why = hd_schedule_string(s, other->why);
    s->test = hd_schedule_string(s, other->test);
    s->expected = hd_schedule_string(s, other->expected);
    s->about = hd_schedule_string(s, other->about);
    for (uint32_t i = 0; i < other->nargs; i++)
        hd_schedule_add_arg(s, other->args[i]);
    for (uint32_t i = 0; i < other->nsites; i++)
        hd_schedule_add_site(s, other->sites[i]);
    for (uint32_t i = 0; i < other->nfilters; i++)
        hd_schedule_add_filter(s, other->filters[i].within, other->filters[i].function);
}

void hd_schedule_free(struct hd_schedule *s)
{
    if (s->text != NULL) {
        hd_texts_free(s->text);
        free(s->text);
    }
    free(s->args);
    free(s->sites);
    free(s->slots);
    free(s->threads);
    free(s->steps);
    memset(s, 0, sizeof *s);
}

const char *hd_schedule_string(struct hd_schedule *s, const char *str)
{
    uint32_t n = hd_texts_add(s->text, str);

    return s->text->text[n];
}

void hd_schedule_reserve(struct hd_schedule *s, uint32_t nslots, uint32_t nthreads,
                         uint32_t nsteps)
{
    free(s->slots);
    free(s->threads);
    free(s->steps);
    s->slots = hd_zeroed(nslots, sizeof *s->slots);
    s->threads = hd_zeroed(nthreads, sizeof *s->threads);
    s->steps = hd_zeroed(nsteps, sizeof *s->steps);
    s->nslots = nslots;
    s->nthreads = nthreads;
    s->nsteps = nsteps;
    for (uint32_t i = 0; i < nthreads; i++)
        s->threads[i].name = "";
    for (uint32_t i = 0; i < nsteps; i++)
        s->steps[i].object = s->steps[i].site = s->steps[i].function = "";
}

void hd_schedule_add_arg(struct hd_schedule *s, const char *arg)
{
    *HD_PUSH(s->args, s->nargs) = hd_schedule_string(s, arg);
}

void hd_schedule_add_site(struct hd_schedule *s, hd_cname site)
{
    *HD_PUSH(s->sites, s->nsites) = site;
}

bool hd_schedule_add_wait(struct hd_schedule *s, hd_cname place)
{
    if (s->nwaits == HD_SCHEDULE_WAITS)
        return false;
    s->waits[s->nwaits++] = place;
    return true;
}

bool hd_schedule_add_filter(struct hd_schedule *s, bool within, const char *function)
{
    if (s->nfilters == HD_MAX_FILTERS)
        return false;
    s->filters[s->nfilters++] =
        (struct hd_schedule_filter){ within, hd_schedule_string(s, function) };
    return true;
}

/* ---- writing ------------------------------------------------------------------ */

struct line_writer {
    FILE *out;
    uint64_t sum;
    bool failed;
    char *line; /* the line that is being built */
    size_t len, cap;
};

static void put_bytes(struct line_writer *w, const char *p, size_t n)
{
    if (w->len + n > w->cap) {
        w->cap = (w->len + n) * 2 + 128;
        w->line = hd_resized(w->line, w->cap, 1);
    }
    memcpy(w->line + w->len, p, n);
    w->len += n;
}

__attribute__((format(printf, 2, 3))) static void put(struct line_writer *w, const char *fmt, ...)
{
    char small[256]; /* large enough: used only for numbers and for Heddle's own words */
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    HD_INVARIANT(n >= 0 && (size_t)n < sizeof small, "schedule line");
    put_bytes(w, small, (size_t)n);
}

/* Writes the string in quotes, with escapes for control characters, quotes and backslashes. */
static void put_quoted(struct line_writer *w, const char *str)
{
    put_bytes(w, "\"", 1);
    for (const char *p = str; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;

        if (c == '"' || c == '\\')
            put(w, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            put(w, "\\x%02x", c);
        else
            put_bytes(w, p, 1);
    }
    put_bytes(w, "\"", 1);
}

static void end_line(struct line_writer *w)
{
    put_bytes(w, "\n", 1);
    w->sum = hd_hash_bytes(w->sum, w->line, w->len);
    if (fwrite(w->line, 1, w->len, w->out) != w->len)
        w->failed = true;
    w->len = 0;
}

static void text_line(struct line_writer *w, const char *key, const char *value)
{
    put(w, "%s ", key);
    put_quoted(w, value);
    end_line(w);
}

static void number_line(struct line_writer *w, const char *key, uint64_t value)
{
    put(w, "%s %llu", key, (unsigned long long)value);
    end_line(w);
}

static void word_line(struct line_writer *w, const char *key, const char *value)
{
    put(w, "%s %s", key, value);
    end_line(w);
}

static void place_line(struct line_writer *w, const char *key, hd_cname place)
{
    put(w, "%s %u %u %llu", key, hd_cname_region(place), hd_cname_index(place),
        (unsigned long long)hd_cname_offset(place));
    end_line(w);
}

static void write_sites_and_filters(struct line_writer *w, const struct hd_schedule *s)
{
    for (uint32_t i = 0; i < s->nsites; i++)
        place_line(w, "site", s->sites[i]);
    for (uint32_t i = 0; i < s->nwaits; i++)
        place_line(w, "wait", s->waits[i]);
    for (uint32_t i = 0; i < s->nfilters; i++) {
        put(w, "filter %s ", s->filters[i].within ? "within" : "without");
        put_quoted(w, s->filters[i].function);
        end_line(w);
    }
}

/* Earlier versions of Heddle expect sites and filters directly after the points. */
static void write_settings(struct line_writer *w, const struct hd_schedule *s)
{
    struct hd_settings settings = s->settings;

    for (size_t i = 0; i < hd_setting_count; i++) {
        const struct hd_setting *row = &hd_setting_table[i];
        uint32_t value = *hd_setting_at(&settings, row);

        if (row->key == NULL)
            continue;
        put(w, "option %s ", row->key);
        if (row->words != NULL)
            put(w, "%s", row->words[value]);
        else
            put(w, "%u", value);
        end_line(w);
        if (row->words == hd_points_words)
            write_sites_and_filters(w, s);
    }
}

static void write_faults(struct line_writer *w, const struct hd_schedule *s)
{
    const char *between = " ";
    char word[32];

    put(w, "faults");
    for (unsigned i = 0; i < HD_FAULTS; i++)
        if (s->faults & (1u << i)) {
            hd_fault_text_of(&s->settings, i, word, sizeof word);
            put(w, "%s%s", between, word);
            between = ",";
        }
    put(w, " %u %u %s", s->fault_bound, s->fault_odds, s->fault_past_bound ? "cut" : "free");
    end_line(w);
}

static void write_why(struct line_writer *w, const struct hd_schedule *s)
{
    put(w, "why ");
    put_quoted(w, s->why);
    for (uint32_t i = 0; i < s->ndecisive; i++)
        put(w, " %u", s->decisive[i]);
    end_line(w);
}

static void write_head(struct line_writer *w, const struct hd_schedule *s)
{
    number_line(w, "heddle-schedule", HD_SCHEDULE_VERSION);
    text_line(w, "program", s->program);
    text_line(w, "directory", s->directory);
    word_line(w, "build-id", s->build_id[0] != '\0' ? s->build_id : "-");
    for (uint32_t i = 0; i < s->nargs; i++)
        text_line(w, "arg", s->args[i]);
    if (s->test[0] != '\0')
        text_line(w, "test", s->test);
    write_settings(w, s);
    if (s->faults != 0)
        write_faults(w, s);
    text_line(w, "strategy", s->strategy);
    number_line(w, "seed", s->seed);
    word_line(w, "kind", hd_finding_kind_text(s->kind));
    if (s->why[0] != '\0')
        write_why(w, s);
    text_line(w, "message", s->message);
    number_line(w, "execution", s->execution);
    number_line(w, "preemptions", s->preemptions);
    if (s->kind == HD_FK_LEAK) {
        put(w, "leak %llu %u", (unsigned long long)s->leak_site, s->leak_expected);
        end_line(w);
    }
    if (hd_schedule_expects(s))
        text_line(w, "expected", s->expected);
    if (s->kind == HD_FK_DATA_RACE)
        text_line(w, "about", s->about);
}

static void write_threads(struct line_writer *w, const struct hd_schedule *s)
{
    number_line(w, "slots", s->nslots);
    for (uint32_t i = 0; i < s->nslots; i++) {
        put(w, "slot %u %u %u", i, s->slots[i].parent, s->slots[i].nth);
        end_line(w);
    }
    number_line(w, "threads", s->nthreads);
    for (uint32_t i = 0; i < s->nthreads; i++) {
        const struct hd_schedule_thread *t = &s->threads[i];

        put(w, "thread %u %u %u %u ", i, t->parent, t->nth, t->slot);
        put_quoted(w, t->name);
        end_line(w);
    }
}

static void write_steps(struct line_writer *w, const struct hd_schedule *s)
{
    number_line(w, "steps", s->nsteps);
    for (uint32_t i = 0; i < s->nsteps; i++) {
        const struct hd_schedule_step *t = &s->steps[i];

        if (t->decision.alternatives != 0) {
            put(w, "%u choice %u/%u ", i + 1, t->decision.chosen, t->decision.alternatives);
        } else {
            put(w, "%u t%u %s ", i + 1, t->decision.chosen, hd_kind_info[t->kind].name);
            put_quoted(w, t->object);
            put(w, " ");
        }
        put_quoted(w, t->site);
        put(w, " %08x ", t->decision.sig);
        put_quoted(w, t->function);
        if (t->decision.alternatives == 0)
            put(w, " %s", hd_region_words[t->region]);
        end_line(w);
    }
}

bool hd_schedule_write(const struct hd_schedule *s, FILE *out, uint64_t *sum)
{
    struct line_writer w = { .out = out };

    write_head(&w, s);
    write_threads(&w, s);
    write_steps(&w, s);
    *sum = w.sum;
    put(&w, "end %016llx", (unsigned long long)w.sum); /* the checksum covers all lines before this one */
    end_line(&w);
    free(w.line);
    return !w.failed && fflush(out) == 0;
}
