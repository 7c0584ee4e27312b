/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reply.h - receives HTTP requests, sends the answers and their headers. */
#ifndef HD_SERVE_REPLY_H
#define HD_SERVE_REPLY_H

#include "serve/cache.h"
#include "serve/guard.h"
#include "serve/library.h"

struct hd_replies {
    const struct hd_mhd *mhd;
    const struct hd_guard *guard;
    struct hd_site site;
    struct hd_cache *cache;
    char script[64]; /* hash of the report's script, in the form for a content security policy */
};

void hd_replies_open(struct hd_replies *r, const struct hd_mhd *mhd, const struct hd_guard *guard, struct hd_view *view,
                     const char *store);
void hd_replies_close(struct hd_replies *r);

/* The request handler of libmicrohttpd. ctx: struct hd_replies. */
enum MHD_Result hd_reply(void *ctx, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
                         const char *data, size_t *size, void **state);
/* Keeps libmicrohttpd from decoding escapes: answer.c decodes the parts of a path after it has divided the path. */
size_t hd_reply_keep_escapes(void *ctx, struct MHD_Connection *connection, char *text);

#endif
