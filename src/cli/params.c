/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params.c - checks parameters of strategies against their tables, and lists them. */
#include "cli/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/setup/baselines.h"

void hd_params_tables(const char *strategy, const struct hd_param *tables[HD_PARAM_TABLES])
{
    const struct hd_strategy_ops *ops = hd_strategy_find(strategy);
    const struct hd_baseline *native = hd_baseline_find(strategy);

    tables[0] = hd_strategy_reducer(strategy) != HD_REDUCE_NONE ? hd_reducer_params : NULL;
    tables[1] = ops != NULL ? ops->params : native != NULL ? native->params : NULL;
}

/* Returns the first documented row from p on, or NULL if there is none. */
static const struct hd_param *next_row(const struct hd_param *p)
{
    while (p->key != NULL && p->help == NULL)
        p++;
    return p->key != NULL ? p : NULL;
}

static const struct hd_param *first_row(const struct hd_param *table)
{
    return table != NULL ? next_row(table) : NULL;
}

static int range(const struct hd_param *p, char *buf, size_t cap)
{
    if (p->max == 1 && p->min == 0)
        return snprintf(buf, cap, "0 or 1");
    if (p->max == INT64_MAX)
        return snprintf(buf, cap, "%lld or more", (long long)p->min);
    return snprintf(buf, cap, "%lld to %lld", (long long)p->min, (long long)p->max);
}

/* Lists the parameters of a strategy, for example "d (1 to 64), demote (0 or 1)". */
static void known(const char *strategy, char *buf, size_t cap)
{
    const struct hd_param *tables[HD_PARAM_TABLES];
    size_t at = 0;

    buf[0] = '\0';
    hd_params_tables(strategy, tables);
    for (int i = 0; i < HD_PARAM_TABLES; i++)
        for (const struct hd_param *p = first_row(tables[i]); p != NULL; p = next_row(p + 1)) {
            char values[64];

            range(p, values, sizeof values);
            int n = snprintf(buf + at, cap - at, "%s%s (%s)", at > 0 ? ", " : "", p->key, values);

            at += (size_t)n < cap - at ? (size_t)n : cap - at - 1;
        }
}

static bool unknown(const char *strategy, const char *key, size_t len, char *error, size_t cap)
{
    char there[300];

    known(strategy, there, sizeof there);
    if (there[0] == '\0')
        snprintf(error, cap, "strategy %s has no parameters; leave ':%.*s' out", strategy,
                 (int)strlen(key), key);
    else
        snprintf(error, cap, "strategy %s has no parameter '%.*s'; there %s %s", strategy, (int)len,
                 key, strchr(there, ',') != NULL ? "are" : "is", there);
    return false;
}

static bool check_value(const struct hd_param *p, const char *value, size_t len, char *error,
                        size_t cap)
{
    char *end;
    char values[64];

    errno = 0;
    int64_t v = strtoll(value, &end, 10);
    bool number = errno == 0 && len > 0 && end == value + len && (*value == '-' || (*value >= '0' && *value <= '9'));

    if (number && v >= p->min && v <= p->max)
        return true;
    range(p, values, sizeof values);
    snprintf(error, cap, "%s=%.*s: %s wants a whole number, %s", p->key, (int)len, value, p->key,
             values);
    return false;
}

static const struct hd_param *find(const char *strategy, const char *key, size_t len)
{
    const struct hd_param *tables[HD_PARAM_TABLES];

    hd_params_tables(strategy, tables);
    for (int i = 0; i < HD_PARAM_TABLES; i++)
        for (const struct hd_param *p = first_row(tables[i]); p != NULL; p = next_row(p + 1))
            if (strlen(p->key) == len && memcmp(p->key, key, len) == 0)
                return p;
    return NULL;
}

bool hd_params_check(const char *strategy, const char *params, char *error, size_t cap)
{
    for (const char *item = params; *item != '\0';) {
        size_t len = strcspn(item, ","), key = strcspn(item, "=,");
        const struct hd_param *p = find(strategy, item, key);

        if (p == NULL)
            return unknown(strategy, item, key, error, cap);
        if (item[key] != '=') {
            snprintf(error, cap, "'%s' wants a value: %s=N", p->key, p->key);
            return false;
        }
        if (!check_value(p, item + key + 1, len - key - 1, error, cap))
            return false;
        item += len + (item[len] == ',');
    }
    return true;
}

void hd_params_list(FILE *out, const struct hd_param *table)
{
    for (const struct hd_param *p = first_row(table); p != NULL; p = next_row(p + 1)) {
        char values[64];

        range(p, values, sizeof values);
        fprintf(out, "%-14s   :%s=N, %s: %s\n", "", p->key, values, p->help);
    }
}
