/* SPDX-License-Identifier: BSD-2-Clause
 *
 * record.c - fills and hashes the record of an execution. */
#include "linear/record.h"

#include "base/hash.h"

const char *const hd_lin_kind_words[HD_LIN_KINDS] = { "set", "multiset", "sequence", "map" };
const char *const hd_lin_rule_words[HD_LIN_RULES + 1] = { "equal", "subset", "superset", "ignore", NULL };

/* The arrays are not cleared: the numbers say how much of them counts. */
void hd_lin_clear(struct hd_lin_record *r)
{
    r->nclients = r->nops = r->ncomponents = r->nelements = r->trouble = 0;
    r->used = 1;
    r->text[0] = '\0'; /* text 0 is empty */
    for (unsigned i = 0; i <= HD_LIN_CLIENTS; i++) {
        r->called[i] = r->returned[i] = 0;
        r->outputs[i] = i;
    }
}

/* Copies at most n bytes of the text, without control characters.  Returns its place, and its hash. */
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

    if (r->called[client] != r->returned[client])
        r->trouble |= HD_LIN_NESTED;
    if (r->nops == HD_LIN_OPS || r->trouble != 0) {
        r->trouble |= r->nops == HD_LIN_OPS ? HD_LIN_FULL : 0;
        return;
    }
    *op = (struct hd_lin_op){ .client = (uint8_t)client };
    for (unsigned i = 0; i < HD_LIN_CLIENTS; i++)
        op->before[i] = r->returned[i];
    op->call = keep(r, text, HD_LIN_TEXT, &hash);
    r->outputs[client] = hd_hash_mix(r->outputs[client], hash);
    r->last[client] = r->nops++;
    r->called[client]++;
}

void hd_lin_return(struct hd_lin_record *r, unsigned client, const char *text, enum hd_lin_end end)
{
    struct hd_lin_op *op = &r->op[r->last[client]];
    uint64_t hash;

    if (r->called[client] == r->returned[client]) {
        r->trouble |= HD_LIN_UNMATCHED;
        return;
    }
    op->result = keep(r, text, HD_LIN_TEXT, &hash);
    op->end = (uint8_t)end;
    r->outputs[client] = hd_hash_mix(r->outputs[client], hash + end);
    r->returned[client]++;
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

static bool has(const struct hd_lin_record *r, uint32_t component, uint64_t hash)
{
    for (uint32_t i = r->nelements; i-- > 0 && r->element[i].component == component;)
        if (r->element[i].hash == hash)
            return true;
    return false;
}

/* Sums of hashes do not depend on the order, and unlike with XOR equal elements do not cancel
 * each other. */
void hd_lin_add(struct hd_lin_record *r, const char *element)
{
    uint64_t hash;

    if (r->ncomponents == 0 || r->nelements == HD_LIN_ELEMENTS) {
        r->trouble |= r->ncomponents == 0 ? HD_LIN_UNMATCHED : HD_LIN_FULL;
        return;
    }
    uint32_t in = r->ncomponents - 1, text = keep(r, element, HD_LIN_TEXT, &hash);
    struct hd_lin_component *c = &r->component[in];

    if (c->kind == HD_LIN_SET && has(r, in, hash))
        return;
    r->element[r->nelements++] = (struct hd_lin_element){ in, text, hash };
    c->hash = c->kind == HD_LIN_SEQUENCE ? hd_hash_mix(c->hash + 1, hash) : c->hash + hash;
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

bool hd_lin_all_returned(const struct hd_lin_record *r)
{
    for (unsigned i = 0; i <= HD_LIN_CLIENTS; i++)
        if (r->called[i] != r->returned[i])
            return false;
    return true;
}

/* Two operations do not overlap iff one had returned before the other was called. */
bool hd_lin_overlaps(const struct hd_lin_record *r)
{
    uint8_t nth[HD_LIN_CLIENTS + 1] = { 0 };

    for (uint32_t i = 0; i < r->nops; i++) {
        const struct hd_lin_op *later = &r->op[i];
        unsigned c = later->client;

        /* of the earlier operations, only the last one of each client can still be running */
        for (uint32_t k = 0; k < r->nclients && c != HD_LIN_PROBE; k++)
            if (k != c && nth[k] > later->before[k])
                return true;
        nth[c]++;
    }
    return false;
}
