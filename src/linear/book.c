/* SPDX-License-Identifier: BSD-2-Clause
 *
 * book.c - writes and reads records as text, and adds outcomes to the book.  The text of a book may come from a
 * file, so nothing in it is trusted. */
#include "linear/book.h"

#include "base/hash.h"

const char hd_lin_rule_signs[HD_LIN_RULES + 1] = "=<>-";
static const char kind_signs[HD_LIN_KINDS + 1] = "smqdx";
static const char end_signs[] = "nre";

/* ---- writing -------------------------------------------------------------------------------- */

struct writer {
    char *at, *end;
    bool full;
};

static void put(struct writer *w, char c)
{
    if (w->at < w->end)
        *w->at++ = c;
    else
        w->full = true;
}

static void put_text(struct writer *w, const char *text)
{
    while (*text != '\0')
        put(w, *text++);
}

static void put_number(struct writer *w, uint32_t n)
{
    if (n >= 10)
        put_number(w, n / 10);
    put(w, (char)('0' + n % 10));
}

static void put_op(struct writer *w, const struct hd_lin_record *r, const struct hd_lin_op *op, bool timed)
{
    put(w, end_signs[op->end]);
    put(w, op->client == HD_LIN_PROBE ? 'p' : (char)('0' + op->client));
    put(w, ' ');
    put_text(w, hd_lin_text(r, op->call));
    put(w, '\t');
    put_text(w, op->end != HD_LIN_LOST ? hd_lin_text(r, op->result) : "");
    put(w, '\n');
    if (!timed)
        return;
    put(w, 'b');
    for (uint32_t i = 0; i < r->nclients; i++)
        put(w, (char)('0' + op->before[i]));
    put(w, '\n');
    for (uint32_t i = 0; i < r->naccepted; i++)
        if (&r->op[r->accepted[i].op] == op) {
            put_text(w, "a ");
            put_text(w, hd_lin_text(r, r->accepted[i].text));
            put(w, '\n');
        }
}

/* Without the order in real time, the operations are written client by client, so that equal outcomes give
 * equal texts. */
static void put_ops(struct writer *w, const struct hd_lin_record *r, bool timed)
{
    for (unsigned c = 0; c <= HD_LIN_PROBE; c++)
        for (uint32_t i = 0; i < r->nops; i++)
            if (timed ? c == 0 : r->op[i].client == c)
                put_op(w, r, &r->op[i], timed);
}

static void put_components(struct writer *w, const struct hd_lin_record *r)
{
    for (uint32_t c = 0; c < r->ncomponents; c++) {
        put(w, 'K');
        put(w, kind_signs[r->component[c].kind]);
        put(w, hd_lin_rule_signs[r->component[c].rule]);
        put(w, ' ');
        put_text(w, hd_lin_text(r, r->component[c].name));
        put(w, '\n');
        for (uint32_t i = 0; i < r->nelements; i++)
            if (r->element[i].component == c) {
                put_text(w, "E ");
                put_text(w, hd_lin_text(r, r->element[i].text));
                put(w, '\n');
            }
    }
}

static void put_record(struct writer *w, const struct hd_lin_record *r, bool timed)
{
    for (uint32_t i = 0; i < r->nclients; i++) {
        put_text(w, "C ");
        put_text(w, hd_lin_text(r, r->name[i]));
        put(w, '\n');
    }
    put_ops(w, r, timed);
    put_components(w, r);
}

