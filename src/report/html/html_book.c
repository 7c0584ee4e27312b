/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html_book.c - numbers texts, places and sources.  A long execution repeats the same ones very
 * often, and the page contains each of them once. */
#include "report/html/html_book.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/hash.h"
#include "report/print/json.h"

enum { SOURCE_MAX = 1 << 20 }; /* maximum size of a source file that is shown, in bytes */

static void *grown(void *array, size_t n, size_t each)
{
    /* doubled at powers of two, so that the array is rarely copied */
    if ((n & (n - 1)) == 0)
        array = realloc(array, (n > 0 ? 2 * n : 1) * each);
    HD_INVARIANT(array != NULL, "out of memory");
    return array;
}

/* ---- hash tables --------------------------------------------------------------------- */

static size_t slot_of(const struct hd_html_map *m, uint64_t key)
{
    size_t i = hd_hash_mix(0, key) & (m->capacity - 1);

    while (m->key[i] != 0 && m->key[i] != key)
        i = (i + 1) & (m->capacity - 1);
    return i;
}

static void map_grow(struct hd_html_map *m)
{
    struct hd_html_map old = *m;

    m->capacity = old.capacity > 0 ? 2 * old.capacity : 64;
    m->key = calloc(m->capacity, sizeof *m->key);
    m->value = calloc(m->capacity, sizeof *m->value);
    HD_INVARIANT(m->key != NULL && m->value != NULL, "out of memory");
    for (size_t i = 0; i < old.capacity; i++)
        if (old.key[i] != 0) {
            size_t at = slot_of(m, old.key[i]);

            m->key[at] = old.key[i];
            m->value[at] = old.value[i];
        }
    hd_html_map_free(&old);
}

uint32_t *hd_html_number(struct hd_html_map *m, uint64_t key, bool *new)
{
    if (2 * m->used >= m->capacity)
        map_grow(m);
    size_t i = slot_of(m, key);

    *new = m->key[i] == 0;
    m->used += *new;
    m->key[i] = key;
    return &m->value[i];
}

void hd_html_map_free(struct hd_html_map *m)
{
    free(m->key);
    free(m->value);
}

/* ---- texts --------------------------------------------------------------------------- */

uint32_t hd_html_string(struct hd_html *h, const char *text)
{
    uint64_t key = 1;

    for (const char *p = text; *p != '\0'; p++)
        key = hd_hash_mix(key, (unsigned char)*p);
    for (;; key++) {
        bool new;
        uint32_t *number = hd_html_number(&h->strings, key | 1, &new);

        if (new) {
            h->string = grown(h->string, h->nstrings, sizeof *h->string);
            h->string[h->nstrings] = strdup(text);
            HD_INVARIANT(h->string[h->nstrings] != NULL, "out of memory");
            *number = h->nstrings++;
        }
        if (new || strcmp(h->string[*number], text) == 0)
            return *number;
    }
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
    h->source = grown(h->source, h->nsources, sizeof *h->source);
    struct hd_html_source *s = &h->source[h->nsources];

    *s = (struct hd_html_source){ .path = strdup(f->file) };
    HD_INVARIANT(s->path != NULL, "out of memory");
    if (stat(f->file, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SOURCE_MAX) {
        s->text = read_text(f->file, (size_t)st.st_size);
        s->newer = h->built != 0 && st.st_mtime > h->built;
    }
    return (int)h->nsources++;
}

/* ---- places -------------------------------------------------------------------------- */

static uint32_t new_place(struct hd_html *h, struct hd_html_site site)
{
    h->site = grown(h->site, h->nsites, sizeof *h->site);
    h->site[h->nsites] = site;
    return h->nsites++;
}

uint32_t hd_html_place(struct hd_html *h, struct hd_symbols *symbols, uint64_t pc)
{
    struct hd_frame f[HD_MAX_FRAMES];
    bool new;

    if (h->nsites == 0)
        new_place(h, (struct hd_html_site){ -1, 0, hd_html_string(h, ""), hd_html_string(h, "") });
    if (pc == 0)
        return 0;
    uint32_t *number = hd_html_number(&h->places, pc, &new);

    if (new) {
        const struct hd_frame *own =
            hd_symbols_own_frame(f, hd_symbols_frames(symbols, pc, true, f, HD_MAX_FRAMES));

        *number = new_place(h, (struct hd_html_site){
            hd_html_source(h, own), own->line, hd_html_string(h, own->function),
            hd_html_string(h, hd_symbols_site(symbols, pc)) });
    }
    return *number;
}

/* ---- output as JSON ------------------------------------------------------------------ */

static void sources_json(FILE *out, const struct hd_html *h)
{
    fputs(",\n\"files\": [", out);
    for (uint32_t i = 0; i < h->nsources; i++) {
        const struct hd_html_source *s = &h->source[i];

        fprintf(out, "%s\n{\"path\": ", i > 0 ? "," : "");
        hd_json_string(out, s->path);
        fprintf(out, ", \"newer\": %s, \"text\": ", s->newer ? "true" : "false");
        if (s->text != NULL)
            hd_json_string(out, s->text);
        else
            fputs("null", out);
        fputc('}', out);
    }
    fputc(']', out);
}

void hd_html_book_json(FILE *out, const struct hd_html *h)
{
    fputs(",\n\"strings\": [", out);
    for (uint32_t i = 0; i < h->nstrings; i++) {
        fputs(i > 0 ? "," : "", out);
        hd_json_string(out, h->string[i]);
    }
    fputs("],\n\"sites\": [", out);
    for (uint32_t i = 0; i < h->nsites; i++)
        fprintf(out, "%s[%d,%d,%u,%u]", i > 0 ? "," : "", h->site[i].file, h->site[i].line,
                h->site[i].function, h->site[i].text);
    fputc(']', out);
    sources_json(out, h);
}
