/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.c - parses the words of the command line into struct hd_options.
 *
 * This is not getopt_long, because names must be resolved per verb, a misspelt name gets a
 * suggestion, and HEDDLE_OPTIONS uses the same rows.  Long options cannot be abbreviated, so that a
 * new option cannot change the meaning of a script. */
#include "cli/options_value.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "campaign/setup/baselines.h"
#include "campaign/setup/jobs.h"
#include "cli/params.h"
#include "cli/registry.h"
#include "cli/suggest.h"
#include "search/core/strategy.h"

#define ENVIRONMENT "HEDDLE_OPTIONS"

bool hd_complain(const struct hd_parser *p, const char *fmt, ...)
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

static void say_try_help(const struct hd_parser *p)
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

/* Returns another verb that has the option, or HD_VERBS if there is none. */
static enum hd_verb other_verb(const char *name, size_t len)
{
    for (int v = 0; v < HD_VERBS; v++)
        if (!hd_verb_table[v].hidden && find_long((enum hd_verb)v, name, len) != NULL)
            return (enum hd_verb)v;
    return HD_VERBS;
}

static bool unknown_long(const struct hd_parser *p, const char *name, size_t len)
{
    char typed[64];
    enum hd_verb other = other_verb(name, len);
    struct hd_suggestion near = hd_suggest_for(typed);

    snprintf(typed, sizeof typed, "%.*s", (int)len, name);
    if (other != HD_VERBS)
        return hd_complain(p, "option '--%s' belongs to 'heddle %s', not to 'heddle %s'", typed,
                           hd_verb_table[other].name, hd_verb_table[p->verb].name);
    for (size_t i = 0; i < hd_option_count; i++)
        if (hd_option_applies(&hd_option_table[i], p->verb))
            hd_suggest_offer(&near, hd_option_table[i].name);
    hd_suggest_offer(&near, "help");
    if (near.best != NULL)
        return hd_complain(p, "unknown option '--%s'; did you mean '--%s'?", typed, near.best);
    return hd_complain(p, "unknown option '--%s'", typed);
}

/* ---- the command line --------------------------------------------------------- */

/* Stores an option that decides what is searched, as the user wrote it, so that a worker on another machine can
 * repeat it. */
static void note_spelling(const struct hd_parser *p, const struct hd_option *o, const char *value)
{
    struct hd_options *out = p->out;

    if (!hd_option_decides(o) || out->nspelled == HD_MAX_SPELLED)
        return;
    out->spelled[out->nspelled].name = o->name;
    out->spelled[out->nspelled++].value = value;
}

static bool set_value(const struct hd_parser *p, const struct hd_option *o, const char *value)
{
    note_spelling(p, o, value);
    return hd_option_set(p, o, value);
}

static void set_flag(const struct hd_parser *p, const struct hd_option *o)
{
    note_spelling(p, o, NULL);
    hd_option_set_flag(p, o);
}

struct words {
    char **at; /* the next word */
    const struct hd_option *taken_by; /* option whose value is the previous word; NULL: none */
};

static bool parse_long(const struct hd_parser *p, const char *word, struct words *w)
{
    const char *name = word + 2;
    size_t len = strcspn(name, "=");
    const struct hd_option *o = find_long(p->verb, name, len);

    if (o == NULL)
        return unknown_long(p, name, len);
    if (!takes_value(o)) {
        if (name[len] == '=')
            return hd_complain(p, "option '--%s' takes no value; write it alone", o->name);
        set_flag(p, o);
        return true;
    }
    if (name[len] == '=')
        return set_value(p, o, name + len + 1);
    if (*w->at == NULL)
        return hd_complain(p, "option '--%s' wants a value: %s", o->name, o->value);
    w->taken_by = o;
    return set_value(p, o, *w->at++);
}

static bool parse_short(const struct hd_parser *p, const char *word, struct words *w)
{
    for (const char *c = word + 1; *c != '\0'; c++) {
        const struct hd_option *o = find_short(p->verb, *c);

        if (o == NULL)
            return word[2] == '\0' ? hd_complain(p, "unknown option '%s'", word)
                                      : hd_complain(p, "unknown option '-%c' in '%s'", *c, word);
        if (!takes_value(o)) {
            set_flag(p, o);
            continue;
        }
        if (c[1] != '\0')
            return set_value(p, o, c + 1 + (c[1] == '='));
        if (*w->at == NULL)
            return hd_complain(p, "option '-%c' wants a value: %s", o->letter, o->value);
        return set_value(p, o, *w->at++);
    }
    return true;
}

