/* SPDX-License-Identifier: BSD-2-Clause
 *
 * answer.c - see answer.h. */
#include "serve/answer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/html/html_page.h"
#include "serve/assets.h"
#include "serve/pages.h"
#include "serve/text.h"

enum { DEPTH = 6, PART = 4096 };

/* The path of a URL, divided at its slashes. */
struct route {
    char part[DEPTH][PART];
    size_t n;    /* number of parts that are not empty */
    bool folder; /* the path ends with a slash */
    bool api;
    char root[3 * DEPTH + 8]; /* relative path from this page to "/" */
};

/* Divides the path.  Returns false if no page can have this path. */
static bool read_path(const char *path, struct route *r)
{
    r->n = 0;
    r->folder = true;
    r->root[0] = '\0';
    if (path[0] != '/')
        return false;
    for (const char *at = path + 1; *at != '\0'; r->n++) {
        size_t n = strcspn(at, "/");

        if (n == 0 || r->n == DEPTH || !hd_decode_address(at, n, r->part[r->n], sizeof r->part[0]))
            return false;
        at += n;
        r->folder = *at == '/';
        if (r->folder) {
            at++;
            strcat(r->root, "../");
        }
    }
    r->api = r->n > 0 && strcmp(r->part[0], "api") == 0;
    return true;
}

/* ---- answers ------------------------------------------------------------------------------------- */

static FILE *begin(struct hd_answer *a, unsigned status, const char *type)
{
    *a = (struct hd_answer){ .status = status, .type = type };
    return hd_memory_stream(&a->body, &a->size);
}

void hd_answer_free(struct hd_answer *a)
{
    free(a->body);
    free(a->file);
    free(a->location);
    *a = (struct hd_answer){ .status = 0 };
}

void hd_answer_error(const struct hd_site *site, const char *path, unsigned status, const char *title, const char *sentence,
                     struct hd_answer *out)
{
    static struct route r;
    bool api = strncmp(path, "/api/", 5) == 0;
    FILE *f = begin(out, status, api ? "application/json" : "text/html; charset=utf-8");

    if (api) {
        hd_data_error(f, sentence);
    } else {
        if (!read_path(path, &r))
            strcpy(r.root, "/");
        hd_page_error(f, &(struct hd_frame){ .root = r.root, .title = title, .store = site->store }, sentence);
    }
    fclose(f);
}

static void give_asset(const struct hd_asset *asset, struct hd_answer *out)
{
    FILE *f = begin(out, 200, asset->type);

    fwrite(asset->begin, 1, (size_t)(asset->end - asset->begin), f);
    fclose(f);
    out->policy = HD_POLICY_NONE;
}

/* Redirects a request for a page without the slash at its end, since the relative links of pages depend on that
 * slash. */
static void move(const struct route *r, struct hd_answer *out)
{
    size_t size;
    FILE *address;

    fclose(begin(out, 301, "text/plain; charset=utf-8"));
    address = hd_memory_stream(&out->location, &size);
    hd_put_address(address, r->part[r->n - 1]);
    fputc('/', address);
    fclose(address);
}

/* ---- campaigns ------------------------------------------------------------------------------------- */

enum outcome { GIVEN, NOT_THERE, FAILED };

static enum outcome give_list(struct hd_site *site, const struct route *r, struct hd_answer *out)
{
    struct hd_view_campaigns all;

    if (!hd_view_campaigns(site->view, &all))
        return FAILED;
    FILE *f = begin(out, 200, r->api ? "application/json" : "text/html; charset=utf-8");

    if (r->api)
        hd_data_campaigns(f, &all);
    else
        hd_page_campaigns(f, &(struct hd_frame){ .root = r->root, .store = site->store }, &all);
    fclose(f);
    hd_view_campaigns_free(&all);
    return GIVEN;
}

static enum outcome give_campaign(struct hd_site *site, const struct route *r, const struct hd_view_campaign *c,
                                  struct hd_answer *out)
{
    struct hd_view_workers workers = { .n = 0 };
    struct hd_view_findings findings = { .n = 0 };
    struct hd_view_rate rate;
    bool ok = hd_view_workers(site->view, c->id, &workers) && hd_view_findings(site->view, c->id, &findings) &&
              hd_view_rate(site->view, c, &rate);
    const struct hd_whole whole = { c, &workers, &findings, &rate };

    if (ok) {
        FILE *f = begin(out, 200, r->api ? "application/json" : "text/html; charset=utf-8");

        if (r->api)
            hd_data_campaign(f, &whole);
        else
            hd_page_campaign(f, &(struct hd_frame){ .root = r->root, .title = c->name, .store = site->store }, &whole);
        fclose(f);
    }
    hd_view_workers_free(&workers);
    hd_view_findings_free(&findings);
    return ok ? GIVEN : FAILED;
}

/* ---- findings ---------------------------------------------------------------------------------------- */

/* Returns the file name by which the commands in the report refer to the schedule (campaign/spread/pages.h).  Its
 * characters are harmless in a header and a shell. */
