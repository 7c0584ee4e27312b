/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guard.c - see guard.h. */
#include "serve/guard.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/sha256.h"

/* ---- the address of a request (G1) ----------------------------------------------------------- */

/* Copies the host without its port.  Returns false if the header is not well-formed. */
static bool split(const char *header, char *host, size_t cap)
{
    size_t n = header[0] == '[' ? strcspn(header, "]") + 1 : strcspn(header, ":");

    if (n == 0 || n >= cap || n > strlen(header))
        return false;
    memcpy(host, header, n);
    host[n] = '\0';
    const char *port = header + n;

    return port[0] == '\0' || (port[0] == ':' && strspn(port + 1, "0123456789") == strlen(port + 1));
}

static bool is_digits(char *host)
{
    struct in6_addr unused;
    size_t n = strlen(host);

    if (host[0] != '[')
        return inet_pton(AF_INET, host, &unused) == 1;
    host[n - 1] = '\0';
    return inet_pton(AF_INET6, host + 1, &unused) == 1;
}

bool hd_guard_host(const struct hd_guard *g, const char *header)
{
    char host[256];

    if (header == NULL || !split(header, host, sizeof host))
        return false;
    return g->asks || strcasecmp(host, "localhost") == 0 || (g->proxy != NULL && strcasecmp(host, g->proxy) == 0) ||
           is_digits(host);
}

/* ---- the token (G2, G3) ------------------------------------------------------------------ */

static int value_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes Base64.  Returns false if the text is not Base64 or is too long. */
static bool decode(const char *from, char *to, size_t cap)
{
    unsigned bits = 0, nbits = 0;
    size_t k = 0;

    for (; value_of(*from) >= 0; from++) {
        bits = bits << 6 | (unsigned)value_of(*from);
        nbits += 6;
        if (nbits < 8)
            continue;
        nbits -= 8;
        if (k + 1 >= cap)
            return false;
        to[k++] = (char)(bits >> nbits & 0xff);
    }
    to[k] = '\0';
    return from[strspn(from, "=")] == '\0';
}

/* G3. */
static bool is_token(const struct hd_guard *g, const char *token)
{
    char hash[65];
    unsigned differs = 0;

    hd_sha256(token, strlen(token), hash);
    for (size_t i = 0; i < sizeof hash - 1; i++)
        differs |= (unsigned)(hash[i] ^ g->token[i]);
    return differs == 0;
}

bool hd_guard_token(const struct hd_guard *g, const char *header)
{
    char user[HD_TOKEN_MAX + 256];

    if (!g->asks)
        return true;
    if (header == NULL)
        return false;
    if (strncasecmp(header, "Bearer ", 7) == 0)
        return is_token(g, header + 7 + strspn(header + 7, " "));
    if (strncasecmp(header, "Basic ", 6) != 0 || !decode(header + 6 + strspn(header + 6, " "), user, sizeof user))
        return false;
    const char *colon = strchr(user, ':');

    return colon != NULL && is_token(g, colon + 1);
}

/* ---- the file of the token ---------------------------------------------------------------------- */

/* True if the token consists of characters that can be in a header. */
static bool is_fit(const char *token)
{
    for (const char *c = token; *c != '\0'; c++)
        if (*c <= ' ' || *c > '~')
            return false;
    return strlen(token) >= HD_TOKEN_MIN;
}

bool hd_guard_read_token(struct hd_guard *g, const char *path, char *error, size_t cap)
{
    char token[HD_TOKEN_MAX + 2] = "";
    FILE *f = fopen(path, "re");

    if (f == NULL) {
        snprintf(error, cap, "cannot read the token in %s: %s", path, strerror(errno));
        return false;
    }
    size_t n = fread(token, 1, sizeof token - 1, f);

    fclose(f);
    while (n > 0 && strchr(" \t\r\n", token[n - 1]) != NULL)
        token[--n] = '\0';
    g->asks = n <= HD_TOKEN_MAX && strlen(token) == n && is_fit(token);
    if (g->asks)
        hd_sha256(token, n, g->token);
    else
        snprintf(error, cap, "%s has no token; a token is one line of %d to %d letters, digits or signs, as 'openssl rand -hex 16' "
                             "prints it", path, HD_TOKEN_MIN, HD_TOKEN_MAX);
    explicit_bzero(token, sizeof token);
    return g->asks;
}
