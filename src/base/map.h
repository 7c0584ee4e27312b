/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map.h - hash tables of the tool: from 64-bit keys, or from texts, to numbers.  A table with all
 * bytes zero is empty. */
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys are never 0. */
struct hd_map {
    uint64_t *key;
    uint32_t *value;
    size_t capacity, used;
};

/* Finds or adds a key.  Returns the address of its number, valid until the next call.  If *new, the caller must
 * set the number. */
uint32_t *hd_map_add(struct hd_map *m, uint64_t key, bool *new);
/* Returns the number of a key, or UINT32_MAX if there is none. */
uint32_t hd_map_find(const struct hd_map *m, uint64_t key);
void hd_map_free(struct hd_map *m);

/* A set of texts, numbered from 0 in the order in which they were added.  Their addresses do not change. */
struct hd_texts {
    struct hd_map numbers;
    char **text;
    uint32_t n;
};

uint32_t hd_texts_add(struct hd_texts *t, const char *text);
void hd_texts_free(struct hd_texts *t);

#endif
