/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cache.h - caches answers for a short time, so that many viewers cost the database no more than one.  An answer is
 * kept ten times as long as it took to create it, so that the server spends at most about a tenth of its time on
 * reading the database.  An error is kept for a second. */
#ifndef HD_SERVE_CACHE_H
#define HD_SERVE_CACHE_H

#include "serve/answer.h"

struct hd_cache;

struct hd_cache *hd_cache_open(void);
void hd_cache_close(struct hd_cache *c);

/* The returned answer belongs to the cache and is valid until the next call. */
const struct hd_answer *hd_cache_answer(struct hd_cache *c, struct hd_site *site, const char *path);

#endif