size_t hd_lin_write(const struct hd_lin_record *r, bool timed, char *out, size_t cap)
{
    struct writer w = { out, out + cap, false };

    put_record(&w, r, timed);
    return w.full ? 0 : (size_t)(w.at - out);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reader {
    const char *at, *end; /* the current line: [at, end), without its newline */
    char text[1024];      /* a part of it as a string */
};

/* Copies the line up to this character, or to its end, into p->text.  Returns false if that is too long. */
static bool part(struct reader *p, char until)
{
    size_t n = 0;

    while (p->at < p->end && *p->at != until) {
        if (n + 1 == sizeof p->text)
            return false;
        p->text[n++] = *p->at++;
    }
    p->text[n] = '\0';
    if (p->at < p->end)
        p->at++;
    return true;
}

static int sign_of(const char *signs, char c)
{
    for (int i = 0; signs[i] != '\0'; i++)
        if (signs[i] == c)
            return i;
    return -1;
}

enum hd_lin_rule hd_lin_rule_of(char sign)
{
    int rule = sign_of(hd_lin_rule_signs, sign);

    return rule < 0 ? HD_LIN_RULES : (enum hd_lin_rule)rule;
}

static bool read_op(struct reader *p, struct hd_lin_record *r)
{
    int end = sign_of(end_signs, p->at[0]);
    unsigned client = p->at[1] == 'p' ? HD_LIN_PROBE : (unsigned)(p->at[1] - '0');

    if (p->end - p->at < 3 || (client != HD_LIN_PROBE && client >= r->nclients))
        return false;
    p->at += 3;
    if (!part(p, '\t'))
        return false;
    hd_lin_call(r, client, p->text);
    if (!part(p, '\t'))
        return false;
    if (end != HD_LIN_LOST)
        hd_lin_return(r, client, p->text, (enum hd_lin_end)end);
    return r->trouble == 0;
}

static bool read_before(struct reader *p, struct hd_lin_record *r)
{
    if (r->nops == 0 || p->end - p->at != 1 + (ptrdiff_t)r->nclients)
        return false;
    for (uint32_t i = 0; i < r->nclients; i++) {
        if (p->at[1 + i] < '0' || p->at[1 + i] > '0' + HD_LIN_OPS)
            return false;
        r->op[r->nops - 1].before[i] = (uint8_t)(p->at[1 + i] - '0');
    }
    return true;
}

static bool read_component(struct reader *p, struct hd_lin_record *r)
{
    if (p->end - p->at < 4)
        return false;
    int kind = sign_of(kind_signs, p->at[1]);
    enum hd_lin_rule rule = hd_lin_rule_of(p->at[2]);

    p->at += 4;
    if (kind < 0 || rule == HD_LIN_RULES || !part(p, '\n'))
        return false;
    hd_lin_begin_component(r, p->text, (enum hd_lin_kind)kind);
    hd_lin_compare(r, rule);
    return r->trouble == 0;
}

static bool read_text(struct reader *p, struct hd_lin_record *r, char kind)
{
    if (p->end - p->at < 2 || (kind == 'a' && r->nops == 0))
        return false;
    p->at += 2;
    if (!part(p, '\n'))
        return false;
    if (kind == 'a')
        hd_lin_accept(r, r->nops - 1, p->text);
    else if (kind == 'C')
        hd_lin_client(r, p->text, sizeof p->text);
    else
        hd_lin_add(r, p->text);
    return r->trouble == 0;
}

static bool read_line(struct reader *p, struct hd_lin_record *r)
{
    char first = *p->at;

    if (first == 'C' || first == 'E' || first == 'a')
        return read_text(p, r, first);
    if (first == 'K')
        return read_component(p, r);
    return first == 'b' ? read_before(p, r) : read_op(p, r);
}

const char *hd_lin_read(const char *text, const char *end, struct hd_lin_record *r)
{
    hd_lin_clear(r);
    while (text < end && sign_of("CrenbaKE", *text) >= 0) {
        struct reader p = { .at = text, .end = text };

        while (p.end < end && *p.end != '\n')
            p.end++;
        if (p.end == end || p.end - p.at < 2)
            return NULL;
        text = p.end + 1;
        if (!read_line(&p, r))
            return NULL;
    }
    return text;
}

/* ---- the book ------------------------------------------------------------------------------- */

/* Returns the index of the outcome, or noutcomes if it is new. */
static uint32_t find(const struct hd_lin_book *b, uint64_t hash)
{
    uint32_t i = 0;

    while (i < b->noutcomes && b->outcome[i] != hash)
        i++;
    return i;
}

static void put_order(struct writer *w, const struct hd_lin_record *r)
{
    for (uint32_t i = 0; i < r->nops; i++)
        if (r->op[i].client != HD_LIN_PROBE)
            put(w, (char)('0' + r->op[i].client));
    put(w, '\n');
}

/* Marks the order as seen, together with its outcome (0: without one).  Returns false if it was marked before. */
static bool is_new(struct hd_lin_book *b, const struct hd_lin_record *r, uint64_t outcome)
{
    uint64_t h = outcome;

    for (uint32_t i = 0; i < r->nops; i++)
        h = hd_hash_mix(h, r->op[i].client);
    h += h == 0;
    uint32_t at = (uint32_t)h % HD_LIN_SEEN;

    while (b->seen[at] != 0 && b->seen[at] != h)
        at = (at + 1) % HD_LIN_SEEN;
    if (b->seen[at] == h)
        return false;
    b->seen[at] = h;
    return true;
}

void hd_lin_book_add(struct hd_lin_book *b, const struct hd_lin_record *r)
{
    struct writer w = { b->text + b->used, b->text + sizeof b->text - 1, false };
    uint64_t hash = hd_lin_hash(r);
    uint32_t outcome = find(b, hash);

    if (b->norders == HD_LIN_ORDERS || outcome == HD_LIN_OUTCOMES) {
        b->full = 1;
        return;
    }
    if (!is_new(b, r, hash))
        return;
    if (outcome == b->noutcomes) {
        put_text(&w, "O\n");
        put_record(&w, r, false);
        put_text(&w, "o ");
    } else {
        put_text(&w, "x ");
        put_number(&w, outcome);
        put(&w, ' ');
    }
    put_order(&w, r);
    if (w.full) {
        b->full = 1;
        return;
    }
    if (outcome == b->noutcomes)
        b->outcome[b->noutcomes++] = hash;
    b->norders++;
    b->ndifferent += is_new(b, r, 0);
    b->used = (uint32_t)(w.at - b->text);
}
