/* SPDX-License-Identifier: BSD-2-Clause
 *
 * serve.h - the dashboard: a web server that shows the campaigns of a store and changes nothing.
 *
 * W1  It answers only GET and HEAD.  No request changes anything.
 * W2  It opens the store for reading only (store/view.h) and runs no program: workers have stored the reports.
 * W3  It listens on an address of this machine only, unless a token or a proxy guards it (guard.h).
 * W4  A content security policy, which browsers enforce, limits pages to the files of this server. */
#ifndef HD_SERVE_SERVE_H
#define HD_SERVE_SERVE_H

#include <stdbool.h>
#include <stddef.h>

struct hd_serve_settings {
    const char *store, *listen;
    const char *token_file; /* NULL: no token is required */
    const char *proxy;      /* name of the proxy in front of this server; NULL: there is none */
};

/* Serves until SIGINT or SIGTERM.  Returns false and writes a message if it cannot start. */
bool hd_serve(const struct hd_serve_settings *s, char *error, size_t cap);

/* Writes the URL of the store without password and parameters. */
void hd_serve_store_name(const char *url, char *buf, size_t cap);

#endif
