/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.c - from words to struct hd_options.
 *
 * Written by hand over the table instead of getopt_long: names must be resolved
 * per verb, a misspelt name gets a suggestion, and HEDDLE_OPTIONS goes through
 * the same rows.  Long options are never abbreviated, so that a new option
 * cannot change what a script means. */
#include "cli/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/jobs.h"
#include "cli/registry.h"
#include "cli/suggest.h"
#include "search/strategy.h"

#define ENVIRONMENT "HEDDLE_OPTIONS"

struct parser {
    enum hd_verb verb;
    struct hd_options *out;
    bool from_environment;
};

static bool complain(const struct parser *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Print a mistake of the user's; false, so that callers can return it. */
static bool complain(const struct parser *p, const char *fmt, ...)
{
    va_list ap;

    fprintf(stderr, "heddle %s: ", hd_verb_table[p->verb].name);
    if (p->from_environment)
        fprintf(stderr, "in %s: ", ENVIRONMENT);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    return false;
}

static void say_try_help(const struct parser *p)
{
    fprintf(stderr, "Try 'heddle %s --help'.\n", hd_verb_table[p->verb].name);
}

/* ---- rows of the table ------------------------------------------------------ */

static const struct hd_option *find_long(enum hd_verb verb, const char *name, size_t len)
{
    for (size_t i = 0; i < hd_option_count; i++) {
        const struct hd_option *o = &hd_option_table[i];

        if (hd_option_applies(o, verb) && o->name != NULL && strlen(o->name) == len &&
            memcmp(o->name, name, len) == 0)
            return o;
    }
    return NULL;
}

static const struct hd_option *find_short(enum hd_verb verb, char letter)
{
    for (size_t i = 0; i < hd_option_count; i++)
        if (hd_option_applies(&hd_option_table[i], verb) && hd_option_table[i].letter == letter)
            return &hd_option_table[i];
    return NULL;
}

static bool takes_value(const struct hd_option *o)
{
    return o->type != HD_OPT_FLAG && o->type != HD_OPT_COUNT;
}

/* The verb other than this one that knows the option; HD_VERBS when none does. */
static enum hd_verb other_verb(const char *name, size_t len)
{
    for (int v = 0; v < HD_VERBS; v++)
        if (!hd_verb_table[v].hidden && find_long((enum hd_verb)v, name, len) != NULL)
            return (enum hd_verb)v;
    return HD_VERBS;
}

static bool unknown_long(const struct parser *p, const char *name, size_t len)
{
    char typed[64];
    enum hd_verb other = other_verb(name, len);
    struct hd_suggestion near = hd_suggest_for(typed);

    snprintf(typed, sizeof typed, "%.*s", (int)len, name);
    if (other != HD_VERBS)
        return complain(p, "option '--%s' belongs to 'heddle %s', not to 'heddle %s'", typed,
                        hd_verb_table[other].name, hd_verb_table[p->verb].name);
    for (size_t i = 0; i < hd_option_count; i++)
        if (hd_option_applies(&hd_option_table[i], p->verb))
            hd_suggest_offer(&near, hd_option_table[i].name);
    hd_suggest_offer(&near, "help");
    if (near.best != NULL)
        return complain(p, "unknown option '--%s'; did you mean '--%s'?", typed, near.best);
    return complain(p, "unknown option '--%s'", typed);
}

/* ---- values ----------------------------------------------------------------- */

/* A number without sign or blanks, decimal or 0x…; false when it is none. */
static bool number(const char *text, uint64_t *value, const char **rest)
{
    int base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, base);
    *rest = end;
    return errno == 0;
}

