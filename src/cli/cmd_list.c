/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_list.c - `heddle list`: strategies, detectors, events. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "campaign/setup/baselines.h"
#include "cli/params.h"
#include "cli/registry.h"
#include "cli/suggest.h"
#include "model/event.h"
#include "report/evidence/kinds.h"
#include "search/core/strategy.h"

static void list_strategies(void)
{
    for (int i = 0; hd_strategies[i] != NULL; i++) {
        const char *name = hd_strategies[i]->name;

        printf("%-14s %s", name, hd_strategies[i]->summary);
        if (strcmp(name, hd_default_strategy(HD_VERB_RUN)) == 0)
            fputs(" (default of run)", stdout);
        if (strcmp(name, hd_default_strategy(HD_VERB_VERIFY)) == 0)
            fputs(" (default of verify)", stdout);
        putchar('\n');
        hd_params_list(stdout, hd_strategies[i]->params);
    }
    fputs("quicksand      many searches in turn: sampling, and dpor over growing sets of scheduling points\n"
          "with dfs, ipb and idb:\n"
          "+cache         skip states that were explored before (equal happens-before relations)\n", stdout);
    hd_params_list(stdout, hd_reducer_params);
    fputs("+lazycache     like +cache, but ignores the order of critical sections that commute;\n"
          "               needs --points every\n", stdout);
    fputs("for comparison, on native threads and without any control:\n", stdout);
    for (const struct hd_baseline *b = hd_baselines; b->name != NULL; b++) {
        printf("%-14s %s\n", b->name, b->summary);
        hd_params_list(stdout, b->params);
    }
}

static void list_detectors(void)
{
    for (size_t i = 0; i < hd_rule_count; i++) {
        if (i == hd_rule_findings)
            fputs("and as warnings, which change no verdict:\n", stdout);
        printf("%-*s %s\n", i < hd_rule_findings ? 14 : 18, hd_rules[i].name, hd_rules[i].summary);
    }
}

/* Lists the name and text of each kind, and what it does to its objects (model/event_kinds.def). */
static void list_events(void)
{
    static const char *const access[] = { "-", "read", "write", "update" };

    for (int k = HD_EV_NONE + 1; k < HD_EV_COUNT; k++) {
        const struct hd_kind_info *i = &hd_kind_info[k];

        printf("%-17s %-22s %-6s %-6s%s%s%s%s\n", i->name, i->text, access[i->ok1],
               access[i->acc2], i->traits & HD_TRAIT_BLOCKS ? " blocks" : "",
               i->traits & HD_TRAIT_YIELDS ? " yields" : "",
               i->traits & HD_TRAIT_POLLS ? " polls" : "",
               i->traits & HD_TRAIT_LOCAL ? " local" : "");
    }
}

int hd_cmd_list(const struct hd_options *o)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } lists[] = { { "strategies", list_strategies },
                  { "detectors", list_detectors },
                  { "events", list_events } };
    struct hd_suggestion near = hd_suggest_for(o->args[0]);

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        hd_suggest_offer(&near, lists[i].name);
        if (strcmp(o->args[0], lists[i].name) == 0) {
            lists[i].print();
            return HD_EXIT_CLEAN;
        }
    }
    fprintf(stderr, "heddle list: there is no list '%s'; ", o->args[0]);
    if (near.best != NULL)
        fprintf(stderr, "did you mean '%s'?\n", near.best);
    else
        fputs("the lists are strategies, detectors and events\n", stderr);
    return HD_EXIT_USAGE;
}
