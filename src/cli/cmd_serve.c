/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_serve.c - `heddle serve`: a dashboard over the campaigns of a store. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "serve/serve.h"

/* A message from the database server may contain anything, and the terminal obeys control characters. */
static void complain(const char *message)
{
    fputs("heddle: serve: ", stderr);
    for (const char *c = message; *c != '\0'; c++)
        fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stderr);
    fputc('\n', stderr);
}

int hd_cmd_serve(const struct hd_options *o)
{
    const struct hd_serve_settings s = { .store = o->store, .listen = o->listen, .token_file = o->token_file, .proxy = o->proxy };
    char error[600];

    if (strcmp(o->store, HD_DEFAULT_STORE) == 0 && access(HD_DEFAULT_STORE + strlen("sqlite:"), F_OK) != 0) {
        complain("there is no " HD_DEFAULT_OUT_DIR "/store.sqlite here; name the database with --store");
        return HD_EXIT_USAGE;
    }
    if (hd_serve(&s, error, sizeof error))
        return HD_EXIT_CLEAN;
    complain(error);
    return HD_EXIT_USAGE;
}
