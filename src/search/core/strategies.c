/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategies.c - the list of all strategies, and the parser of their parameters.  The list
 * is explicit (no constructors), in the order of `heddle list`.  This code also runs in the
 * target before main: no locale, no errno. */
#include "search/core/strategies.h"

#include <string.h>

const struct hd_strategy_ops *const hd_strategies[] = {
    &hd_strategy_mix,
    &hd_strategy_pct,
    &hd_strategy_ppct,
    &hd_strategy_random,
    &hd_strategy_pos,
    &hd_strategy_surw,
    &hd_strategy_maple,
    &hd_strategy_stale,
    &hd_strategy_dpor_optimal,
    &hd_strategy_dpor,
    &hd_strategy_dpor_classic,
    &hd_strategy_dpor_lazy,
    &hd_strategy_bpor_lazy,
    &hd_strategy_bpor,
    &hd_strategy_bpor_source,
    &hd_strategy_bpor_naive,
    &hd_strategy_dfs,
    &hd_strategy_ipb,
    &hd_strategy_idb,
    &hd_strategy_probe,
    &hd_strategy_replay,
    NULL,
};

bool hd_strategy_is(const char *name, const char *base)
{
    size_t n = strlen(base);

    return strncmp(name, base, n) == 0 && (name[n] == '\0' || name[n] == '+');
}

const struct hd_strategy_ops *hd_strategy_find(const char *name)
{
    for (int i = 0; hd_strategies[i] != NULL; i++)
        if (hd_strategy_is(name, hd_strategies[i]->name))
            return hd_strategies[i];
    return hd_strategy_is(name, hd_strategy_follow.name) ? &hd_strategy_follow : NULL;
}

enum hd_reducer hd_strategy_reducer(const char *name)
{
    const char *plus = strchr(name, '+');

    if (plus == NULL)
        return HD_REDUCE_NONE;
    if (strcmp(plus, "+cache") == 0)
        return HD_REDUCE_CACHE;
    return strcmp(plus, "+lazycache") == 0 ? HD_REDUCE_LAZYCACHE : HD_REDUCE_UNKNOWN;
}

bool hd_strategy_samples(const char *name)
{
    const struct hd_strategy_ops *ops = hd_strategy_find(name);

    return ops != NULL && ops->samples;
}

/* The text after "key=" at the start of item; NULL if item has another key. */
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

/* Decimal digits, optionally after a minus, up to a comma or the end. */
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

int64_t hd_strategy_param(const char *params, const char *key, int64_t fallback, bool *ok)
{
    for (const char *item = params; *item != '\0'; item = next_item(item)) {
        const char *value = value_of(item, key);
        int64_t v;

        if (value == NULL)
            continue;
        if (parse_number(value, &v))
            return v;
        *ok = false;
        return fallback;
    }
    return fallback;
}

bool hd_strategy_params_known(const char *params, const char *const *keys)
{
    for (const char *item = params; *item != '\0'; item = next_item(item)) {
        bool known = false;

        for (int i = 0; keys[i] != NULL; i++)
            known |= value_of(item, keys[i]) != NULL;
        if (!known)
            return false;
    }
    return true;
}

void *hd_strategy_state(void *self, const struct hd_strategy_cfg *cfg, size_t n)
{
    return self != NULL ? self : hd_arena_alloc(cfg->arena, n);
}
