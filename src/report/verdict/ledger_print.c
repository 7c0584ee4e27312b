/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ledger_print.c - prints the ledger as text and as JSON. */
#include "report/verdict/ledger_print.h"

#include "base/json.h"
#include "report/verdict/result.h"

void hd_ledger_sentence(const struct hd_ledger *l, char *buf, size_t cap)
{
    uint32_t denials = hd_ledger_effects(l, HD_DENIES), named = 0;
    size_t used;

    buf[0] = '\0';
    if (denials == 0)
        return;
    used = (size_t)snprintf(buf, cap, "%u place%s not seen (", denials, denials == 1 ? " is" : "s are");
    for (uint32_t i = 0; i < hd_ledger_count(l) && named < HD_LEDGER_NAMED && used < cap; i++)
        if (hd_entry_effect(&l->entry[i]) == HD_DENIES)
            used += (size_t)snprintf(buf + used, cap - used, "%s%s", named++ > 0 ? "; " : "",
                                     l->entry[i].text);
    if (used < cap)
        snprintf(buf + used, cap - used, "%s)", denials > named ? "; and others" : "");
}

static void list(const struct hd_text *t, const struct hd_ledger *l, enum hd_ledger_effect effect)
{
    fprintf(t->out, "%s:\n", hd_ledger_heading(effect));
    for (uint32_t i = 0; i < hd_ledger_count(l); i++)
        if (hd_entry_effect(&l->entry[i]) == effect) {
            fputs("  ", t->out);
            hd_text_wrap(t, 2, 4, l->entry[i].text);
        }
    if (l->left_out[effect] > 0)
        fprintf(t->out, "  (there was no room for %u more)\n", l->left_out[effect]);
}

void hd_ledger_text(const struct hd_text *t, const struct hd_ledger *l, bool named)
{
    for (unsigned k = 0; k < HD_LEDGER_NEFFECTS; k++) {
        uint32_t n = hd_ledger_effects(l, (enum hd_ledger_effect)k);

        if (n > 0 && !(k == HD_DENIES && named && n <= HD_LEDGER_NAMED))
            list(t, l, (enum hd_ledger_effect)k);
    }
}

void hd_ledger_sentences_json(struct hd_json *j, const struct hd_ledger *l)
{
    hd_json_array(j);
    for (uint32_t i = 0; i < hd_ledger_count(l); i++)
        hd_json_string(j, l->entry[i].text);
    hd_json_end(j);
}

void hd_ledger_json(struct hd_json *j, const struct hd_ledger *l)
{
    hd_json_array(j);
    for (uint32_t i = 0; i < hd_ledger_count(l); i++) {
        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "effect", hd_ledger_word(hd_entry_effect(&l->entry[i])));
        hd_json_put_string(j, "text", l->entry[i].text);
        hd_json_end(j);
    }
    hd_json_end(j);
}