static char *schedule_name(const char *signature)
{
    char *name = hd_formatted("%.12s.heddle", signature);

    for (char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '_';
    return name;
}

static enum outcome give_schedule(struct hd_site *site, int64_t campaign, const char *signature, struct hd_answer *out)
{
    struct hd_bytes bytes;

    if (!hd_view_schedule(site->view, campaign, signature, &bytes))
        return FAILED;
    if (bytes.data == NULL)
        return NOT_THERE;
    *out = (struct hd_answer){ .status = 200, .type = "application/octet-stream", .body = bytes.data, .size = bytes.size,
                               .policy = HD_POLICY_NONE, .file = schedule_name(signature) };
    return GIVEN;
}

static enum outcome give_report(struct hd_site *site, int64_t campaign, const char *signature, struct hd_answer *out)
{
    struct hd_bytes bytes;

    if (!hd_view_report(site->view, campaign, signature, &bytes))
        return FAILED;
    if (bytes.data == NULL || memchr(bytes.data, '\0', bytes.size) == NULL) {
        free(bytes.data);
        return NOT_THERE;
    }
    FILE *f = begin(out, 200, "text/html; charset=utf-8");

    hd_html_page_write(f, bytes.data, bytes.size, "<a class=\"link\" href=\"../../\">Campaign</a>");
    fclose(f);
    out->policy = HD_POLICY_REPORT;
    free(bytes.data);
    return GIVEN;
}

static enum outcome give_finding(struct hd_site *site, const struct route *r, const struct hd_view_campaign *c,
                                 struct hd_answer *out)
{
    struct hd_view_finding finding;
    bool found;

    if (!hd_view_finding(site->view, c->id, r->part[3], &finding, &found))
        return FAILED;
    if (!found)
        return NOT_THERE;
    char *name = schedule_name(finding.signature);
    FILE *f = begin(out, 200, "text/html; charset=utf-8");

    hd_page_finding(f, &(struct hd_frame){ .root = r->root, .title = finding.message, .store = site->store }, c, &finding, name);
    fclose(f);
    free(name);
    hd_view_finding_free(&finding);
    return GIVEN;
}

/* Answers paths below "finding/SIGNATURE". */
static enum outcome give_below(struct hd_site *site, const struct route *r, const struct hd_view_campaign *c,
                               struct hd_answer *out)
{
    bool page = r->n == 4, leaf = r->n == 5 && !r->folder;

    if (strcmp(r->part[2], "finding") != 0)
        return NOT_THERE;
    if (page && !r->folder)
        return move(r, out), GIVEN;
    if (page)
        return give_finding(site, r, c, out);
    if (leaf && strcmp(r->part[4], "report") == 0)
        return give_report(site, c->id, r->part[3], out);
    if (leaf && strcmp(r->part[4], "schedule") == 0)
        return give_schedule(site, c->id, r->part[3], out);
    return NOT_THERE;
}

/* Answers paths of one campaign.  Parts 0 and 1 give its name or number. */
static enum outcome give_named(struct hd_site *site, struct route *r, struct hd_answer *out)
{
    bool by_name = strcmp(r->part[0], "campaign") == 0, found = false;
    struct hd_view_campaign c;
    enum outcome outcome = NOT_THERE;

    if (!by_name && strcmp(r->part[0], "id") != 0)
        return NOT_THERE;
    if (!by_name && (strlen(r->part[1]) > 18 || strspn(r->part[1], "0123456789") != strlen(r->part[1])))
        return NOT_THERE;
    if (!hd_view_campaign(site->view, by_name ? r->part[1] : NULL, by_name ? 0 : strtoll(r->part[1], NULL, 10), &c, &found))
        return FAILED;
    if (found && r->n == 2 && !r->folder && !r->api)
        move(r, out), outcome = GIVEN;
    else if (found && r->n == 2)
        outcome = give_campaign(site, r, &c, out);
    else if (found && r->n > 3 && !r->api)
        outcome = give_below(site, r, &c, out);
    hd_view_campaign_free(&c);
    return outcome;
}

/* ---- choosing the answer by the path ------------------------------------------------------------------- */

static enum outcome look(struct hd_site *site, struct route *r, struct hd_answer *out)
{
    if (r->api && r->n == 2 && strcmp(r->part[1], "campaigns") == 0)
        return give_list(site, r, out);
    if (r->n == 0)
        return give_list(site, r, out);
    if (r->api) {
        r->n--;
        memmove(r->part[0], r->part[1], r->n * sizeof r->part[0]);
    }
    return r->n >= 2 ? give_named(site, r, out) : NOT_THERE;
}

static void give_failure(const struct hd_site *site, const char *path, struct hd_answer *out)
{
    hd_answer_error(site, path, 503, "The database does not answer", hd_view_error(site->view), out);
}

void hd_answer(struct hd_site *site, const char *path, struct hd_answer *out)
{
    static struct route r;
    const struct hd_asset *asset = hd_asset_find(path);
    enum outcome outcome = NOT_THERE;

    if (asset != NULL) {
        give_asset(asset, out);
        return;
    }
    if (read_path(path, &r)) {
        bool begun = hd_view_begin(site->view);

        outcome = begun ? look(site, &r, out) : FAILED;
        if (begun) /* end the transaction also after a failure, so that the next request can begin one */
            hd_view_end(site->view);
    }
    if (outcome == FAILED)
        give_failure(site, path, out);
    else if (outcome == NOT_THERE)
        hd_answer_error(site, path, 404, "There is nothing here", "The store has nothing at this address: a campaign may have been "
                                                                  "deleted, or the address is not complete.", out);
}
