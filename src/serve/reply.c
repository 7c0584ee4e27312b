/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reply.c - see reply.h. */
#include "serve/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sha256.h"
#include "report/html/html_page.h"

/* W4: other sites may neither embed pages in frames nor load anything from here. */
static const char *const common[][2] = {
    { "X-Content-Type-Options", "nosniff" },
    { "X-Frame-Options", "DENY" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Resource-Policy", "same-origin" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cache-Control", "no-store" },
};

#define CLOSED "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
#define PAGE CLOSED "; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"
#define REPORT CLOSED "; style-src 'unsafe-inline'; script-src '%s'; require-trusted-types-for 'script'"

/* ---- the report's content security policy ------------------------------------------------------ */

static int value_of(char hex)
{
    return hex <= '9' ? hex - '0' : hex - 'a' + 10;
}

/* Converts a hash of 32 bytes from hexadecimal to Base64. */
static void encode(const char hex[65], char out[45])
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char b[33] = { 0 };

    for (unsigned i = 0; i < 32; i++)
        b[i] = (unsigned char)(value_of(hex[2 * i]) << 4 | value_of(hex[2 * i + 1]));
    for (unsigned i = 0, k = 0; i < 33; i += 3) {
        unsigned bits = (unsigned)b[i] << 16 | (unsigned)b[i + 1] << 8 | b[i + 2];

        for (unsigned n = 0; n < 4; n++)
            out[k++] = letters[bits >> (18 - 6 * n) & 63];
    }
    out[43] = '='; /* 32 bytes are 43 letters */
    out[44] = '\0';
}

static void name_script(char *buf, size_t cap)
{
    char *text, hex[65], hash[45];
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);

    hd_html_page_script(f);
    fclose(f);
    hd_sha256(text, size, hex);
    free(text);
    encode(hex, hash);
    snprintf(buf, cap, "sha256-%s", hash);
}

void hd_replies_open(struct hd_replies *r, const struct hd_mhd *mhd, const struct hd_guard *guard, struct hd_view *view,
                     const char *store)
{
    *r = (struct hd_replies){ .mhd = mhd, .guard = guard, .site = { view, store }, .cache = hd_cache_open() };
    name_script(r->script, sizeof r->script);
}

void hd_replies_close(struct hd_replies *r)
{
    hd_cache_close(r->cache);
}

/* ---- replies -------------------------------------------------------------------------------------- */

static void add_headers(const struct hd_replies *r, struct MHD_Response *to, const struct hd_answer *a)
{
    char policy[512], file[200];

    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        r->mhd->MHD_add_response_header(to, common[i][0], common[i][1]);
    r->mhd->MHD_add_response_header(to, "Content-Type", a->type);
    snprintf(policy, sizeof policy, a->policy == HD_POLICY_REPORT ? REPORT : a->policy == HD_POLICY_PAGE ? PAGE : CLOSED, r->script);
    r->mhd->MHD_add_response_header(to, "Content-Security-Policy", policy);
    if (a->file != NULL) {
        snprintf(file, sizeof file, "attachment; filename=\"%s\"", a->file);
        r->mhd->MHD_add_response_header(to, "Content-Disposition", file);
    }
    if (a->location != NULL)
        r->mhd->MHD_add_response_header(to, "Location", a->location);
    if (a->status == 401)
        r->mhd->MHD_add_response_header(to, "WWW-Authenticate", "Basic realm=\"Heddle\", charset=\"UTF-8\"");
    if (a->status == 405)
        r->mhd->MHD_add_response_header(to, "Allow", "GET, HEAD");
    if (a->status == 503)
        r->mhd->MHD_add_response_header(to, "Retry-After", "2");
}

static enum MHD_Result send_answer(const struct hd_replies *r, struct MHD_Connection *c, const struct hd_answer *a)
{
    struct MHD_Response *response = r->mhd->MHD_create_response_from_buffer(a->size, a->body, MHD_RESPMEM_MUST_COPY);

    if (response == NULL)
        return MHD_NO;
    add_headers(r, response, a);
    enum MHD_Result sent = r->mhd->MHD_queue_response(c, a->status, response);

    r->mhd->MHD_destroy_response(response);
    return sent;
}

static enum MHD_Result send_error(const struct hd_replies *r, struct MHD_Connection *c, const char *path, unsigned status,
                                  const char *title, const char *sentence)
{
    struct hd_answer a;

    hd_answer_error(&r->site, path, status, title, sentence, &a);
    enum MHD_Result sent = send_answer(r, c, &a);

    hd_answer_free(&a);
    return sent;
}

/* ---- requests --------------------------------------------------------------------------------------- */

static enum MHD_Result count_hosts(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
    unsigned *n = ctx;

    (void)kind;
    (void)value;
    *n += strcasecmp(name, "Host") == 0;
    return MHD_YES;
}

static const char *header(const struct hd_replies *r, struct MHD_Connection *c, const char *name)
{
    return r->mhd->MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static bool has_body(const struct hd_replies *r, struct MHD_Connection *c)
{
    const char *length = header(r, c, "Content-Length");

    return (length != NULL && strcmp(length, "0") != 0) || header(r, c, "Transfer-Encoding") != NULL;
}

/* The reason why a request is refused; status 0: it is not refused. */
struct refusal {
    unsigned status;
    const char *title, *sentence;
};

static struct refusal refuse(const struct hd_replies *r, struct MHD_Connection *c, const char *method)
{
    unsigned hosts = 0;

    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return (struct refusal){ 405, "This page only looks", "The dashboard answers GET and HEAD. Campaigns are begun, stopped and "
                                                              "deleted on the command line." };
    if (has_body(r, c))
        return (struct refusal){ 413, "The request is too long", "Nothing can be sent to the dashboard." };
    r->mhd->MHD_get_connection_values(c, MHD_HEADER_KIND, count_hosts, &hosts);
    if (hosts != 1 || !hd_guard_host(r->guard, header(r, c, "Host")))
        return (struct refusal){ 421, "Not under this name", "The dashboard is not reached under this name. Use the address that it has "
                                                             "printed; if a proxy is in between, give --behind-proxy the name of the "
                                                             "proxy." };
    if (!hd_guard_token(r->guard, header(r, c, "Authorization")))
        return (struct refusal){ 401, "The token is missing", "Give the token of --token-file as the password, with any user name." };
    return (struct refusal){ .status = 0 };
}

enum MHD_Result hd_reply(void *ctx, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
                         const char *data, size_t *size, void **state)
{
    static char seen;
    struct hd_replies *r = ctx;

    (void)version;
    (void)data;
    if (*state == NULL) { /* only the headers have arrived: refuse now, before the client sends the rest */
        struct refusal no = refuse(r, connection, method);

        *state = &seen;
        return no.status == 0 ? MHD_YES : send_error(r, connection, path, no.status, no.title, no.sentence);
    }
    *size = 0;
    return send_answer(r, connection, hd_cache_answer(r->cache, &r->site, path));
}

size_t hd_reply_keep_escapes(void *ctx, struct MHD_Connection *connection, char *text)
{
    (void)ctx;
    (void)connection;
    return strlen(text);
}