static bool set_number(const struct parser *p, const struct hd_option *o, const char *text)
{
    void *field = (char *)p->out + o->field;
    const char *rest;
    uint64_t n;

    if (o->zero != NULL && strcmp(text, o->zero) == 0)
        text = "0";
    if (!number(text, &n, &rest) || *rest != '\0')
        return complain(p, "--%s wants a whole number of at least %llu, not '%s'", o->name,
                        (unsigned long long)o->min, text);
    if (n < o->min)
        return complain(p, "--%s must be at least %llu", o->name, (unsigned long long)o->min);
    if (n > o->max)
        return complain(p, "--%s must be at most %llu", o->name, (unsigned long long)o->max);
    if (o->type == HD_OPT_U32)
        *(uint32_t *)field = (uint32_t)n;
    else if (o->type == HD_OPT_U64)
        *(uint64_t *)field = n;
    else
        *(int64_t *)field = (int64_t)n;
    return true;
}

static uint64_t unit_ms(const char *unit)
{
    static const struct {
        const char *name;
        uint64_t ms;
    } units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].ms;
    return 0;
}

static bool set_duration(const struct parser *p, const struct hd_option *o, const char *text)
{
    const char *unit;
    uint64_t n, ms;

    if (!number(text, &n, &unit) || (ms = unit_ms(unit)) == 0)
        return complain(p, "--%s wants a time such as 500ms, 30s, 5m or 2h, not '%s'", o->name,
                        text);
    if (n == 0)
        return complain(p, "--%s must be more than zero", o->name);
    if (n > UINT64_MAX / 1000000 / ms)
        return complain(p, "--%s is too long: '%s'", o->name, text);
    *(uint64_t *)((char *)p->out + o->field) = n * ms;
    return true;
}

static bool set_choice(const struct parser *p, const struct hd_option *o, const char *text)
{
    void *field = (char *)p->out + o->field;
    struct hd_suggestion near = hd_suggest_for(text);

    for (int i = 0; o->choices[i] != NULL; i++) {
        hd_suggest_offer(&near, o->choices[i]);
        if (strcmp(o->choices[i], text) != 0)
            continue;
        if (o->type == HD_OPT_SWITCH)
            *(bool *)field = i == 1;
        else
            memcpy(field, &i, sizeof i);
        return true;
    }
    if (near.best != NULL)
        return complain(p, "--%s wants %s, not '%s'; did you mean '%s'?", o->name, o->value, text,
                        near.best);
    return complain(p, "--%s wants %s, not '%s'", o->name, o->value, text);
}

static bool unknown_strategy(const struct parser *p, const char *name)
{
    char base[sizeof p->out->strategy];

    snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "+"), name);
    struct hd_suggestion near = hd_suggest_for(base);

    for (int i = 0; hd_strategies[i] != NULL; i++)
        hd_suggest_offer(&near, hd_strategies[i]->name);
    if (near.best != NULL)
        return complain(p, "unknown strategy '%s'; did you mean '%s'?", base, near.best);
    return complain(p, "unknown strategy '%s'; 'heddle list strategies' names them all", base);
}

/* A cache takes for explored what was visited: only a search that explores all that
 * follows a prefix before it leaves it may have one. */
static bool check_reducer(const struct parser *p, const char *name)
{
    const char *reducer = strchr(name, '+');

    switch (hd_strategy_reducer(name)) {
    case HD_REDUCE_NONE:
        return true;
    case HD_REDUCE_UNKNOWN:
        return complain(p, "unknown reducer '%s' in '%s'; there are +cache and +lazycache, "
                           "one at a time", reducer, name);
    default:
        break;
    }
    if (!hd_strategy_find(name)->reducible)
        return complain(p, "%s is unsound with %s, which does not explore all that follows a "
                           "state before it leaves it; use it with dfs, ipb or idb", reducer,
                        hd_strategy_find(name)->name);
    if (hd_strategy_reducer(name) == HD_REDUCE_LAZYCACHE)
        return complain(p, "+lazycache needs every access to shared memory as an event, and this "
                           "version records synchronisation only: it would lose behaviours; "
                           "use +cache");
    return true;
}

