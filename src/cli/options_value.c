/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_value.c - converts the text of a value to a field of struct hd_options.  Error messages
 * say what would be right. */
#include "cli/options_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "campaign/setup/baselines.h"
#include "cli/registry.h"
#include "cli/suggest.h"
#include "search/core/strategy.h"

/* Parses a number without sign or blanks, decimal or 0x….  Returns false if text does not begin
 * with one. */
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

static bool wrong_number(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    const char *word = o->zero != NULL ? o->zero : o->choices != NULL ? o->choices[0] : NULL;
    char most[40] = "";

    if (o->max < UINT32_MAX)
        snprintf(most, sizeof most, " and at most %llu", (unsigned long long)o->max);
    return hd_complain(p, "--%s wants a whole number of at least %llu%s%s%s, not '%s'", o->name,
                          (unsigned long long)o->min, most, word != NULL ? ", or " : "",
                          word != NULL ? word : "", text);
}

static bool set_number(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    void *field = (char *)p->out + o->field;
    const char *rest;
    uint64_t n;

    if (o->zero != NULL && strcmp(text, o->zero) == 0)
        text = "0";
    if (!number(text, &n, &rest) || *rest != '\0' || n < o->min || n > o->max)
        return wrong_number(p, o, text);
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

static bool set_duration(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    const char *unit;
    uint64_t n, ms;

    if (o->zero != NULL && strcmp(text, o->zero) == 0) {
        *(uint64_t *)((char *)p->out + o->field) = 0;
        return true;
    }
    if (!number(text, &n, &unit) || (ms = unit_ms(unit)) == 0)
        return hd_complain(p, "--%s wants a time such as 500ms, 30s, 5m or 2h%s%s, not '%s'", o->name,
                           o->zero != NULL ? ", or " : "", o->zero != NULL ? o->zero : "", text);
    if (n == 0)
        return hd_complain(p, "--%s must be more than zero", o->name);
    if (n > UINT64_MAX / 1000000 / ms)
        return hd_complain(p, "--%s is too long: '%s'", o->name, text);
    *(uint64_t *)((char *)p->out + o->field) = n * ms;
    return true;
}

/* Returns the index of text among the choices.  Returns -1 after a message if it is not one of
 * them. */
static int find_choice(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    struct hd_suggestion near = hd_suggest_for(text);

    for (int i = 0; o->choices[i] != NULL; i++) {
        hd_suggest_offer(&near, o->choices[i]);
        if (strcmp(o->choices[i], text) == 0)
            return i;
    }
    if (near.best != NULL)
        hd_complain(p, "--%s wants %s, not '%s'; did you mean '%s'?", o->name, o->value, text,
                    near.best);
    else
        hd_complain(p, "--%s wants %s, not '%s'", o->name, o->value, text);
    return -1;
}

static bool set_choice(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    void *field = (char *)p->out + o->field;
    int i = find_choice(p, o, text);

    if (i >= 0 && o->type == HD_OPT_SWITCH)
        *(bool *)field = i == 1;
    else if (i >= 0)
        memcpy(field, &i, sizeof i);
    p->out->points_named |= field == &p->out->points;
    return i >= 0;
}

/* Sets one bit for each word. */
static bool set_words(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    uint32_t *field = (uint32_t *)(void *)((char *)p->out + o->field);
    char word[64];

    *field = 0;
    for (;; text++) {
        size_t n = strcspn(text, ",");

        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
        int i = find_choice(p, o, word);

        if (i < 0)
            return false;
        *field |= UINT32_C(1) << i;
        text += n;
        if (*text == '\0')
            return true;
    }
}

/* Sets the bit of each fault, and its budget. */
static bool set_faults(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    char word[64];

    p->out->faults = 0;
    for (;; text++) {
        size_t n = strcspn(text, ",");

        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
        char *budget = strchr(word, '=');

        if (budget != NULL)
            *budget++ = '\0';
        int i = find_choice(p, o, word);

        if (i < 0)
            return false;
        if (budget != NULL && (budget[0] < '1' || budget[0] > '0' + HD_MAX_FAULT_BUDGET || budget[1] != '\0'))
            return hd_complain(p, "--%s %s=N wants a number from 1 to %d, not '%s'", o->name, word,
                               HD_MAX_FAULT_BUDGET, budget);
        p->out->faults |= UINT32_C(1) << i;
        hd_fault_set_budget(&p->out->settings, (unsigned)i, budget != NULL ? (uint32_t)(budget[0] - '0') : 0);
        text += n;
        if (*text == '\0')
            return true;
    }
}

static bool unknown_strategy(const struct hd_parser *p, const char *name)
{
    char base[sizeof p->out->strategy];

    snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "+"), name);
    struct hd_suggestion near = hd_suggest_for(base);

    if (strchr(name, '+') != NULL && hd_baseline_find(base) != NULL)
        return hd_complain(p, "%s has no reducer, since native threads are not explored; leave '%s' out", base,
                           strchr(name, '+'));
    for (int i = 0; hd_strategies[i] != NULL; i++)
        hd_suggest_offer(&near, hd_strategies[i]->name);
    for (const struct hd_baseline *b = hd_baselines; b->name != NULL; b++)
        hd_suggest_offer(&near, b->name);
    if (near.best != NULL)
        return hd_complain(p, "unknown strategy '%s'; did you mean '%s'?", base, near.best);
    return hd_complain(p, "unknown strategy '%s'; 'heddle list strategies' names them all", base);
}

