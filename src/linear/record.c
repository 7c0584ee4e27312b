/* SPDX-License-Identifier: BSD-2-Clause
 *
 * record.c - fills and hashes the record of an execution. */
#include "linear/record.h"

#include "base/hash.h"

const char *const hd_lin_kind_words[HD_LIN_KINDS] = { "set", "multiset", "sequence", "map", "xor" };
const char *const hd_lin_rule_words[HD_LIN_RULES + 1] = { "equal", "subset", "superset", "ignore", NULL };

/* The arrays are not cleared: the counters tell how much of them is valid. */
void hd_lin_clear(struct hd_lin_record *r)
{
    r->nclients = r->nops = r->ncomponents = r->nelements = r->naccepted = r->trouble = 0;
    r->used = 1;
    r->text[0] = '\0'; /* text number 0 is the empty text */
    for (unsigned i = 0; i <= HD_LIN_CLIENTS; i++) {
        r->called[i] = r->returned[i] = 0;
        r->outputs[i] = r->begun[i] = i;
    }
}

/* Copies at most n bytes of the text, without control characters.  Returns its position in the buffer, and its
 * hash. */
static uint32_t keep(struct hd_lin_record *r, const char *text, size_t n, uint64_t *hash)
{
    uint32_t at = r->used, end = at;

    for (size_t i = 0; i < n && text[i] != '\0' && end + 1 < HD_LIN_TEXT; i++)
        r->text[end++] = (unsigned char)text[i] < ' ' || text[i] == 127 ? ' ' : text[i];
    *hash = hd_hash_bytes(1, r->text + at, end - at);
    if (end + 1 >= HD_LIN_TEXT) {
        r->trouble |= HD_LIN_FULL;
        return 0;
    }
    r->text[end] = '\0';
    r->used = end + 1;
    return at;
}

void hd_lin_client(struct hd_lin_record *r, const char *name, size_t n)
{
    uint64_t hash;

    if (r->nclients == HD_LIN_CLIENTS)
        r->trouble |= HD_LIN_FULL;
    else
        r->name[r->nclients++] = keep(r, name, n, &hash);
}

void hd_lin_call(struct hd_lin_record *r, unsigned client, const char *text)
{
    struct hd_lin_op *op = &r->op[r->nops];
    uint64_t hash;

    if (hd_lin_is_pending(r, client))
        r->trouble |= HD_LIN_NESTED;
    if (r->nops == HD_LIN_OPS || r->trouble != 0) {
        r->trouble |= r->nops == HD_LIN_OPS ? HD_LIN_FULL : 0;
        return;
    }
    *op = (struct hd_lin_op){ .client = (uint8_t)client };
    for (unsigned i = 0; i < HD_LIN_CLIENTS; i++)
        op->before[i] = r->returned[i];
    op->call = keep(r, text, HD_LIN_TEXT, &hash);
    r->begun[client] = r->outputs[client] = hd_hash_mix(r->outputs[client], hash);
    r->last[client] = r->nops++;
    r->called[client]++;
}

void hd_lin_return(struct hd_lin_record *r, unsigned client, const char *text, enum hd_lin_end end)
{
    struct hd_lin_op *op = &r->op[r->last[client]];
    uint64_t hash;

    if (!hd_lin_is_pending(r, client)) {
        r->trouble |= HD_LIN_UNMATCHED;
        return;
    }
    op->result = keep(r, text, HD_LIN_TEXT, &hash);
    op->end = (uint8_t)end;
    r->outputs[client] = hd_hash_mix(r->outputs[client], hash + end);
    r->returned[client]++;
}

void hd_lin_accept(struct hd_lin_record *r, uint32_t op, const char *result)
{
    uint64_t hash;

    if (r->naccepted == HD_LIN_ACCEPTED) {
        r->trouble |= HD_LIN_FULL;
        return;
    }
    r->accepted[r->naccepted] = (struct hd_lin_accepted){ .op = op, .text = keep(r, result, HD_LIN_TEXT, &hash) };
    r->naccepted++;
}

static bool is_same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

bool hd_lin_op_agrees(const struct hd_lin_record *r, uint32_t i, const struct hd_lin_record *sequential,
                      const struct hd_lin_op *op)
{
    const char *other = hd_lin_text(sequential, op->result);

    if (!is_same_text(hd_lin_text(r, r->op[i].call), hd_lin_text(sequential, op->call)))
        return false;
    if (r->op[i].end == HD_LIN_LOST)
        return true;
    if (r->op[i].end != op->end)
        return false;
    bool agrees = is_same_text(hd_lin_text(r, r->op[i].result), other);

    for (uint32_t k = 0; k < r->naccepted && !agrees; k++)
        agrees = r->accepted[k].op == i && is_same_text(hd_lin_text(r, r->accepted[k].text), other);
    return agrees;
}

void hd_lin_begin_component(struct hd_lin_record *r, const char *name, enum hd_lin_kind kind)
{
    uint64_t hash;

    if (r->ncomponents == HD_LIN_COMPONENTS) {
        r->trouble |= HD_LIN_FULL;
        return;
    }
    struct hd_lin_component *c = &r->component[r->ncomponents++];

    *c = (struct hd_lin_component){ .kind = (uint8_t)kind };
    c->name = keep(r, name, HD_LIN_TEXT, &hash);
}

void hd_lin_compare(struct hd_lin_record *r, enum hd_lin_rule rule)
{
    if (r->ncomponents == 0)
        r->trouble |= HD_LIN_UNMATCHED;
    else
        r->component[r->ncomponents - 1].rule = (uint8_t)rule;
}

/* ---- elements --------------------------------------------------------------------------------- */