static bool set_strategy(const struct parser *p, const char *text)
{
    struct hd_options *out = p->out;
    size_t len = strcspn(text, ":");
    const char *params = text[len] == ':' ? text + len + 1 : "";

    if (len >= sizeof out->strategy || strlen(params) >= sizeof out->params)
        return complain(p, "--strategy is too long: '%s'", text);
    snprintf(out->strategy, sizeof out->strategy, "%.*s", (int)len, text);
    snprintf(out->params, sizeof out->params, "%s", params);
    out->strategy_named = true;
    if (strcmp(out->strategy, "replay") == 0)
        return complain(p, "a recorded schedule is run by 'heddle replay FILE', "
                           "not by --strategy replay");
    if (hd_strategy_find(out->strategy) == NULL)
        return unknown_strategy(p, out->strategy);
    return check_reducer(p, out->strategy);
}

static bool set_text(const struct parser *p, const struct hd_option *o, const char *text)
{
    if (*text == '\0')
        return complain(p, "--%s wants %s, which must not be empty", o->name, o->value);
    *(const char **)((char *)p->out + o->field) = text;
    return true;
}

static bool add_filter(const struct parser *p, const struct hd_option *o, const char *text)
{
    struct hd_options *out = p->out;

    if (*text == '\0')
        return complain(p, "--%s wants the name of a function", o->name);
    if (out->nfilters == HD_MAX_FILTERS)
        return complain(p, "--within and --without: at most %d of them", HD_MAX_FILTERS);
    out->filters[out->nfilters].within = strcmp(o->name, "within") == 0;
    out->filters[out->nfilters++].function = text;
    return true;
}

static bool set_value(const struct parser *p, const struct hd_option *o, const char *text)
{
    switch (o->type) {
    case HD_OPT_U32:
    case HD_OPT_U64:
        return set_number(p, o, text);
    case HD_OPT_BOUND:
        if (strcmp(text, o->choices[0]) != 0)
            return set_number(p, o, text);
        p->out->bound = HD_BOUND_ITERATE;
        return true;
    case HD_OPT_DURATION:
        return set_duration(p, o, text);
    case HD_OPT_CHOICE:
    case HD_OPT_SWITCH:
        return set_choice(p, o, text);
    case HD_OPT_STRATEGY:
        return set_strategy(p, text);
    case HD_OPT_FILTER:
        return add_filter(p, o, text);
    case HD_OPT_TEXT:
        return set_text(p, o, text);
    case HD_OPT_FLAG:
    case HD_OPT_COUNT:
        break;
    }
    HD_INVARIANT(false, "an option without value was given one");
}

static void set_flag(const struct parser *p, const struct hd_option *o)
{
    void *field = (char *)p->out + o->field;

    if (o->type == HD_OPT_COUNT)
        ++*(uint32_t *)field;
    else
        *(bool *)field = true;
}

/* ---- the command line --------------------------------------------------------- */

struct words {
    char **at; /* the next word */
};

static bool parse_long(const struct parser *p, const char *word, struct words *w)
{
    const char *name = word + 2;
    size_t len = strcspn(name, "=");
    const struct hd_option *o = find_long(p->verb, name, len);

    if (o == NULL)
        return unknown_long(p, name, len);
    if (!takes_value(o)) {
        if (name[len] == '=')
            return complain(p, "option '--%s' takes no value", o->name);
        set_flag(p, o);
        return true;
    }
    if (name[len] == '=')
        return set_value(p, o, name + len + 1);
    if (*w->at == NULL)
        return complain(p, "option '--%s' wants a value: %s", o->name, o->value);
    return set_value(p, o, *w->at++);
}

static bool parse_short(const struct parser *p, const char *word, struct words *w)
{
    for (const char *c = word + 1; *c != '\0'; c++) {
        const struct hd_option *o = find_short(p->verb, *c);

        if (o == NULL)
            return complain(p, "unknown option '-%c' in '%s'", *c, word);
        if (!takes_value(o)) {
            set_flag(p, o);
            continue;
        }
        if (c[1] != '\0')
            return set_value(p, o, c + 1 + (c[1] == '='));
        if (*w->at == NULL)
            return complain(p, "option '-%c' wants a value: %s", o->letter, o->value);
        return set_value(p, o, *w->at++);
    }
    return true;
}

/* Options up to the program (or, for verbs without one, everywhere); operands
 * are moved to the front of argv. */
