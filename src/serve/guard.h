/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guard.h - decides which requests are answered.
 *
 * G1  Without a token, the Host header of a request must be an IP address, localhost, or the name given by
 *     --behind-proxy.  A hostile web page can make a browser send requests to this server under a host name of its own,
 *     which it resolves to this machine (DNS rebinding), but not under one of these names.
 * G2  With a token, every request must contain it: as the password of "Authorization: Basic", for which browsers ask
 *     their user, or as "Authorization: Bearer".  The Host header is not checked then, because a browser does not send
 *     the token to another host name.
 * G3  The comparison takes the same time for every wrong token, and tokens are never printed. */
#ifndef HD_SERVE_GUARD_H
#define HD_SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct hd_guard {
    bool asks;         /* a token is required */
    char token[65];    /* SHA-256 of the token */
    const char *proxy; /* name of the proxy in front of this server; NULL: there is none */
};

enum { HD_TOKEN_MIN = 16, HD_TOKEN_MAX = 512 }; /* letters */

/* Reads the token from the file.  Returns false and writes a message if that fails. */
bool hd_guard_read_token(struct hd_guard *g, const char *path, char *error, size_t cap);

/* G1: true if the Host header is acceptable. host: its value; NULL: there is none. */
bool hd_guard_host(const struct hd_guard *g, const char *host);
/* G2. */
bool hd_guard_token(const struct hd_guard *g, const char *authorization);

#endif