/* Checks the reducer of a strategy name.  A cache treats visited states as explored.  So it is
 * sound only with a search that explores everything after a prefix before it leaves the prefix. */
static bool check_reducer(const struct hd_parser *p, const char *name)
{
    const char *reducer = strchr(name, '+');

    switch (hd_strategy_reducer(name)) {
    case HD_REDUCE_NONE:
        return true;
    case HD_REDUCE_UNKNOWN:
        return hd_complain(p, "unknown reducer '%s' in '%s'; there are +cache and +lazycache, "
                              "one at a time", reducer, name);
    default:
        break;
    }
    if (!hd_strategy_find(name)->reducible)
        return hd_complain(p, "%s is unsound with %s, which does not explore all that follows a "
                              "state before it leaves it; use it with dfs, ipb or idb", reducer,
                           hd_strategy_find(name)->name);
    return true;
}

static bool set_strategy(const struct hd_parser *p, const char *text)
{
    struct hd_options *out = p->out;
    size_t len = strcspn(text, ":");
    const char *params = text[len] == ':' ? text + len + 1 : "";

    if (len >= sizeof out->strategy || strlen(params) >= sizeof out->params)
        return hd_complain(p, "--strategy is too long: '%s'", text);
    snprintf(out->strategy, sizeof out->strategy, "%.*s", (int)len, text);
    snprintf(out->params, sizeof out->params, "%s", params);
    out->strategy_named = true;
    out->deepens = strcmp(out->strategy, "quicksand") == 0;
    if (out->deepens)
        snprintf(out->strategy, sizeof out->strategy, "dpor");
    if (hd_strategy_traits(out->strategy).recorded)
        return hd_complain(p, "a recorded schedule is run by 'heddle replay FILE', "
                              "not by --strategy %s", out->strategy);
    if (hd_baseline_find(out->strategy) != NULL)
        return true;
    if (hd_strategy_find(out->strategy) == NULL)
        return unknown_strategy(p, out->strategy);
    return check_reducer(p, out->strategy);
}

static bool set_text(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    if (*text == '\0')
        return hd_complain(p, "--%s wants %s, which must not be empty", o->name, o->value);
    *(const char **)((char *)p->out + o->field) = text;
    return true;
}

static bool add_filter(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    struct hd_options *out = p->out;

    if (*text == '\0')
        return hd_complain(p, "--%s wants the name of a function", o->name);
    if (out->nfilters == HD_MAX_FILTERS)
        return hd_complain(p, "--within and --without: at most %d of them", HD_MAX_FILTERS);
    out->filters[out->nfilters].within = strcmp(o->name, "within") == 0;
    out->filters[out->nfilters++].function = text;
    return true;
}

