/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options_search.c - the options that decide what is searched, as text.  An option is included
 * unless its row says otherwise, so a new option cannot be forgotten. */
#include "cli/options.h"

#include <string.h>

#include "base/memory.h"

static void put_list(FILE *out, const char *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", list[i]);
}

static void put_filters(FILE *out, const struct hd_options *from)
{
    for (uint32_t i = 0; i < from->nfilters; i++)
        fprintf(out, "%s%s %s", i > 0 ? " " : "", from->filters[i].within ? "within" : "without",
                from->filters[i].function);
}

/* If the value has no word, because another option set it, writes the last value that has a word: with --tm-weak,
 * --tm is written as stm. */
static void put_choice(FILE *out, const struct hd_option *o, const void *field)
{
    int i, last = 0;

    memcpy(&i, field, sizeof i);
    while (last < i && o->choices[last + 1] != NULL)
        last++;
    fputs(o->choices[last], out);
}

static void put_value(FILE *out, const struct hd_option *o, const struct hd_options *from)
{
    const void *field = (const char *)from + o->field;

    switch (o->type) {
    case HD_OPT_FLAG:
    case HD_OPT_SWITCH:
        fputs(*(const bool *)field ? "on" : "off", out);
        break;
    case HD_OPT_COUNT:
    case HD_OPT_U32:
    case HD_OPT_WORDS:
        fprintf(out, "%lu", (unsigned long)*(const uint32_t *)field);
        break;
    case HD_OPT_FAULTS:
        fprintf(out, "%x %x %x %x", from->faults, from->fault_budgets1, from->fault_budgets2, from->fault_budgets3);
        break;
    case HD_OPT_U64:
    case HD_OPT_DURATION:
        fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case HD_OPT_BOUND:
        fprintf(out, "%lld", (long long)*(const int64_t *)field);
        break;
    case HD_OPT_CHOICE:
        put_choice(out, o, field);
        break;
    case HD_OPT_STRATEGY:
        fprintf(out, "%s%s%s", from->strategy, from->params[0] != '\0' ? ":" : "", from->params);
        break;
    case HD_OPT_FILTER:
        put_filters(out, from);
        break;
    case HD_OPT_FILES:
        put_list(out, from->suppressions, from->nsuppressions);
        break;
    case HD_OPT_ALLOWED:
        put_list(out, from->allowed, from->nallowed);
        break;
    case HD_OPT_PLACE:
        put_list(out, from->point_at, from->npoint_at);
        break;
    case HD_OPT_RULE:
        for (uint32_t i = 0; i < from->nrules; i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", from->rules[i].component);
        break;
    case HD_OPT_COMMAND:
        put_list(out, from->gdb_commands, from->ngdb_commands);
        break;
    case HD_OPT_TEXT:
        fputs(*(const char *const *)field != NULL ? *(const char *const *)field : "", out);
        break;
    }
}

char *hd_options_of_search(const struct hd_options *from, enum hd_verb verb)
{
    char *text;
    size_t size;
    FILE *out = hd_memory_stream(&text, &size);

    for (size_t i = 0; i < hd_option_count; i++) {
        const struct hd_option *o = &hd_option_table[i];

        if (!hd_option_applies(o, verb) || !hd_option_decides(o))
            continue;
        fprintf(out, "--%s\t", o->name);
        put_value(out, o, from);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}
