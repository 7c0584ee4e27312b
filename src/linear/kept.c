/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kept.c - adds to the outcomes and counts that all workers share. */
#include "linear/kept.h"

#include "base/hash.h"
#include "linear/book.h"

/* Assigns a free entry to the key.  Returns false if the entry belongs to another key. */
static bool claim(uint64_t *entry, uint64_t key, bool *new)
{
    uint64_t was = 0;

    *new = __atomic_compare_exchange_n(entry, &was, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return *new || was == key;
}

void hd_lin_keep(struct hd_lin_kept *k, const struct hd_lin_record *r)
{
    static char text[2 * HD_LIN_TEXT];
    uint64_t key = hd_hash_mix(hd_lin_hash(r), hd_lin_order_hash(r)) | 1;
    uint32_t slot = (uint32_t)key % HD_LIN_KEPT, tries = 0;
    bool new;

    while (!claim(&k->entry[slot].key, key, &new)) {
        if (++tries == HD_LIN_KEPT) {
            k->full = 1;
            return;
        }
        slot = (slot + 1) % HD_LIN_KEPT;
    }
    __atomic_fetch_add(&k->entry[slot].times, 1, __ATOMIC_RELAXED);
    if (!new)
        return;
    uint32_t n = (uint32_t)hd_lin_write(r, true, text, sizeof text);
    uint32_t at = __atomic_fetch_add(&k->used, n, __ATOMIC_RELAXED);

    if (n == 0 || at + n > HD_LIN_KEPT_BYTES || at + n < at) {
        k->full = 1;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        k->text[at + i] = text[i];
    k->entry[slot].at = at;
    __atomic_store_n(&k->entry[slot].size, n, __ATOMIC_RELEASE);
    __atomic_fetch_add(&k->n, 1, __ATOMIC_RELAXED);
}

void hd_lin_count(struct hd_lin_saved *saved, const char *component, enum hd_lin_rule rule, uint64_t times)
{
    uint32_t n = 0, i = 0;
    bool new = false;

    while (component[n] != '\0')
        n++;
    uint64_t key = hd_hash_bytes(rule, component, n) | 1;

    while (i < HD_LIN_COMPONENTS && !claim(&saved[i].key, key, &new))
        i++;
    if (i == HD_LIN_COMPONENTS)
        return;
    if (new) {
        for (uint32_t k = 0; k < n && k + 1 < HD_LIN_NAME; k++)
            saved[i].name[k] = component[k];
        saved[i].rule = (uint8_t)rule;
        __atomic_store_n(&saved[i].complete, 1, __ATOMIC_RELEASE);
    }
    __atomic_fetch_add(&saved[i].n, times, __ATOMIC_RELAXED);
}