static bool add_file(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    struct hd_options *out = p->out;

    if (*text == '\0')
        return hd_complain(p, "--%s wants a file, which must not be empty", o->name);
    if (out->nsuppressions == HD_MAX_SUPPRESSION_FILES)
        return hd_complain(p, "--%s: at most %d files; merge them into one", o->name,
                           HD_MAX_SUPPRESSION_FILES);
    out->suppressions[out->nsuppressions++] = text;
    return true;
}

static bool add_place(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;

    if (colon == NULL || colon == text || strtol(colon + 1, &end, 10) <= 0 || *end != '\0')
        return hd_complain(p, "--%s wants %s, not '%s'", o->name, o->value, text);
    if (p->out->npoint_at == HD_MAX_POINT_AT)
        return hd_complain(p, "--%s: at most %d of them", o->name, HD_MAX_POINT_AT);
    p->out->point_at[p->out->npoint_at++] = text;
    return true;
}

/* The name of a component may contain "=". */
static bool add_rule(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    const char *word = strrchr(text, '=');
    struct hd_options *out = p->out;
    int rule = 0;

    while (word != NULL && hd_lin_rule_words[rule] != NULL && strcmp(hd_lin_rule_words[rule], word + 1) != 0)
        rule++;
    if (word == NULL || word == text || rule == HD_LIN_RULES)
        return hd_complain(p, "--%s wants %s, not '%s'", o->name, o->value, text);
    if (out->nrules == HD_MAX_RULES)
        return hd_complain(p, "--%s: at most %d of them", o->name, HD_MAX_RULES);
    out->rules[out->nrules].component = text;
    out->rules[out->nrules].size = (int)(word - text);
    out->rules[out->nrules++].rule = (enum hd_lin_rule)rule;
    return true;
}

static bool add_allowed(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    struct hd_options *out = p->out;

    if (*text == '\0')
        return hd_complain(p, "--%s wants the name of a library or function", o->name);
    if (out->nallowed == HD_MAX_ALLOWED)
        return hd_complain(p, "--%s: at most %d of them", o->name, HD_MAX_ALLOWED);
    out->allowed[out->nallowed++] = text;
    return true;
}

static bool add_command(const struct hd_parser *p, const struct hd_option *o, const char *text)
{
    struct hd_options *out = p->out;

    if (*text == '\0')
        return hd_complain(p, "--%s wants a command of gdb", o->name);
    if (out->ngdb_commands == HD_MAX_GDB_COMMANDS)
        return hd_complain(p, "--%s: at most %d of them; the gdb command 'source FILE' runs more", o->name,
                           HD_MAX_GDB_COMMANDS);
    out->gdb = true;
    out->gdb_commands[out->ngdb_commands++] = text;
    return true;
}

bool hd_option_set(const struct hd_parser *p, const struct hd_option *o, const char *text)
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
    case HD_OPT_WORDS:
        return set_words(p, o, text);
    case HD_OPT_FAULTS:
        return set_faults(p, o, text);
    case HD_OPT_STRATEGY:
        return set_strategy(p, text);
    case HD_OPT_FILTER:
        return add_filter(p, o, text);
    case HD_OPT_FILES:
        return add_file(p, o, text);
    case HD_OPT_PLACE:
        return add_place(p, o, text);
    case HD_OPT_RULE:
        return add_rule(p, o, text);
    case HD_OPT_ALLOWED:
        return add_allowed(p, o, text);
    case HD_OPT_COMMAND:
        return add_command(p, o, text);
    case HD_OPT_TEXT:
        return set_text(p, o, text);
    case HD_OPT_FLAG:
    case HD_OPT_COUNT:
        break;
    }
    HD_INVARIANT(false, "an option without value was given one");
}

void hd_option_set_flag(const struct hd_parser *p, const struct hd_option *o)
{
    void *field = (char *)p->out + o->field;

    if (o->type == HD_OPT_COUNT)
        ++*(uint32_t *)field;
    else
        *(bool *)field = true;
}
