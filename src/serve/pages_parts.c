/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages_parts.c - see pages_parts.h. */
#include "serve/pages_parts.h"

#include <math.h>
#include <string.h>

#include "serve/text.h"

void hd_page_open(FILE *out, const struct hd_frame *f, enum hd_pace pace, void (*head)(FILE *out, const void *ctx), const void *ctx)
{
    static const char *const seconds[] = { [HD_PACE_FAST] = "2", [HD_PACE_SLOW] = "10", [HD_PACE_STILL] = "" };

    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>", out);
    hd_put_text(out, f->title != NULL ? f->title : "Campaigns");
    fprintf(out, " - Heddle</title>\n<link rel=\"stylesheet\" href=\"%sstyle.css\">\n<link rel=\"icon\" href=\"%sicon.svg\">\n"
                 "<script src=\"%sscript.js\" defer></script>\n", f->root, f->root, f->root);
    if (pace != HD_PACE_STILL)
        fprintf(out, "<noscript><meta http-equiv=\"refresh\" content=\"10\"></noscript>\n");
    fprintf(out, "</head>\n<body data-every=\"%s\">\n<a class=\"skip\" href=\"#main\">To the content</a>\n"
                 "<p id=\"trouble\" class=\"trouble\" role=\"status\" hidden></p>\n<div id=\"live\">\n<header class=\"top\">\n"
                 "<div class=\"brand\" aria-hidden=\"true\"><i></i><i></i><i></i><i></i></div>\n<div class=\"head\">\n", seconds[pace]);
    head(out, ctx);
    fputs("</div>\n<div class=\"chrome\"><button id=\"theme\" type=\"button\" title=\"Dark or light page\" hidden>Dark</button></div>\n"
          "</header>\n<main id=\"main\">\n", out);
}

void hd_page_close(FILE *out)
{
    fputs("</main>\n</div>\n</body>\n</html>\n", out);
}

const char *hd_part_verdict_mark(const char *verdict)
{
    return verdict == NULL ? "" : strcmp(verdict, "clean") == 0 ? "good" : strcmp(verdict, "bug") == 0 ? "bad" : "warn";
}

const char *hd_part_verdict_word(const char *verdict)
{
    static const char *const words[][2] = {
        { "clean", "CLEAN" }, { "bug", "FAILED" }, { "budget", "INCOMPLETE" }, { "diverged", "DIVERGED" }, { "error", "ERROR" },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(verdict, words[i][0]) == 0)
            return words[i][1];
    return verdict;
}

void hd_part_badge(FILE *out, const char *mark, const char *text)
{
    fprintf(out, "<span class=\"badge %s\">", mark);
    hd_put_text(out, text);
    fputs("</span>", out);
}

void hd_part_bar(FILE *out, double part, const char *label)
{
    double percent = isfinite(part) ? 100 * fmin(fmax(part, 0), 1) : 0;

    fprintf(out, "<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s: %.0f%%\">"
                 "<rect class=\"track\" width=\"100\" height=\"6\"/><rect class=\"fill\" width=\"%.2f\" height=\"6\"/></svg>",
            label, floor(percent), percent);
}

/* Browsers interpret "." and ".." as path steps, not as names. */
void hd_part_link(FILE *out, const char *root, const struct hd_view_campaign *c)
{
    bool odd = c->name[0] == '\0' || strcmp(c->name, ".") == 0 || strcmp(c->name, "..") == 0 || strlen(c->name) > 500;

    if (odd) {
        fprintf(out, "%sid/%lld/", root, (long long)c->id);
        return;
    }
    fprintf(out, "%scampaign/", root);
    hd_put_address(out, c->name);
    fputc('/', out);
}

void hd_part_search(FILE *out, const char *spec)
{
    char verb[64], strategy[200];

    if (hd_spec_value(spec, "verb", verb, sizeof verb))
        hd_put_text(out, verb);
    if (hd_spec_value(spec, "--strategy", strategy, sizeof strategy)) {
        fputs(", strategy ", out);
        hd_put_text(out, strategy);
    }
}

void hd_part_progress(FILE *out, const struct hd_view_campaign *c, const struct hd_state *s, bool alone)
{
    const char *dot = "";

    if (s->done >= 0)
        hd_part_bar(out, s->done, "progress");
    else if (s->budget >= 0 && alone)
        hd_part_bar(out, s->budget, "time used");
    fputs("<span class=\"below\">", out);
    if (s->done >= 0 && s->done < 1) {
        fprintf(out, "%.0f%% of ", floor(100 * s->done));
        hd_put_count(out, c->limit);
        dot = ", ";
    } else if (s->done < 0 && c->kind != HD_CLUSTER_INDEX) {
        hd_put_count(out, c->unfinished);
        fprintf(out, " row%s of work left", c->unfinished == 1 ? "" : "s");
        dot = ", ";
    } else if (s->done >= 1) {
        fputs(c->kind == HD_CLUSTER_INDEX ? "all executions are done" : "nothing is left", out);
        dot = ", ";
    }
    if (s->left >= 0) {
        fputs(dot, out);
        fputs(s->done < 0 ? "at most " : "about ", out);
        hd_put_duration(out, s->left);
        fputs(" left", out);
    } else if (s->open && s->budget < 0 && s->done < 0) {
        fprintf(out, "%sno limit", dot);
    }
    fputs("</span>", out);
}