static enum hd_parse parse_words(const struct parser *p, char **argv)
{
    struct words w = { argv };
    char **keep = argv;
    bool options_over = false;

    while (*w.at != NULL) {
        char *word = *w.at++;

        if (options_over || word[0] != '-' || word[1] == '\0') {
            *keep++ = word;
            options_over |= hd_verb_table[p->verb].takes_program;
        } else if (strcmp(word, "--") == 0) {
            options_over = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            hd_options_help(p->verb, stdout);
            return HD_PARSE_HELP;
        } else if (!(word[1] == '-' ? parse_long(p, word, &w) : parse_short(p, word, &w))) {
            say_try_help(p);
            return HD_PARSE_BAD;
        }
    }
    *keep = NULL;
    p->out->args = argv;
    p->out->nargs = (int)(keep - argv);
    return HD_PARSE_OK;
}

/* ---- HEDDLE_OPTIONS ------------------------------------------------------------ */

static bool known_to_some_verb(const char *key)
{
    return other_verb(key, strlen(key)) != HD_VERBS;
}

static bool set_from_environment(const struct parser *p, const char *key, const char *value)
{
    size_t len = strlen(key);
    const struct hd_option *o = find_long(p->verb, key, len);

    if (o == NULL && len == 1)
        o = find_short(p->verb, *key);
    if (o == NULL && (len < 2 || !known_to_some_verb(key)))
        return unknown_long(p, key, len) ||
               complain(p, "write \"key=value:key=value\"; "
                           "put a value that contains a colon in 'quotes'");
    if (o == NULL)
        return true; /* meant for another verb */
    if (takes_value(o))
        return value != NULL ? set_value(p, o, value)
                             : complain(p, "'%s' wants a value: %s", key, o->value);
    if (value == NULL || strcmp(value, "1") == 0)
        set_flag(p, o);
    else if (strcmp(value, "0") != 0)
        return complain(p, "'%s' is 0 or 1, not '%s'", key, value);
    return true;
}

/* Cut "key", "key=value" or "key='value'" off *text, in place. */
static char *cut_setting(char **text, char **value)
{
    char *key = *text;
    char *end = key + strcspn(key, "=:");

    *value = NULL;
    if (*end == '=') {
        char quote = end[1] == '\'' || end[1] == '"' ? end[1] : '\0';

        *end = '\0';
        *value = end + 1 + (quote != '\0');
        end = *value + strcspn(*value, quote == '\'' ? "'" : quote == '"' ? "\"" : ":");
        if (quote != '\0' && *end == quote)
            *end++ = '\0';
    }
    if (*end == ':')
        *end++ = '\0';
    *text = end;
    return key;
}

/* The variable is about searches; `heddle version --json` is no business of it.
 * The copy is kept until the next parse: text options point into it. */