static uint32_t find(const struct hd_lin_record *r, uint32_t component, uint64_t hash)
{
    uint32_t i = 0;

    while (i < r->nelements && (r->element[i].component != component || r->element[i].hash != hash))
        i++;
    return i;
}

/* Adds hashes, because a sum does not depend on the order and, unlike with XOR, equal elements do not cancel
 * each other. */
static void put(struct hd_lin_record *r, uint32_t in, uint32_t text, uint64_t hash)
{
    struct hd_lin_component *c = &r->component[in];

    if (r->nelements == HD_LIN_ELEMENTS) {
        r->trouble |= HD_LIN_FULL;
        return;
    }
    r->element[r->nelements++] = (struct hd_lin_element){ in, text, hash };
    if (c->kind == HD_LIN_SEQUENCE)
        c->hash = hd_hash_mix(c->hash + 1, hash);
    else
        c->hash = c->kind == HD_LIN_XOR ? c->hash ^ hash : c->hash + hash;
}

/* Not from a sequence. */
static void take(struct hd_lin_record *r, uint32_t at)
{
    struct hd_lin_component *c = &r->component[r->element[at].component];

    c->hash = c->kind == HD_LIN_XOR ? c->hash ^ r->element[at].hash : c->hash - r->element[at].hash;
    r->nelements--;
    for (; at < r->nelements; at++)
        r->element[at] = r->element[at + 1];
}

/* Takes the element out if it is there. */
static bool withdraw(struct hd_lin_record *r, uint32_t in, const char *element)
{
    uint32_t used = r->used, at;
    uint64_t hash;

    keep(r, element, HD_LIN_TEXT, &hash);
    r->used = used; /* only the hash was needed */
    at = find(r, in, hash);
    if (at == r->nelements)
        return false;
    take(r, at);
    return true;
}

static void add_to(struct hd_lin_record *r, uint32_t in, const char *element)
{
    uint32_t used = r->used;
    uint64_t hash;

    if (r->component[in].kind == HD_LIN_XOR && withdraw(r, in, element))
        return;
    uint32_t text = keep(r, element, HD_LIN_TEXT, &hash);

    if (r->component[in].kind == HD_LIN_SET && find(r, in, hash) < r->nelements)
        r->used = used;
    else
        put(r, in, text, hash);
}

void hd_lin_add(struct hd_lin_record *r, const char *element)
{
    if (r->ncomponents == 0)
        r->trouble |= HD_LIN_UNMATCHED;
    else
        add_to(r, r->ncomponents - 1, element);
}

const struct hd_lin_component *hd_lin_named(const struct hd_lin_record *r, const char *name)
{
    for (uint32_t i = 0; i < r->ncomponents; i++)
        if (is_same_text(hd_lin_text(r, r->component[i].name), name))
            return &r->component[i];
    return NULL;
}

static void change_count(struct hd_lin_record *r, uint32_t in, bool removes, const char *element)
{
    char without[300] = "without ";
    size_t n = 8;

    for (size_t i = 0; element[i] != '\0' && n + 1 < sizeof without; i++)
        without[n++] = element[i];
    without[n] = '\0';
    if (!withdraw(r, in, removes ? element : without))
        add_to(r, in, removes ? without : element);
}

void hd_lin_change(struct hd_lin_record *r, const char *name, bool removes, const char *element)
{
    const struct hd_lin_component *c = hd_lin_named(r, name);

    if (c == NULL || c->kind == HD_LIN_SET || (removes && c->kind == HD_LIN_SEQUENCE)) {
        r->trouble |= HD_LIN_UNDECLARED;
        return;
    }
    uint32_t in = (uint32_t)(c - r->component);

    if (c->kind == HD_LIN_SEQUENCE || c->kind == HD_LIN_XOR)
        add_to(r, in, element);
    else
        change_count(r, in, removes, element);
}

uint64_t hd_lin_outputs(const struct hd_lin_record *r)
{
    uint64_t h = r->nclients;

    for (uint32_t i = 0; i < r->nclients; i++)
        h = hd_hash_mix(h, r->outputs[i]);
    return h;
}

uint64_t hd_lin_hash(const struct hd_lin_record *r)
{
    uint64_t h = hd_hash_mix(hd_lin_outputs(r), r->outputs[HD_LIN_PROBE]);

    for (uint32_t i = 0; i < r->ncomponents; i++) {
        const char *name = hd_lin_text(r, r->component[i].name);
        size_t n = 0;

        while (name[n] != '\0')
            n++;
        h = hd_hash_mix(hd_hash_bytes(h, name, n), r->component[i].hash + r->component[i].kind);
    }
    return h;
}

uint64_t hd_lin_order_hash(const struct hd_lin_record *r)
{
    uint64_t of[HD_LIN_CLIENTS] = { 0 }, h = 0;

    for (uint32_t i = 0; i < r->nops; i++)
        if (r->op[i].client < r->nclients)
            of[r->op[i].client] = hd_hash_bytes(of[r->op[i].client], r->op[i].before, sizeof r->op[i].before);
    for (uint32_t i = 0; i < r->nclients; i++)
        h = hd_hash_mix(h, of[i]);
    return h;
}

/* Two operations do not overlap exactly if one had returned before the other was called. */
bool hd_lin_overlaps(const struct hd_lin_record *r)
{
    uint8_t nth[HD_LIN_CLIENTS + 1] = { 0 };

    for (uint32_t i = 0; i < r->nops; i++) {
        const struct hd_lin_op *later = &r->op[i];
        unsigned c = later->client;

        /* among the earlier operations, only the last one of each client can still be running */
        for (uint32_t k = 0; k < r->nclients && c != HD_LIN_PROBE; k++)
            if (k != c && nth[k] > later->before[k])
                return true;
        nth[c]++;
    }
    return false;
}
