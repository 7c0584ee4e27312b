/* SPDX-License-Identifier: BSD-2-Clause
 *
 * params.c - the table of strategies' parameters, and holding a text against it. */
#include "cli/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "search/por/minpreempt.h"
#include "search/sample/changes.h"
#include "search/sample/idiom_trace.h"

/* "+" stands for every strategy with a reducer. */
const struct hd_param hd_param_table[] = {
    { "+ ", "cache", 1, 16384, "megabytes for what is remembered (256); when full, nothing more is learnt" },
    { "ipb idb ", "finish", 0, 1, "1: stop after the bound at which the first bug was found (0)" },
    { "dpor dpor-optimal ", "retain", 0, INT64_MAX,
      "branches that several workers may hold before all but one wait (4194304)" },
    { "dpor-optimal ", "remember", 0, 1 << 20,
      "places for what atomic sections have touched (1048576); with fewer, more is redundant" },
    { "dpor-classic ", "sleep", 0, 1, "0: without sleep sets (1)" },
    { "bpor-lazy ", "cells", 0, HD_MINPREEMPT_CELLS,
      "memory for counting preemptions exactly; beyond it a lower bound is used (1000000)" },
    { "mix pct ppct ", "d", 1, HD_MAX_DEPTH, "depth of bugs to look for (3)" },
    { "pct ", "demote", 0, 1, "1: a change point moves a thread behind all others (0)" },
    { "surw maple ", "profile", 1, 1000, "executions that only watch, first (surw: 3, maple: 10)" },
    { "surw ", "object", 0, 64, "always this shared object; 0: one after the other (0)" },
    { "surw ", "all", 0, 1, "1: every shared object counts (0)" },
    { "maple ", "tries", 1, 1000, "times that an order is forced before it counts as impossible (5)" },
    { "maple ", "window", 1, HD_IDIOM_WINDOW_MAX, "how far apart a thread's accesses of one idiom may be (8)" },
    { "stress noise ", "timeout", 1, 3600000, "milliseconds after which an execution counts as hanging (10000)" },
    { "noise ", "p", 0, 100, "before so many of 100 operations there is a delay (10)" },
    { "noise ", "us", 0, 1000000, "microseconds that it takes at most; 0: a yield (1000)" },
};
const size_t hd_param_count = sizeof hd_param_table / sizeof *hd_param_table;

bool hd_param_applies(const struct hd_param *p, const char *strategy)
{
    size_t n = strcspn(strategy, "+");

    if (*p->strategies == '+')
        return strategy[n] == '+';
    for (const char *s = p->strategies; *s != '\0'; s = strchr(s, ' ') + 1)
        if (strncmp(s, strategy, n) == 0 && s[n] == ' ')
            return true;
    return false;
}

static int range(const struct hd_param *p, char *buf, size_t cap)
{
    if (p->max == 1 && p->min == 0)
        return snprintf(buf, cap, "0 or 1");
    if (p->max == INT64_MAX)
        return snprintf(buf, cap, "%lld or more", (long long)p->min);
    return snprintf(buf, cap, "%lld to %lld", (long long)p->min, (long long)p->max);
}

/* "d (1 to 64), demote (0 or 1)" */
static void known(const char *strategy, char *buf, size_t cap)
{
    size_t at = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < hd_param_count; i++) {
        const struct hd_param *p = &hd_param_table[i];
        char values[64];

        if (!hd_param_applies(p, strategy))
            continue;
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
    for (size_t i = 0; i < hd_param_count; i++)
        if (hd_param_applies(&hd_param_table[i], strategy) &&
            strlen(hd_param_table[i].key) == len && memcmp(hd_param_table[i].key, key, len) == 0)
            return &hd_param_table[i];
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

void hd_params_list(FILE *out, const char *strategy)
{
    for (size_t i = 0; i < hd_param_count; i++) {
        const struct hd_param *p = &hd_param_table[i];
        char values[64];

        if (!hd_param_applies(p, strategy))
            continue;
        range(p, values, sizeof values);
        fprintf(out, "%-14s   :%s=N, %s: %s\n", "", p->key, values, p->help);
    }
}