static bool parse_environment(const struct parser *p)
{
    bool heeds = p->verb == HD_VERB_RUN || p->verb == HD_VERB_VERIFY ||
                 p->verb == HD_VERB_REPLAY || p->verb == HD_VERB_ESTIMATE;
    const char *given = heeds ? getenv(ENVIRONMENT) : NULL;
    static char *copy;
    char *text;

    free(copy);
    copy = given != NULL ? strdup(given) : NULL;
    text = copy;
    while (text != NULL && *text != '\0') {
        char *value;
        char *key = cut_setting(&text, &value);

        if (*key != '\0' && !set_from_environment(p, key, value))
            return false;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------ */

static void set_defaults(const struct parser *p)
{
    *p->out = (struct hd_options){ .bound = -1, .out_dir = HD_DEFAULT_OUT_DIR };
    snprintf(p->out->strategy, sizeof p->out->strategy, "%s", hd_default_strategy(p->verb));
    for (size_t i = 0; i < hd_option_count; i++) {
        const struct hd_option *o = &hd_option_table[i];

        if (o->fallback != NULL)
            HD_INVARIANT(set_value(p, o, o->fallback), "default of an option is not valid");
    }
}

static bool check_operands(const struct parser *p)
{
    const struct hd_verb_info *v = &hd_verb_table[p->verb];

    if (p->out->nargs < v->min_args)
        return complain(p, v->takes_program ? "no program given; usage: heddle %s %s"
                                            : "too few arguments; usage: heddle %s %s",
                        v->name, v->synopsis);
    if (v->max_args >= 0 && p->out->nargs > v->max_args)
        return complain(p, "unexpected argument '%s'; usage: heddle %s %s",
                        p->out->args[v->max_args], v->name, v->synopsis);
    return true;
}

/* Options that the strategy would silently ignore, or that make no sense of the verb. */
static bool check_strategy(const struct parser *p)
{
    const struct hd_options *o = p->out;
    bool samples = hd_strategy_samples(o->strategy);

    if (o->bound != -1 && !hd_strategy_is_bounded(o->strategy))
        return complain(p, "--bound: strategy %s has no bound; use bpor-lazy, ipb or idb",
                        o->strategy);
    if (samples && p->verb == HD_VERB_VERIFY)
        return complain(p, "verify wants a strategy that can be complete (dfs, ipb, idb), not %s; "
                           "or use 'heddle run'", o->strategy);
    if (*o->strategy != '\0' && hd_strategy_find(o->strategy)->needs_accesses)
        return complain(p, "strategy %s needs every access to shared memory as an event, and this "
                           "version records synchronisation only; use dpor or dpor-optimal",
                        o->strategy);
    if (p->verb == HD_VERB_ESTIMATE && hd_strategy_find(o->strategy)->branch == NULL)
        return complain(p, "estimate wants a strategy that searches a tree (dpor-optimal, dpor, dfs), "
                           "not %s", o->strategy);
    return true;
}

/* A bound asks for a strategy that has one, and iterating is what those do without. */
static void resolve_bound(const struct parser *p)
{
    struct hd_options *o = p->out;

    if (o->bound != -1 && p->verb == HD_VERB_VERIFY && !o->strategy_named)
        snprintf(o->strategy, sizeof o->strategy, "%s", hd_bounded_strategy());
    if (o->bound == HD_BOUND_ITERATE && hd_strategy_is_bounded(o->strategy))
        o->bound = -1;
}

static bool check_whole(const struct parser *p)
{
    const struct hd_options *o = p->out;

    resolve_bound(p);
    if (o->jobs > 1 && hd_jobs_obstacle(o) != NULL)
        return complain(p, "-j: strategy %s searches with one worker only, because %s; leave "
                           "-j out", o->strategy, hd_jobs_obstacle(o));
    if (o->points != HD_POINTS_SYNC && !o->races)
        return complain(p, "--points %s needs the race detector, which finds the accesses that "
                           "matter; leave --races off out",
                        o->points == HD_POINTS_RACES ? "races" : "all");
    if (o->points == HD_POINTS_SYNC && o->nfilters > 0)
        return complain(p, "--%s chooses among plain accesses, and these are no points without "
                           "--points races or all",
                        o->filters[0].within ? "within" : "without");
    return check_strategy(p);
}

enum hd_parse hd_options_parse(enum hd_verb verb, int argc, char **argv, struct hd_options *out)
{
    struct parser p = { verb, out, false };
    enum hd_parse result;

    HD_INVARIANT(argv[argc] == NULL, "argument list without its end");
    set_defaults(&p);
    p.from_environment = true;
    if (!parse_environment(&p))
        return HD_PARSE_BAD;
    p.from_environment = false;
    result = parse_words(&p, argv);
    if (result == HD_PARSE_OK && !(check_operands(&p) && check_whole(&p))) {
        say_try_help(&p);
        return HD_PARSE_BAD;
    }
    return result;
}

bool hd_options_color(const struct hd_options *o, FILE *f)
{
    const char *no_color = getenv("NO_COLOR");

    if (o->color != HD_COLOR_AUTO)
        return o->color == HD_COLOR_ALWAYS;
    return (no_color == NULL || *no_color == '\0') && isatty(fileno(f)) == 1;
}
