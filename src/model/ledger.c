/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger.c - merges and counts entries.  It also runs in the target: no libc. */
#include "model/ledger.h"

#include <stddef.h>

static const char *const words[] = {
#define HD_LEDGER_WORD(name, word, heading) [HD_##name] = word,
    HD_LEDGER_EFFECTS(HD_LEDGER_WORD)
#undef HD_LEDGER_WORD
};

static const char *const headings[] = {
#define HD_LEDGER_HEADING(name, word, heading) [HD_##name] = heading,
    HD_LEDGER_EFFECTS(HD_LEDGER_HEADING)
#undef HD_LEDGER_HEADING
};

/* True if both texts are equal.  All copies of a text that is too long are truncated at the same place; a text
 * on a wire may lack its terminator. */
static bool is_same(const char *kept, const char *text)
{
    size_t i = 0;

    while (i < HD_LEDGER_TEXT - 1 && kept[i] != '\0' && kept[i] == text[i])
        i++;
    return i == HD_LEDGER_TEXT - 1 || kept[i] == text[i];
}

static void copy(char *to, const char *text)
{
    size_t i = 0;

    for (; i < HD_LEDGER_TEXT - 1 && text[i] != '\0'; i++)
        to[i] = text[i];
    to[i] = '\0';
}

uint32_t hd_ledger_count(const struct hd_ledger *l)
{
    uint32_t n = l != NULL ? __atomic_load_n(&l->n, __ATOMIC_ACQUIRE) : 0;

    return n < HD_LEDGER_ROOM ? n : HD_LEDGER_ROOM;
}

enum hd_ledger_effect hd_entry_effect(const struct hd_entry *e)
{
    return e->effect < HD_LEDGER_NEFFECTS ? (enum hd_ledger_effect)e->effect : HD_DENIES;
}

void hd_ledger_add(struct hd_ledger *l, enum hd_ledger_effect effect, const char *text)
{
    uint32_t n = hd_ledger_count(l);

    for (uint32_t i = 0; i < n; i++)
        if (is_same(l->entry[i].text, text)) {
            if (effect < hd_entry_effect(&l->entry[i]))
                l->entry[i].effect = effect;
            return;
        }
    if (n == HD_LEDGER_ROOM) {
        l->left_out[effect]++;
        return;
    }
    l->entry[n].effect = effect;
    copy(l->entry[n].text, text);
    __atomic_store_n(&l->n, n + 1, __ATOMIC_RELEASE);
}

void hd_ledger_merge(struct hd_ledger *l, const struct hd_ledger *from)
{
    for (uint32_t i = 0; i < hd_ledger_count(from); i++)
        hd_ledger_add(l, hd_entry_effect(&from->entry[i]), from->entry[i].text);
    for (unsigned k = 0; k < HD_LEDGER_NEFFECTS; k++)
        if (from->left_out[k] > l->left_out[k])
            l->left_out[k] = from->left_out[k];
}

uint32_t hd_ledger_effects(const struct hd_ledger *l, enum hd_ledger_effect effect)
{
    uint32_t sum = l != NULL ? l->left_out[effect] : 0;

    for (uint32_t i = 0; i < hd_ledger_count(l); i++)
        sum += hd_entry_effect(&l->entry[i]) == effect;
    return sum;
}

const char *hd_ledger_word(enum hd_ledger_effect effect)
{
    return words[effect];
}

const char *hd_ledger_heading(enum hd_ledger_effect effect)
{
    return headings[effect];
}
