/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reached.c - sets of hashes to which several workers add.  Makes no libc calls.  If a worker is killed after
 * storing a hash and before counting it, the number stays too small by one: the next worker finds the hash
 * already stored. */
#include "model/reached.h"

#include <stddef.h>

#include "base/hash.h"

const char *const hd_reached_words[] = { "classes", "lazy", "states", NULL };

/* Begins a pass.  In a pass with more scheduling points the classes are different, so the counts of the
 * previous pass are void. */
static void enter_pass(struct hd_reached *r, uint64_t pass)
{
    if (__atomic_load_n(&r->pass, __ATOMIC_ACQUIRE) == pass)
        return;
    for (unsigned i = 0; i < HD_REACHED_KINDS; i++)
        __atomic_store_n(&r->n[i], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&r->pass, pass, __ATOMIC_RELEASE);
}

void hd_reached_add(struct hd_reached *r, enum hd_reached_kind kind, uint64_t pass, uint64_t hash)
{
    uint64_t key = hd_hash_mix(hd_hash_mix(0, pass), hash) | 1; /* mixed one after the other, because pass and hash
                                                                 * must both matter */
    uint64_t *row = r->row[kind];

    enter_pass(r, pass);
    for (uint32_t i = 0; i < HD_REACHED_ROWS; i++) {
        uint64_t *at = &row[(key / 2 + i) % HD_REACHED_ROWS], was = 0;

        if (__atomic_compare_exchange_n(at, &was, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            __atomic_fetch_add(&r->n[kind], 1, __ATOMIC_RELAXED);
            return;
        }
        if (was == key)
            return;
    }
    __atomic_fetch_or(&r->full, 1u << kind, __ATOMIC_RELAXED);
}
