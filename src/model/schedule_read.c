/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schedule_read.c - reads a schedule file, line by line.  At the first error it reports the line number and
 * what was expected there.  Nothing in the file is trusted: counts are checked before memory is allocated for
 * them, numbers are checked for their range, and the checksum in the last line is compared as text, so that a
 * change of any byte is noticed. */
#include "model/schedule.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/regular.h"

enum { MAX_BYTES = 256 << 20 }; /* more than the longest schedule that Heddle stores */

struct parser {
    const char *name;  /* name of the file */
    const char *start; /* start of this line */
    const char *at;    /* next byte of the line */
    const char *end;   /* the newline at its end */
    const char *stop;  /* end of the data */
    unsigned line;
    uint64_t sum;      /* checksum of the lines before this one */
    struct hd_schedule *out;
    struct hd_schedule_error *err;
    uint32_t settings; /* rows of hd_setting_table that were read */
    uint32_t version;  /* version of the file: older versions have fewer settings */
    char *scratch;     /* for unquoted strings; as large as the data */
};

__attribute__((format(printf, 2, 3))) static bool fail(struct parser *p, const char *fmt, ...)
{
    char what[300];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    snprintf(p->err->text, sizeof p->err->text, "%.180s:%u: %.300s", p->name, p->line, what);
    return false;
}

static bool next_line(struct parser *p)
{
    if (p->line > 0) {
        p->sum = hd_hash_bytes(p->sum, p->start, (size_t)(p->end + 1 - p->start));
        p->start = p->end + 1;
    }
    p->line++;
    if (p->start == p->stop)
        return fail(p, "the file ends too early (truncated?)");
    p->at = p->start;
    p->end = memchr(p->start, '\n', (size_t)(p->stop - p->start));
    if (p->end == NULL)
        return fail(p, "the last line is not complete (truncated?)");
    return true;
}

/* ---- pieces of a line ------------------------------------------------------------ */

/* Skips the word and the blank (or end of line) after it, if it comes next. */
static bool accept_word(struct parser *p, const char *word)
{
    size_t n = strlen(word);

    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0)
        return false;
    if (p->at + n == p->end)
        p->at += n;
    else if (p->at[n] == ' ')
        p->at += n + 1;
    else
        return false;
    return true;
}

static bool want_word(struct parser *p, const char *word)
{
    return accept_word(p, word) || fail(p, "expected \"%s\"", word);
}

static bool want_end(struct parser *p)
{
    return p->at == p->end || fail(p, "unexpected text at the end of the line");
}

/* Reads a decimal number up to max, and the separator after it. */
static bool want_number(struct parser *p, uint64_t max, char separator, uint64_t *out)
{
    const char *from = p->at;
    uint64_t v = 0;

    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++) {
        unsigned digit = (unsigned)(*p->at - '0');

        if (digit > max || v > (max - digit) / 10)
            return fail(p, "number larger than %llu", (unsigned long long)max);
        v = v * 10 + digit;
    }
    if (p->at == from)
        return fail(p, "expected a number");
    if (p->at < p->end && *p->at++ != separator)
        return fail(p, "expected a number");
    *out = v;
    return true;
}

