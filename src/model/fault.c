/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.c - the names and budgets of the faults. */
#include "model/fault.h"

#include <stddef.h>

const char *const hd_fault_words[HD_FAULTS + 1] = { "malloc", "spurious-wakeup", "trylock", "eintr", "weak-cas", "crash",
                                                   "drop", "duplicate", "delay", "partition", "timer", NULL };

/* Returns the setting that holds the fault's budget: each of the three holds four budgets. */
static uint32_t *word_of(struct hd_settings *s, unsigned fault)
{
    return fault < 4 ? &s->fault_budgets1 : fault < 8 ? &s->fault_budgets2 : &s->fault_budgets3;
}

uint32_t hd_fault_budget(const struct hd_settings *s, unsigned fault)
{
    struct hd_settings copy = *s;

    return *word_of(&copy, fault) >> fault % 4 * 8 & 0xff;
}

void hd_fault_set_budget(struct hd_settings *s, unsigned fault, uint32_t budget)
{
    uint32_t *word = word_of(s, fault);

    *word = (*word & ~(UINT32_C(0xff) << fault % 4 * 8)) | budget << fault % 4 * 8;
}

/* Writes the name of the fault, and its budget, which has one digit.  Does not use printf, because this is a
 * part of the runtime, too. */
void hd_fault_text_of(const struct hd_settings *s, unsigned fault, char *buf, size_t cap)
{
    const char *word = hd_fault_words[fault];
    uint32_t budget = hd_fault_budget(s, fault);
    size_t n = 0;

    for (; word[n] != '\0' && n + 3 < cap; n++)
        buf[n] = word[n];
    if (budget != 0) {
        buf[n++] = '=';
        buf[n++] = (char)('0' + budget);
    }
    buf[n] = '\0';
}
