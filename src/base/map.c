/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map.c - hash tables with open addressing.  The capacity is a power of two, of which at most half is used. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

static size_t slot_of(const struct hd_map *m, uint64_t key)
{
    size_t i = hd_hash_mix(0, key) & (m->capacity - 1);

    while (m->key[i] != 0 && m->key[i] != key)
        i = (i + 1) & (m->capacity - 1);
    return i;
}

static void grow(struct hd_map *m)
{
    struct hd_map old = *m;

    m->capacity = old.capacity > 0 ? 2 * old.capacity : 64;
    m->key = hd_zeroed(m->capacity, sizeof *m->key);
    m->value = hd_zeroed(m->capacity, sizeof *m->value);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.key[i] != 0) {
            size_t at = slot_of(m, old.key[i]);

            m->key[at] = old.key[i];
            m->value[at] = old.value[i];
        }
    hd_map_free(&old);
}

uint32_t *hd_map_add(struct hd_map *m, uint64_t key, bool *new)
{
    if (2 * m->used >= m->capacity)
        grow(m);
    size_t i = slot_of(m, key);

    *new = m->key[i] == 0;
    m->used += *new;
    m->key[i] = key;
    return &m->value[i];
}

uint32_t hd_map_find(const struct hd_map *m, uint64_t key)
{
    size_t i = m->capacity > 0 ? slot_of(m, key) : 0;

    return m->capacity > 0 && m->key[i] == key ? m->value[i] : UINT32_MAX;
}

void hd_map_free(struct hd_map *m)
{
    free(m->key);
    free(m->value);
}

/* Adds a text.  Texts with the same hash get consecutive keys. */
uint32_t hd_texts_add(struct hd_texts *t, const char *text)
{
    for (uint64_t key = hd_hash_bytes(0, text, strlen(text));; key++) {
        bool new;
        uint32_t *number = hd_map_add(&t->numbers, key | 1, &new);

        if (new) {
            *number = t->n;
            *HD_PUSH(t->text, t->n) = hd_copied(text);
        }
        if (strcmp(t->text[*number], text) == 0)
            return *number;
    }
}

void hd_texts_free(struct hd_texts *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        free(t->text[i]);
    free(t->text);
    hd_map_free(&t->numbers);
}