static bool want_u32(struct parser *p, uint64_t max, uint32_t *out)
{
    uint64_t v;

    if (!want_number(p, max, ' ', &v))
        return false;
    *out = (uint32_t)v;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool want_hex32(struct parser *p, uint32_t *out)
{
    uint32_t v = 0;

    if (p->end - p->at < 8)
        return fail(p, "expected a signature of 8 hexadecimal digits");
    for (int i = 0; i < 8; i++, p->at++) {
        int d = hex_digit(*p->at);

        if (d < 0)
            return fail(p, "expected a signature of 8 hexadecimal digits");
        v = v << 4 | (uint32_t)d;
    }
    *out = v;
    return true;
}

static bool unescape(struct parser *p, char *out)
{
    char c = *p->at++;

    if (c == '"' || c == '\\') {
        *out = c;
        return true;
    }
    if (c != 'x' || p->end - p->at < 2)
        return false;
    int hi = hex_digit(p->at[0]), lo = hex_digit(p->at[1]);

    p->at += 2;
    if (hi < 0 || lo < 0)
        return false;
    *out = (char)(hi * 16 + lo);
    return *out != '\0';
}

static bool want_string(struct parser *p, const char **out)
{
    char *to = p->scratch;

    if (p->at == p->end || *p->at++ != '"')
        return fail(p, "expected a string in quotes");
    while (p->at < p->end && *p->at != '"') {
        if (*p->at == '\0')
            return fail(p, "a string holds a zero byte");
        if (*p->at != '\\')
            *to++ = *p->at++;
        else if (++p->at == p->end || !unescape(p, to++))
            return fail(p, "unknown escape in a string");
    }
    if (p->at == p->end)
        return fail(p, "a string has no closing quote");
    p->at++;
    if (p->at < p->end && *p->at++ != ' ')
        return fail(p, "expected a blank after a string");
    *to = '\0';
    *out = hd_schedule_string(p->out, p->scratch);
    return true;
}

/* Reads a word that Heddle has defined, up to the next blank or the end of the line. */
static bool want_token(struct parser *p, char *out, size_t cap)
{
    size_t n = 0;

    while (p->at < p->end && *p->at != ' ') {
        if (*p->at <= ' ' || *p->at > '~' || n + 1 == cap)
            return fail(p, "expected a word");
        out[n++] = *p->at++;
    }
    if (n == 0)
        return fail(p, "expected a word");
    if (p->at < p->end)
        p->at++;
    out[n] = '\0';
    return true;
}

/* ---- the head ---------------------------------------------------------------------- */

static bool version_line(struct parser *p)
{
    if (!next_line(p))
        return false;
    if (!accept_word(p, "heddle-schedule"))
        return fail(p, "this is not a schedule of heddle (expected \"heddle-schedule %d\")",
                    HD_SCHEDULE_VERSION);
    if (!want_u32(p, UINT32_MAX, &p->version) || !want_end(p))
        return false;
    return (p->version >= 1 && p->version <= HD_SCHEDULE_VERSION) ||
           fail(p, "format version %u, but this heddle reads version %d; find the bug again "
                   "with this heddle", p->version, HD_SCHEDULE_VERSION);
}

static bool read_build_id(struct parser *p)
{
    char id[65];

    if (!want_token(p, id, sizeof id))
        return false;
    if (strcmp(id, "-") == 0)
        return true;
    for (const char *c = id; *c != '\0'; c++)
        if (hex_digit(*c) < 0)
            return fail(p, "expected a build id in hexadecimal digits");
    p->out->build_id = hd_schedule_string(p->out, id);
    return true;
}

static bool read_arg(struct parser *p)
{
    const char *arg;

    if (!want_string(p, &arg))
        return false;
    hd_schedule_add_arg(p->out, arg);
    return true;
}

/* Reads one of the words of the row; the index of the word is the value. */
static bool want_choice(struct parser *p, const struct hd_setting *row, uint32_t *out)
{
    char word[32];

    if (!want_token(p, word, sizeof word))
        return false;
    for (uint32_t i = 0; row->words[i] != NULL; i++)
        if (strcmp(word, row->words[i]) == 0) {
            *out = i;
            return true;
        }
    return fail(p, "option %s: unknown value \"%s\"", row->key, word);
}

static bool read_option(struct parser *p)
{
    char key[32];

    if (!want_token(p, key, sizeof key))
        return false;
    for (size_t i = 0; i < hd_setting_count; i++) {
        const struct hd_setting *row = &hd_setting_table[i];
        uint32_t *value = hd_setting_at(&p->out->settings, row);

        if (row->key == NULL || strcmp(row->key, key) != 0)
            continue;
        if (p->settings & (1u << i))
            return fail(p, "a second \"option %s\"", key);
        p->settings |= 1u << i;
        return row->words != NULL ? want_choice(p, row, value) : want_u32(p, UINT32_MAX, value);
    }
    return fail(p, "this heddle has no option \"%s\" that a schedule may have", key);
}

static bool want_place(struct parser *p, hd_cname *out)
{
    uint32_t region, index;
    uint64_t offset;

    if (!want_u32(p, HD_REG_PROCESS, &region) || !want_u32(p, 0xfff, &index) ||
        !want_number(p, UINT64_C(0xffffffffffff), ' ', &offset))
        return false;
    *out = hd_cname_make((enum hd_region)region, index, offset);
    return true;
}

static bool read_site(struct parser *p)
{
    hd_cname site;

    if (!want_place(p, &site))
        return false;
    hd_schedule_add_site(p->out, site);
    return true;
}

static bool read_wait(struct parser *p)
{
    hd_cname place;

    return want_place(p, &place) && (hd_schedule_add_wait(p->out, place) || fail(p, "too many waiting loops"));
}

static bool read_filter(struct parser *p)
{
    const char *function;
    bool within = accept_word(p, "within");

    if (!within && !accept_word(p, "without"))
        return fail(p, "expected \"within\" or \"without\"");
    return want_string(p, &function) &&
           (hd_schedule_add_filter(p->out, within, function) || fail(p, "too many filters"));
}

static bool fault_words(struct parser *p, const char *words)
{
    for (;; words++) {
        size_t n = strcspn(words, ",=");
        unsigned i = 0;

        while (i < HD_FAULTS && (strncmp(hd_fault_words[i], words, n) != 0 || hd_fault_words[i][n] != '\0'))
            i++;
        if (i == HD_FAULTS)
            return fail(p, "unknown fault \"%.*s\"", (int)n, words);
        p->out->faults |= 1u << i;
        words += n;
        if (*words == '=') {
            if (words[1] < '1' || words[1] > '0' + HD_MAX_FAULT_BUDGET)
                return fail(p, "expected a budget from 1 to %d after \"%s\"", HD_MAX_FAULT_BUDGET, hd_fault_words[i]);
            hd_fault_set_budget(&p->out->settings, i, (uint32_t)(words[1] - '0'));
            words += 2;
        }
        if (*words == '\0')
            return true;
    }
}

static bool read_faults(struct parser *p)
{
    struct hd_schedule *s = p->out;
    char words[160];

    if (!want_token(p, words, sizeof words) || !fault_words(p, words) ||
        !want_u32(p, HD_MAX_FAULT_BOUND, &s->fault_bound) || !want_u32(p, UINT16_MAX, &s->fault_odds))
        return false;
    s->fault_past_bound = accept_word(p, "cut");
    return s->fault_past_bound || accept_word(p, "free") || fail(p, "expected \"cut\" or \"free\"");
}

static bool read_seed(struct parser *p)
{
    return want_number(p, UINT64_MAX, ' ', &p->out->seed);
}

static bool read_kind(struct parser *p)
{
    char word[32];

    if (!want_token(p, word, sizeof word))
        return false;
    for (int k = 0; k < HD_FK_COUNT; k++)
        if (strcmp(word, hd_finding_kind_text((enum hd_finding_kind)k)) == 0) {
            p->out->kind = (enum hd_finding_kind)k;
            return true;
        }
    return fail(p, "unknown kind of finding \"%s\"", word);
}

static bool read_why(struct parser *p)
{
    struct hd_schedule *s = p->out;
    bool ok = want_string(p, &s->why);

    while (ok && p->at < p->end && s->ndecisive < HD_MAX_DECISIVE)
        ok = want_u32(p, UINT32_MAX, &s->decisive[s->ndecisive++]);
    return ok;
}

static bool read_execution(struct parser *p)
{
    return want_number(p, UINT64_MAX, ' ', &p->out->execution);
}

static bool read_preemptions(struct parser *p)
{
    return want_u32(p, UINT32_MAX, &p->out->preemptions);
}

static bool read_leak(struct parser *p)
{
    return want_number(p, UINT64_MAX, ' ', &p->out->leak_site) &&
           want_u32(p, UINT32_MAX, &p->out->leak_expected);
}

enum times { ONCE, AT_MOST_ONCE, MANY };

static const struct {
    const char *key;
    enum times times;
    bool (*read)(struct parser *); /* reads the text after the key; NULL: one string, for `text` */
    size_t text;                   /* the field of the schedule for that string */
} head[] = {
#define TEXT(field) offsetof(struct hd_schedule, field)
    { "leak", AT_MOST_ONCE, read_leak, 0 },
    { "expected", AT_MOST_ONCE, NULL, TEXT(expected) },
    { "about", AT_MOST_ONCE, NULL, TEXT(about) },
    { "program", ONCE, NULL, TEXT(program) },
    { "directory", ONCE, NULL, TEXT(directory) },
    { "build-id", ONCE, read_build_id, 0 },
    { "arg", MANY, read_arg, 0 },
    { "test", AT_MOST_ONCE, NULL, TEXT(test) },
    { "option", MANY, read_option, 0 },
    { "site", MANY, read_site, 0 },
    { "wait", MANY, read_wait, 0 },
    { "filter", MANY, read_filter, 0 },
    { "faults", AT_MOST_ONCE, read_faults, 0 },
    { "strategy", ONCE, NULL, TEXT(strategy) },
    { "seed", ONCE, read_seed, 0 },
    { "kind", ONCE, read_kind, 0 },
    { "why", AT_MOST_ONCE, read_why, 0 },
    { "message", ONCE, NULL, TEXT(message) },
    { "execution", ONCE, read_execution, 0 },
    { "preemptions", ONCE, read_preemptions, 0 },
#undef TEXT
};
enum { LEAK = 0, EXPECTED = 1, HEAD_LINES = sizeof head / sizeof *head };

static bool head_line(struct parser *p, uint32_t *seen)
{
    for (unsigned i = 0; i < HEAD_LINES; i++) {
        if (!accept_word(p, head[i].key))
            continue;
        if (head[i].times != MANY && (*seen & (1u << i)))
            return fail(p, "a second \"%s\"", head[i].key);
        *seen |= 1u << i;
        bool ok = head[i].read != NULL ? head[i].read(p)
                                       : want_string(p, (const char **)(void *)((char *)p->out + head[i].text));

        return ok && want_end(p);
    }
    return fail(p, "unknown line; expected a line such as \"program\", \"option\" or \"slots\"");
}

static bool is_whole(struct parser *p, uint32_t seen)
{
    for (unsigned i = 0; i < HEAD_LINES; i++)
        if (head[i].times == ONCE && !(seen & (1u << i)))
            return fail(p, "expected \"%s\" before \"slots\"", head[i].key);
    for (size_t i = 0; i < hd_setting_count; i++)
        if (hd_setting_table[i].key != NULL && !(p->settings & (1u << i)) && p->version >= hd_setting_table[i].since)
            return fail(p, "expected \"option %s\" before \"slots\"", hd_setting_table[i].key);
    if (hd_schedule_expects(p->out) && !(seen & (1u << EXPECTED)))
        return fail(p, "expected \"expected\" before \"slots\"");
    return p->out->kind != HD_FK_LEAK || (seen & (1u << LEAK)) || fail(p, "expected \"leak\" before \"slots\"");
}

/* Reads the lines up to and including the word "slots". */
static bool head_lines(struct parser *p)
{
    uint32_t seen = 0;

    if (!version_line(p))
        return false;
    while (next_line(p)) {
        if (accept_word(p, "slots"))
            return is_whole(p, seen);
        if (!head_line(p, &seen))
            return false;
    }
    return false;
}

/* ---- the tables -------------------------------------------------------------------- */

static bool want_row(struct parser *p, uint32_t number)
{
    uint32_t n;

    return want_u32(p, UINT32_MAX, &n) &&
           (n == number || fail(p, "row %u where row %u was expected", n, number));
}

static bool slot_line(struct parser *p, uint32_t i, struct hd_schedule_slot *s)
{
    uint32_t parent, nth;

    if (!next_line(p) || !want_word(p, "slot") || !want_row(p, i) ||
        !want_u32(p, HD_MAX_THREADS - 1, &parent) || !want_u32(p, UINT16_MAX, &nth) ||
        !want_end(p))
        return false;
    s->parent = (uint16_t)parent;
    s->nth = (uint16_t)nth;
    return true;
}

static bool thread_line(struct parser *p, uint32_t i, struct hd_schedule_thread *t)
{
    uint32_t parent, nth, slot;

    if (!next_line(p) || !want_word(p, "thread") || !want_row(p, i) ||
        !want_u32(p, UINT16_MAX, &parent) || !want_u32(p, UINT16_MAX, &nth) ||
        !want_u32(p, HD_MAX_THREADS - 1, &slot) || !want_string(p, &t->name) || !want_end(p))
        return false;
    t->parent = (hd_tid)parent;
    t->nth = (uint16_t)nth;
    t->slot = (uint16_t)slot;
    return true;
}

static bool choice_step(struct parser *p, struct hd_schedule_step *s)
{
    uint64_t taken, of;

    if (!want_number(p, UINT16_MAX, '/', &taken) || !want_number(p, UINT16_MAX, ' ', &of))
        return false;
    if (taken >= of)
        return fail(p, "alternative %u of %u does not exist", (unsigned)taken, (unsigned)of);
    s->decision.chosen = (uint16_t)taken;
    s->decision.alternatives = (uint16_t)of;
    s->kind = HD_EV_CHOOSE;
    return true;
}

static bool thread_step(struct parser *p, struct hd_schedule_step *s)
{
    uint32_t tid;
    char kind[32];

    if (p->at == p->end || *p->at++ != 't')
        return fail(p, "expected a thread (\"t0\") or \"choice\"");
    if (!want_u32(p, HD_MAX_THREADS - 1, &tid) || !want_token(p, kind, sizeof kind) ||
        !want_string(p, &s->object))
        return false;
    s->decision.chosen = (uint16_t)tid;
    s->kind = (uint8_t)hd_kind_find(kind);
    return s->kind != HD_EV_NONE || strcmp(kind, hd_kind_info[HD_EV_NONE].name) == 0 ||
           fail(p, "unknown operation \"%s\"", kind);
}

static bool region_word(struct parser *p, uint8_t *region)
{
    char word[16];

    if (!want_token(p, word, sizeof word))
        return false;
    for (uint8_t i = 0; hd_region_words[i] != NULL; i++)
        if (strcmp(word, hd_region_words[i]) == 0) {
            *region = i;
            return true;
        }
    return fail(p, "unknown region \"%s\"", word);
}

/* Reads those parts of the lasting name of a step that are not its kind and object. */
static bool lasting(struct parser *p, struct hd_schedule_step *s)
{
    if (p->version < 4)
        return true;
    if (p->at == p->end || *p->at++ != ' ')
        return fail(p, "expected a space");
    return want_string(p, &s->function) && (s->decision.alternatives != 0 || region_word(p, &s->region));
}

static bool step_line(struct parser *p, uint32_t i, struct hd_schedule_step *s)
{
    if (!next_line(p) || !want_row(p, i + 1))
        return false;
    if (!(accept_word(p, "choice") ? choice_step(p, s) : thread_step(p, s)))
        return false;
    return want_string(p, &s->site) && want_hex32(p, &s->decision.sig) && lasting(p, s) && want_end(p);
}

/* Reads a count for which the rest of the file is long enough: every row has at least 8 bytes. */
static bool want_count(struct parser *p, const char *key, uint64_t max, uint32_t *out)
{
    if (!want_u32(p, max, out) || !want_end(p))
        return false;
    return *out <= (uint64_t)(p->stop - p->end) / 8 ||
           fail(p, "%u %s, but the file is too short for them (truncated?)", *out, key);
}

static bool count_line(struct parser *p, const char *key, uint64_t max, uint32_t *out)
{
    return next_line(p) && want_word(p, key) && want_count(p, key, max, out);
}

static bool tables(struct parser *p)
{
    struct hd_schedule *s = p->out;
    uint32_t nslots, nthreads, nsteps;
    struct hd_schedule_slot slots[HD_MAX_THREADS];
    struct hd_schedule_thread threads[HD_MAX_THREADS];

    if (!want_count(p, "slots", HD_MAX_THREADS, &nslots))
        return false;
    for (uint32_t i = 0; i < nslots; i++)
        if (!slot_line(p, i, &slots[i]))
            return false;
    if (!count_line(p, "threads", HD_MAX_THREADS, &nthreads))
        return false;
    for (uint32_t i = 0; i < nthreads; i++)
        if (!thread_line(p, i, &threads[i]))
            return false;
    if (!count_line(p, "steps", HD_MAX_STEPS, &nsteps))
        return false;
    hd_schedule_reserve(s, nslots, nthreads, nsteps);
    memcpy(s->slots, slots, nslots * sizeof *slots);
    memcpy(s->threads, threads, nthreads * sizeof *threads);
    for (uint32_t i = 0; i < nsteps; i++)
        if (!step_line(p, i, &s->steps[i]))
            return false;
    return true;
}

static bool end_line(struct parser *p)
{
    char want[32];

    if (!next_line(p))
        return false;
    snprintf(want, sizeof want, "end %016llx", (unsigned long long)p->sum);
    if ((size_t)(p->end - p->start) != strlen(want) ||
        memcmp(p->start, want, strlen(want)) != 0)
        return fail(p, "the checksum does not fit: the file was changed or damaged");
    return p->end + 1 == p->stop || fail(p, "there is text after the end");
}

bool hd_schedule_parse(struct hd_schedule *s, const char *name, const char *data, size_t size,
                       struct hd_schedule_error *err)
{
    struct parser p = { .name = name, .start = data, .stop = data + size, .out = s, .err = err };

    p.scratch = hd_zeroed(size + 1, 1);
    bool ok = head_lines(&p) && tables(&p) && end_line(&p);

    s->version = p.version;
    free(p.scratch);
    return ok;
}

bool hd_schedule_read(struct hd_schedule *s, const char *path, struct hd_schedule_error *err)
{
    const char *problem;
    FILE *f = hd_regular_open(path, MAX_BYTES, &problem);
    char *data = NULL;
    size_t size = 0, cap = 0, got;

    if (f == NULL) {
        snprintf(err->text, sizeof err->text, "cannot read the schedule %.300s: %s", path, problem);
        return false;
    }
    do {
        if (size == cap) {
            cap = cap * 2 + 65536;
            data = hd_resized(data, cap, 1);
        }
        got = fread(data + size, 1, cap - size, f);
        size += got;
    } while (got > 0);
    bool ok = ferror(f) == 0;

    if (!ok)
        snprintf(err->text, sizeof err->text, "%.300s: %s", path, strerror(errno));
    fclose(f);
    ok = ok && hd_schedule_parse(s, path, data, size, err);
    free(data);
    return ok;
}
