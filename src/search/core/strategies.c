/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategies.c - finds strategies by name and parses their parameters.  This code also runs
 * in the target before main: no locale, no errno. */
#include "search/core/strategies.h"

#include <string.h>

#include "base/check.h"

const struct hd_strategy_ops *const hd_strategies[] = {
#define STRATEGY(id) &hd_strategy_##id,
    HD_STRATEGIES(STRATEGY)
#undef STRATEGY
    NULL,
};

const struct hd_param hd_reducer_params[] = {
    { "cache", 1, 16384, 256, "megabytes for the cache (256); a full cache takes no more entries" },
    { .key = NULL },
};

/* True if text begins with word and then ends or continues with one of the separators. */
static bool begins(const char *text, const char *word, const char *separators)
{
    size_t n = strlen(word);

    return strncmp(text, word, n) == 0 && (text[n] == '\0' || strchr(separators, text[n]) != NULL);
}

const struct hd_strategy_ops *hd_strategy_find(const char *name)
{
    for (int i = 0; hd_strategies[i] != NULL; i++)
        if (begins(name, hd_strategies[i]->name, "+:"))
            return hd_strategies[i];
    return begins(name, hd_strategy_follow.name, "+:") ? &hd_strategy_follow : NULL;
}

enum hd_reducer hd_strategy_reducer(const char *name)
{
    const char *at = name + strcspn(name, "+:");

    if (*at != '+')
        return HD_REDUCE_NONE;
    if (begins(at, "+cache", ":"))
        return HD_REDUCE_CACHE;
    return begins(at, "+lazycache", ":") ? HD_REDUCE_LAZYCACHE : HD_REDUCE_UNKNOWN;
}

struct hd_traits hd_strategy_traits(const char *name)
{
    static const enum hd_coverage most[] = { [HD_REDUCE_NONE] = HD_COVERS_SCHEDULES,
                                             [HD_REDUCE_CACHE] = HD_COVERS_CLASSES,
                                             [HD_REDUCE_LAZYCACHE] = HD_COVERS_STATES,
                                             [HD_REDUCE_UNKNOWN] = HD_COVERS_NOTHING };
    const struct hd_strategy_ops *ops = hd_strategy_find(name);
    struct hd_traits t = { 0 };

    if (ops != NULL)
        t = ops->traits;
    if (t.coverage > most[hd_strategy_reducer(name)])
        t.coverage = (uint8_t)most[hd_strategy_reducer(name)];
    if (hd_strategy_reducer(name) != HD_REDUCE_NONE) /* a cached state cannot be taken back, so nothing may be unknown
                                                      * when it is entered */
        t.tries_first = t.awaits;
    t.awaits &= hd_strategy_reducer(name) <= HD_REDUCE_CACHE; /* critical sections with waiting loops do not commute,
                                                               * as +lazycache assumes */
    return t;
}

/* Returns the text after "key=" at the start of item; NULL if item has another key. */
static const char *value_of(const char *item, const char *key)
{
    size_t n = strlen(key);

    return strncmp(item, key, n) == 0 && item[n] == '=' ? item + n + 1 : NULL;
}

static const char *next_item(const char *item)
{
    const char *comma = strchr(item, ',');

    return comma == NULL ? item + strlen(item) : comma + 1;
}

/* Parses decimal digits, optionally after a minus sign, up to a comma or the end. */
static bool parse_number(const char *text, int64_t *out)
{
    bool minus = *text == '-';
    int64_t v = 0;

    text += minus;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *text - '0', &v))
            return false;
    *out = minus ? -v : v;
    return *text == ',' || *text == '\0';
}

static const struct hd_param *row_of(const struct hd_param *table, const char *item, const char **value)
{
    for (const struct hd_param *p = table; p != NULL && p->key != NULL; p++)
        if ((*value = value_of(item, p->key)) != NULL)
            return p;
    return NULL;
}

bool hd_strategy_accepts(const struct hd_strategy_ops *ops, enum hd_reducer reducer, const char *params)
{
    for (const char *item = params; *item != '\0'; item = next_item(item)) {
        const char *value;
        const struct hd_param *p = row_of(ops->params, item, &value);
        int64_t v;

        if (p == NULL && reducer != HD_REDUCE_NONE)
            p = row_of(hd_reducer_params, item, &value);
        if (p == NULL || !parse_number(value, &v) || v < p->min || v > p->max)
            return false;
    }
    return true;
}

static const struct hd_param *find_row(const struct hd_param *table, const char *key)
{
    for (const struct hd_param *p = table; p != NULL && p->key != NULL; p++)
        if (strcmp(p->key, key) == 0)
            return p;
    return NULL;
}

bool hd_param_exists(const struct hd_param *table, const char *key)
{
    return find_row(table, key) != NULL;
}

int64_t hd_param_value(const struct hd_param *table, const char *params, const char *key)
{
    const struct hd_param *p = find_row(table, key);

    HD_INVARIANT(p != NULL, "a parameter is missing in the table of its strategy");
    for (const char *item = params; *item != '\0'; item = next_item(item)) {
        const char *value = value_of(item, key);
        int64_t v;

        if (value != NULL && parse_number(value, &v))
            return v;
    }
    return p->fallback;
}

void *hd_strategy_state(void *self, const struct hd_strategy_cfg *cfg, size_t n)
{
    return self != NULL ? self : hd_arena_alloc(cfg->arena, n);
}
