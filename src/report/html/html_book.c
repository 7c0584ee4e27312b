/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_book.c - numbers texts, places and sources.  A long execution repeats the same ones very
 * often, and the page contains each of them once. */
#include "report/html/html_book.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/vec.h"
#include "report/names/shorten.h"

enum { SOURCE_MAX = 1 << 20 }; /* maximum size of a source file that is shown, in bytes */

uint32_t hd_html_string(struct hd_html *h, const char *text)
{
    return hd_texts_add(&h->strings, text);
}

/* ---- sources ------------------------------------------------------------------------- */

/* Reads a source file.  Returns NULL on failure.  Replaces NUL bytes, which would end the string,
 * by an invalid UTF-8 byte, so that the page shows them as invalid. */
static char *read_text(const char *path, size_t size)
{
    FILE *in = fopen(path, "re");
    char *text = in != NULL ? malloc(size + 1) : NULL;

    if (text != NULL) {
        size_t n = fread(text, 1, size, in);

        text[n] = '\0';
        for (char *nul = text; (nul = memchr(nul, '\0', n - (size_t)(nul - text))) != NULL;)
            *nul = '\xff';
    }
    if (in != NULL)
        fclose(in);
    return text;
}

int hd_html_source(struct hd_html *h, const struct hd_frame *f)
{
    struct stat st;

    if (f->line <= 0 || f->file[0] == '\0' || hd_is_system_file(f->file))
        return -1;
    for (uint32_t i = 0; i < h->nsources; i++)
        if (strcmp(h->source[i].path, f->file) == 0)
            return (int)i;
    struct hd_html_source *s = HD_PUSH(h->source, h->nsources);

    *s = (struct hd_html_source){ .path = hd_copied(f->file) };
    if (stat(f->file, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SOURCE_MAX) {
        s->text = read_text(f->file, (size_t)st.st_size);
        s->newer = h->built != 0 && st.st_mtime > h->built;
    }
    return (int)h->nsources - 1;
}

/* ---- places -------------------------------------------------------------------------- */

static uint32_t new_place(struct hd_html *h, struct hd_html_site site)
{
    *HD_PUSH(h->site, h->nsites) = site;
    return h->nsites - 1;
}

uint32_t hd_html_place(struct hd_html *h, struct hd_symbols *symbols, uint64_t pc)
{
    struct hd_frame f[HD_MAX_FRAMES];
    char name[500];
    bool new;

    if (h->nsites == 0)
        new_place(h, (struct hd_html_site){ -1, 0, hd_html_string(h, ""), hd_html_string(h, "") });
    if (pc == 0)
        return 0;
    uint32_t *number = hd_map_add(&h->places, pc, &new);

    if (new) {
        const struct hd_frame *own =
            hd_symbols_own_frame(f, hd_symbols_frames(symbols, pc, true, f, HD_MAX_FRAMES));

        hd_name_shorten(own->function, name, sizeof name);
        *number = new_place(h, (struct hd_html_site){
            hd_html_source(h, own), own->line, hd_html_string(h, name),
            hd_html_string(h, hd_symbols_site(symbols, pc)) });
    }
    return *number;
}

uint32_t hd_html_named_place(struct hd_html *h, const char *text)
{
    uint32_t name = hd_html_string(h, text);

    for (uint32_t i = 0; i < h->nsites; i++)
        if (h->site[i].file < 0 && h->site[i].text == name)
            return i;
    if (h->nsites == 0)
        hd_html_place(h, NULL, 0); /* number 0 */
    return new_place(h, (struct hd_html_site){ -1, 0, hd_html_string(h, ""), name });
}

/* ---- output as JSON ------------------------------------------------------------------ */

static void sources_json(struct hd_json *j, const struct hd_html *h)
{
    hd_json_put_array(hd_json_line(j), "files");
    for (uint32_t i = 0; i < h->nsources; i++) {
        const struct hd_html_source *s = &h->source[i];

        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "path", s->path);
        hd_json_put_bool(j, "newer", s->newer);
        hd_json_key(j, "text");
        if (s->text != NULL)
            hd_json_string(j, s->text);
        else
            hd_json_null(j);
        hd_json_end(j);
    }
    hd_json_end(j);
}

void hd_html_book_json(struct hd_json *j, const struct hd_html *h)
{
    j->tight = true; /* these lists are long */
    hd_json_put_array(hd_json_line(j), "strings");
    for (uint32_t i = 0; i < h->strings.n; i++)
        hd_json_string(j, h->strings.text[i]);
    hd_json_end(j);
    hd_json_put_array(hd_json_line(j), "sites");
    for (uint32_t i = 0; i < h->nsites; i++) {
        hd_json_array(j);
        hd_json_int(j, h->site[i].file);
        hd_json_int(j, h->site[i].line);
        hd_json_uint(j, h->site[i].function);
        hd_json_uint(j, h->site[i].text);
        hd_json_end(j);
    }
    hd_json_end(j);
    j->tight = false;
    sources_json(j, h);
}