/* Complains if the program was taken as the value of an option, as in "heddle run --json ./prog".
 * Returns true if it did. */
static bool lacks_program(const struct hd_parser *p, const struct words *w)
{
    const struct hd_verb_info *v = &hd_verb_table[p->verb];

    if (!v->takes_program || w->taken_by == NULL)
        return false;
    hd_complain(p, "no program given: '%s' is the value of --%s", w->at[-1], w->taken_by->name);
    return true;
}

/* Parses options up to the program (or everywhere, for verbs without a program).  Moves operands to
 * the front of argv. */
static enum hd_parse parse_words(const struct hd_parser *p, char **argv)
{
    struct words w = { .at = argv };
    char **keep = argv;
    bool options_over = false;

    while (*w.at != NULL) {
        char *word = *w.at++;

        w.taken_by = NULL;
        if (options_over || word[0] != '-' || word[1] == '\0') {
            *keep++ = word;
            options_over |= hd_verb_table[p->verb].takes_program;
        } else if (strcmp(word, "--") == 0) {
            options_over = true;
            if (hd_verb_table[p->verb].names_program && *w.at != NULL)
                p->out->program = *w.at++;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            hd_options_help(p->verb, stdout);
            return HD_PARSE_HELP;
        } else if (!(word[1] == '-' ? parse_long(p, word, &w) : parse_short(p, word, &w))) {
            say_try_help(p);
            return HD_PARSE_BAD;
        }
    }
    *keep = NULL;
    if (keep == argv && lacks_program(p, &w)) {
        say_try_help(p);
        return HD_PARSE_BAD;
    }
    p->out->verb = p->verb;
    p->out->verb_name = hd_verb_table[p->verb].name;
    p->out->args = argv;
    p->out->nargs = (int)(keep - argv);
    return HD_PARSE_OK;
}

/* ---- HEDDLE_OPTIONS ------------------------------------------------------------ */

static bool known_to_some_verb(const char *key)
{
    return other_verb(key, strlen(key)) != HD_VERBS;
}

static bool set_from_environment(const struct hd_parser *p, const char *key, const char *value)
{
    size_t len = strlen(key);
    const struct hd_option *o = find_long(p->verb, key, len);

    if (o == NULL && len == 1)
        o = find_short(p->verb, *key);
    if (o == NULL && (len < 2 || !known_to_some_verb(key)))
        return unknown_long(p, key, len) ||
               hd_complain(p, "write \"key=value:key=value\"; "
                              "put a value that contains a colon in 'quotes'");
    if (o == NULL)
        return true; /* an option of another verb */
    if (takes_value(o))
        return value != NULL ? set_value(p, o, value)
                             : hd_complain(p, "'%s' wants a value: %s", key, o->value);
    if (value == NULL || strcmp(value, "1") == 0)
        set_flag(p, o);
    else if (strcmp(value, "0") != 0)
        return hd_complain(p, "'%s' is 0 or 1, not '%s'", key, value);
    return true;
}

/* Cuts "key", "key=value" or "key='value'" off *text, in place. */
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

/* Parses HEDDLE_OPTIONS.  It applies only to verbs that run the program, not, for example, to
 * `heddle version --json`. The copy is kept until the next parse, because text options point into
 * it. */
static bool parse_environment(const struct hd_parser *p)
{
    bool heeds = p->verb == HD_VERB_RUN || p->verb == HD_VERB_VERIFY || p->verb == HD_VERB_LINEARIZE ||
                 p->verb == HD_VERB_REPLAY || p->verb == HD_VERB_SUPPRESS ||
                 p->verb == HD_VERB_ESTIMATE || p->verb == HD_VERB_REPORT;
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

/* ---- defaults and checks ---------------------------------------------------------------- */

static void set_defaults(const struct hd_parser *p)
{
    *p->out = (struct hd_options){ .bound = -1, .out_dir = HD_DEFAULT_OUT_DIR };
    snprintf(p->out->strategy, sizeof p->out->strategy, "%s", hd_default_strategy(p->verb));
    for (size_t i = 0; i < hd_option_count; i++) {
        const struct hd_option *o = &hd_option_table[i];

        if (o->fallback != NULL)
            HD_INVARIANT(hd_option_set(p, o, o->fallback), "default of an option is not valid");
    }
    p->out->points_named = false;
}

static bool check_operands(const struct hd_parser *p)
{
    const struct hd_verb_info *v = &hd_verb_table[p->verb];

    if (v->takes_program && p->out->nargs > 0 && p->out->args[0][0] == '\0')
        return hd_complain(p, "the name of the program is empty; usage: heddle %s %s", v->name,
                              v->synopsis);
    if (p->out->nargs < v->min_args)
        return hd_complain(p, v->takes_program ? "no program given; usage: heddle %s %s"
                                               : "too few arguments; usage: heddle %s %s",
                           v->name, v->synopsis);
    if (v->max_args >= 0 && p->out->nargs > v->max_args)
        return hd_complain(p, "unexpected argument '%s'; usage: heddle %s %s",
                           p->out->args[v->max_args], v->name, v->synopsis);
    return true;
}

/* True for a lazy strategy, which needs all memory accesses as events. */
static bool is_lazy(const struct hd_options *o)
{
    struct hd_traits t = hd_strategy_traits(o->strategy);

    return hd_traits_is_lazy(&t);
}

static bool takes_bound(const struct hd_options *o)
{
    return hd_strategy_traits(o->strategy).bound != HD_BOUND_NONE;
}

/* Rejects options that the strategy would silently ignore or that make no sense for the verb.
 * Returns false after a message. */
static bool check_strategy(const struct hd_parser *p)
{
    const struct hd_options *o = p->out;
    struct hd_traits traits = hd_strategy_traits(o->strategy);
    char wrong[400];

    if (!hd_params_check(o->strategy, o->params, wrong, sizeof wrong))
        return hd_complain(p, "--strategy %s:%s: %s", o->strategy, o->params, wrong);
    if (o->count >> HD_REACHED_LAZY & 1 && o->points != HD_POINTS_EVERY)
        return hd_complain(p, "--count lazy needs --points every, to see the accesses inside critical sections");
    if (o->mute >> HD_FK_NONDETERMINISM & 1)
        return hd_complain(p, "--mute nondeterminism: a search of a program that does not repeat itself has no "
                              "valid verdict; remove the cause");
    if (o->bound != -1 && !takes_bound(o))
        return hd_complain(p, "--bound: strategy %s has no bound; use bpor-lazy, ipb or idb",
                           o->strategy);
    if (hd_baseline_find(o->strategy) != NULL) {
        const char *obstacle = hd_baseline_obstacle(o, p->verb);

        return obstacle == NULL || hd_complain(p, "strategy %s: %s", o->strategy, obstacle);
    }
    if (hd_traits_samples(&traits) && p->verb == HD_VERB_VERIFY)
        return hd_complain(p, "verify wants a strategy that can be complete (dpor, bpor-lazy, dfs, "
                              "ipb and others), not %s; or use 'heddle run'", o->strategy);
    if (is_lazy(o) && (o->points != HD_POINTS_EVERY || o->nfilters > 0))
        return hd_complain(p, "strategy %s needs --points every, without --within and --without: otherwise it "
                              "does not see the accesses inside critical sections, and would lose behaviours", o->strategy);
    if (o->deepens && (o->each || o->points_named || o->no_points != 0 || o->nfilters > 0 || o->executions != 0 || !o->races))
        return hd_complain(p, "strategy quicksand chooses the scheduling points itself, and looks for races: it "
                              "cannot be combined with --each, --points, --no-points, --within, --without, "
                              "--executions or '--races off'");
    if (o->maximal && !o->deepens)
        return hd_complain(p, "--maximal is about --strategy quicksand: with another one, --points races has the same points");
    if (o->dry && (o->each || !o->races))
        return hd_complain(p, "--dry runs the whole program once, and looks for races: leave out --each and "
                              "'--races off'");
    if (o->deepens && p->verb == HD_VERB_LINEARIZE)
        return hd_complain(p, "linearize wants one search, but quicksand runs many; use dpor");
    if (o->deepens && p->verb == HD_VERB_ESTIMATE)
        return hd_complain(p, "estimate measures one search, but quicksand runs many; use dpor");
    if ((o->no_points != 0 || o->nfilters > 0) && hd_traits_reduces(&traits) && !traits.blocks)
        return hd_complain(p, "--%s: the reduction of strategy %s needs every operation as a point; use "
                              "dpor, dfs, ipb or idb", o->no_points != 0 ? "no-points" : o->filters[0].within ? "within" : "without",
                           o->strategy);
    if (p->verb == HD_VERB_ESTIMATE && hd_strategy_find(o->strategy)->branch == NULL)
        return hd_complain(p, "estimate wants a strategy that searches a tree (dpor-optimal, dpor, dfs), "
                              "not %s", o->strategy);
    return true;
}

/* If the user gives a bound or --tm-retry-sets but no strategy, chooses a strategy that has them.  Such a strategy
 * iterates by default, so HD_BOUND_ITERATE becomes -1. */
static void resolve_strategy(const struct hd_parser *p)
{
    struct hd_options *o = p->out;

    if (o->bound != -1 && p->verb != HD_VERB_RUN && !o->strategy_named)
        snprintf(o->strategy, sizeof o->strategy, "%s", hd_bounded_strategy());
    else if (o->tm_retry_sets && p->verb != HD_VERB_RUN && !o->strategy_named)
        snprintf(o->strategy, sizeof o->strategy, "dpor-classic");
    if (o->bound == HD_BOUND_ITERATE && takes_bound(o))
        o->bound = -1;
}

/* Checks --faults and sets the default bound.  The user cannot give a fault bound of 0, so 0 means
 * that the option is absent. */
static bool check_faults(const struct hd_parser *p)
{
    struct hd_options *o = p->out;

    if (o->faults == 0 && o->fault_bound != 0)
        return hd_complain(p, "--fault-bound limits faults, and there are none without --faults");
    if (o->faults != 0 && o->fault_bound == 0)
        o->fault_bound = 1;
    return true;
}

static bool check_retry_sets(const struct hd_parser *p)
{
    const struct hd_options *o = p->out;

    if (o->tm_aborts != 0 || hd_tm_is_software(o->tm))
        return hd_complain(p, "--tm-retry-sets is for transactions that are aborted spuriously, with one status: leave "
                              "'--tm-aborts all' and '--tm stm' out");
    if (strcmp(o->strategy, "dpor-classic") != 0)
        return hd_complain(p, "--tm-retry-sets: strategy %s has none; use --strategy dpor-classic", o->strategy);
    if (o->store != NULL)
        return hd_complain(p, "--tm-retry-sets: one worker has to see all conflicts; leave --store out");
    return true;
}

static bool check_transactions(const struct hd_parser *p)
{
    uint32_t line = p->out->tm_line;

    if ((line & (line - 1)) != 0)
        return hd_complain(p, "--tm-line: lines of memory have a power of two as their size, such as 64");
    if (p->out->tm_weak && !hd_tm_is_software(p->out->tm))
        return hd_complain(p, "--tm-weak: hardware is never weakly atomic; give --tm stm, too");
    if (p->out->tm_weak)
        p->out->tm = HD_TM_WEAK;
    return !p->out->tm_retry_sets || check_retry_sets(p);
}

static bool check_expect(const struct hd_parser *p)
{
    struct hd_options *o = p->out;

    if (o->expect_file != NULL && o->expect_same)
        return hd_complain(p, "--expect and --expect-same: give one of them");
    o->expect = o->expect_file != NULL ? HD_EXPECT_TEXT : o->expect_same ? HD_EXPECT_SAME : HD_EXPECT_NOTHING;
    return true;
}

static bool check_whole(const struct hd_parser *p)
{
    const struct hd_options *o = p->out;

    resolve_strategy(p);
    if (p->out->store == NULL && (p->verb == HD_VERB_CAMPAIGN || p->verb == HD_VERB_SERVE || (p->out->campaign != NULL && p->verb != HD_VERB_WORKER)))
        p->out->store = HD_DEFAULT_STORE;
    if (is_lazy(p->out) && !p->out->points_named)
        p->out->points = HD_POINTS_EVERY;
    if (o->npoint_at > 0 && o->points == HD_POINTS_SYNC && !o->deepens)
        p->out->points = HD_POINTS_RACES;
    if (!check_faults(p) || !check_transactions(p) || !check_expect(p) || !check_strategy(p)) /* these checks do
                                                                                               * not depend on -j
                                                                                               * and --points */
        return false;
    if (o->jobs > 1 && *o->strategy != '\0' && hd_jobs_obstacle(o) != NULL)
        return hd_complain(p, "-j: strategy %s searches with one worker only, because %s; leave "
                              "-j out", o->strategy, hd_jobs_obstacle(o));
    if (o->points != HD_POINTS_SYNC && !o->races)
        return hd_complain(p, "--points %s needs the race detector, which finds the accesses that "
                              "matter; leave out '--races off'",
                           hd_points_words[o->points]);
    return true;
}

enum hd_parse hd_options_parse(enum hd_verb verb, int argc, char **argv, struct hd_options *out)
{
    struct hd_parser p = { verb, out, false };
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
