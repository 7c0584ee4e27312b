/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.c - loads a book, and checks executions against it. */
#include "linear/table.h"

#include "base/hash.h"

static uint64_t hash_of(const char *text)
{
    size_t n = 0;

    while (text[n] != '\0')
        n++;
    return hd_hash_bytes(2, text, n);
}

/* ---- loading -------------------------------------------------------------------------------- */

static bool load_components(struct hd_lin_table *t, const struct hd_lin_record *r)
{
    if (t->ncomponents + r->ncomponents > HD_LIN_TABLE_COMPONENTS ||
        t->nelements + r->nelements > HD_LIN_TABLE_ELEMENTS)
        return false;
    for (uint32_t c = 0; c < r->ncomponents; c++) {
        struct hd_lin_table_component *to = &t->component[t->ncomponents++];

        *to = (struct hd_lin_table_component){ .name = hash_of(hd_lin_text(r, r->component[c].name)),
                                               .hash = r->component[c].hash, .kind = r->component[c].kind,
                                               .first = t->nelements };
        for (uint32_t i = 0; i < r->nelements; i++)
            if (r->element[i].component == c)
                t->element[t->nelements++] = r->element[i].hash;
        to->n = t->nelements - to->first;
    }
    return true;
}

/* Reads the record that follows a line "O". */
static const char *load_outcome(struct hd_lin_table *t, const char *text, const char *end)
{
    static struct hd_lin_record r;
    struct hd_lin_outcome *o = &t->outcome[t->noutcomes];
    const char *next = hd_lin_read(text, end, &r);

    if (next == NULL || t->noutcomes == HD_LIN_OUTCOMES)
        return NULL;
    *o = (struct hd_lin_outcome){ .outputs = hd_lin_outputs(&r), .probes = r.outputs[HD_LIN_PROBE], .text = text,
                                  .first = t->ncomponents, .n = r.ncomponents };
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++) {
        o->client[c] = r.outputs[c];
        o->begun[c] = r.begun[c];
    }
    t->noutcomes++;
    return load_components(t, &r) ? next : NULL;
}

static bool load_order(struct hd_lin_table *t, uint32_t outcome, const char *at, const char *end)
{
    if (outcome >= t->noutcomes || t->norders == HD_LIN_ORDERS || end - at > HD_LIN_OPS)
        return false;
    for (const char *c = at; c < end; c++)
        if (*c < '0' || *c >= '0' + HD_LIN_CLIENTS)
            return false;
    t->order[t->norders] = (struct hd_lin_order){ at, (uint32_t)(end - at), t->outcome[outcome].orders };
    t->outcome[outcome].orders = ++t->norders;
    return true;
}

static bool load_other_order(struct hd_lin_table *t, const char *at, const char *end)
{
    uint32_t outcome = 0;

    for (; at < end && *at >= '0' && *at <= '9'; at++)
        outcome = outcome < HD_LIN_OUTCOMES ? outcome * 10 + (uint32_t)(*at - '0') : outcome;
    return at < end && load_order(t, outcome, at + 1, end);
}

static bool load_rule(struct hd_lin_table *t, const char *at, const char *end)
{
    enum hd_lin_rule rule = end - at > 3 ? hd_lin_rule_of(at[1]) : HD_LIN_RULES;

    if (rule == HD_LIN_RULES || t->nrules == HD_LIN_TABLE_RULES)
        return false;
    t->rules[t->nrules].name = hd_hash_bytes(2, at + 3, (size_t)(end - at - 3));
    t->rules[t->nrules++].rule = rule;
    return true;
}

/* "L 0 12": the client and the number of its operation. */
static bool load_left_out(struct hd_lin_table *t, const char *at, const char *end)
{
    unsigned nth = 0;

    if (end - at < 5 || end - at > 6 || at[2] < '0' || at[2] >= '0' + HD_LIN_CLIENTS)
        return false;
    for (const char *c = at + 4; c < end; c++) {
        if (*c < '0' || *c > '9')
            return false;
        nth = nth * 10 + (unsigned)(*c - '0');
    }
    if (nth < HD_LIN_OPS)
        t->left_out[at[2] - '0'] |= UINT64_C(1) << nth;
    return nth < HD_LIN_OPS;
}

bool hd_lin_table_load(struct hd_lin_table *t, const char *text, size_t n)
{
    const char *end = text + n;

    t->end = end;
    t->nresults = t->used = 0;
    t->noutcomes = t->norders = t->ncomponents = t->nelements = t->nrules = 0;
    t->criterion = HD_LIN_LINEARIZABLE;
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++)
        t->left_out[c] = 0;
    while (text < end) {
        const char *stop = text;
        bool ok = false;

        while (stop < end && *stop != '\n')
            stop++;
        if (stop == end)
            return false;
        if (*text == 'O') {
            text = load_outcome(t, stop + 1, end);
            if (text == NULL)
                return false;
            continue;
        }
        if (*text == 'o' && stop - text > 1)
            ok = t->noutcomes > 0 && load_order(t, t->noutcomes - 1, text + 2, stop);
        else if (*text == 'x' && stop - text > 1)
            ok = load_other_order(t, text + 2, stop);
        else if (*text == 'R')
            ok = load_rule(t, text, stop);
        else if (*text == 'L')
            ok = load_left_out(t, text, stop);
        else if (*text == 'S' || *text == 'Q') {
            t->criterion = *text == 'S' ? HD_LIN_SEQUENTIAL : HD_LIN_QUIESCENT;
            ok = true;
        }
        if (!ok)
            return false;
        text = stop + 1;
    }
    return true;
}

static bool is_listed(const struct hd_lin_table *t, const struct hd_lin_result *result, const char *text)
{
    for (uint32_t i = 0; i < t->nresults; i++)
        if (t->result[i].client == result->client && t->result[i].nth == result->nth && t->result[i].end == result->end &&
            hash_of(t->text + t->result[i].text) == hash_of(text))
            return true;
    return false;
}

static bool list_result(struct hd_lin_table *t, struct hd_lin_result result, const char *text)
{
    size_t n = 0;

    if (is_listed(t, &result, text))
        return true;
    result.text = t->used;
    while (text[n] != '\0')
        n++;
    if (t->nresults == HD_LIN_TABLE_RESULTS || t->used + n + 1 > sizeof t->text)
        return false;
    for (size_t i = 0; i <= n; i++)
        t->text[t->used++] = text[i];
    t->result[t->nresults++] = result;
    return true;
}

bool hd_lin_table_results(struct hd_lin_table *t)
{
    static struct hd_lin_record r;

    t->nresults = t->used = 0;
    for (uint32_t i = 0; i < t->noutcomes; i++) {
        uint8_t nth[HD_LIN_CLIENTS + 1] = { 0 };

        if (hd_lin_read(t->outcome[i].text, t->end, &r) == NULL)
            return false;
        for (uint32_t k = 0; k < r.nops; k++) {
            const struct hd_lin_op *op = &r.op[k];
            const struct hd_lin_result result = { .client = op->client, .nth = nth[op->client]++, .end = op->end };

            if (op->end != HD_LIN_LOST && !list_result(t, result, hd_lin_text(&r, op->result)))
                return false;
        }
    }
    return true;
}

/* ---- judging -------------------------------------------------------------------------------- */

/* For each operation, how many operations of each client must come before it. */
struct needs {
    uint8_t before[HD_LIN_CLIENTS][HD_LIN_OPS][HD_LIN_CLIENTS];
    uint8_t n[HD_LIN_CLIENTS]; /* number of operations of each client */
};

/* True if no operation was under way when this one was called: all that were called before it had returned. */
static bool is_quiescent(const struct hd_lin_record *r, const struct hd_lin_op *op, const struct needs *so_far)
{
    for (uint32_t k = 0; k < r->nclients; k++)
        if (op->before[k] != so_far->n[k])
            return false;
    return true;
}

static void find_needs(const struct hd_lin_record *r, enum hd_lin_criterion criterion, struct needs *needs)
{
    uint8_t quiet[HD_LIN_CLIENTS] = { 0 }; /* number of operations of each client before the last quiescent
                                            * moment */

    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++)
        needs->n[c] = 0;
    for (uint32_t i = 0; i < r->nops; i++) {
        const struct hd_lin_op *op = &r->op[i];

        if (op->client >= HD_LIN_CLIENTS)
            continue;
        if (is_quiescent(r, op, needs))
            for (unsigned k = 0; k < HD_LIN_CLIENTS; k++)
                quiet[k] = needs->n[k];
        uint8_t *before = needs->before[op->client][needs->n[op->client]++];

        for (unsigned k = 0; k < HD_LIN_CLIENTS; k++)
            before[k] = criterion == HD_LIN_LINEARIZABLE ? op->before[k] : criterion == HD_LIN_QUIESCENT ? quiet[k] : 0;
    }
}

/* True if the order has the same operations as the record, and respects which operations must come before
 * others. */
static bool order_respects(const struct hd_lin_order *o, const struct hd_lin_record *r, const struct needs *needs)
{
    uint8_t done[HD_LIN_CLIENTS] = { 0 };

    for (uint32_t i = 0; i < o->n; i++) {
        unsigned c = (unsigned)(o->clients[i] - '0');

        if (done[c] == needs->n[c])
            return false;
        for (uint32_t k = 0; k < r->nclients; k++)
            if (k != c && needs->before[c][done[c]][k] > done[k])
                return false;
        done[c]++;
    }
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++)
        if (done[c] != needs->n[c])
            return false;
    return true;
}

const struct hd_lin_order *hd_lin_order_for(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                                            const struct hd_lin_record *r)
{
    struct needs needs;

    find_needs(r, t->criterion, &needs);
    for (uint32_t i = o->orders; i != 0; i = t->order[i - 1].next)
        if (order_respects(&t->order[i - 1], r, &needs))
            return &t->order[i - 1];
    return NULL;
}

/* True if each element of a is an element of b, at least as often; for a sequence, also in this order. */
static bool is_within(const uint64_t *a, uint32_t na, const uint64_t *b, uint32_t nb, bool ordered)
{
    bool used[HD_LIN_ELEMENTS] = { false };
    uint32_t from = 0;

    if (na > nb)
        return false;
    for (uint32_t i = 0; i < na; i++) {
        uint32_t k = ordered ? from : 0;

        while (k < nb && (used[k] || b[k] != a[i]))
            k++;
        if (k == nb)
            return false;
        used[k] = true;
        from = k + 1;
    }
    return true;
}

static const struct hd_lin_table_component *find(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                                                 uint64_t name)
{
    for (uint32_t i = o->first; i < o->first + o->n; i++)
        if (t->component[i].name == name)
            return &t->component[i];
    return NULL;
}

enum hd_lin_rule hd_lin_rule_for(const struct hd_lin_table *t, const struct hd_lin_record *r, uint32_t c)
{
    uint64_t name = hash_of(hd_lin_text(r, r->component[c].name));

    for (uint32_t i = t->nrules; i-- > 0;)
        if (t->rules[i].name == name)
            return t->rules[i].rule;
    return (enum hd_lin_rule)r->component[c].rule;
}

enum agreement { EQUAL, BY_RULE, DIFFERENT };

static enum agreement compare(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                              const struct hd_lin_record *r, uint32_t c)
{
    const struct hd_lin_component *mine = &r->component[c];
    uint64_t name = hash_of(hd_lin_text(r, mine->name)), element[HD_LIN_ELEMENTS];
    const struct hd_lin_table_component *other = find(t, o, name);
    enum hd_lin_rule rule = hd_lin_rule_for(t, r, c);
    uint32_t n = 0;

    if (other != NULL && other->kind == mine->kind && other->hash == mine->hash)
        return EQUAL;
    if (rule == HD_LIN_IGNORE)
        return BY_RULE;
    if (other == NULL || other->kind != mine->kind || rule == HD_LIN_EQUAL)
        return DIFFERENT;
    for (uint32_t i = 0; i < r->nelements; i++)
        if (r->element[i].component == c)
            element[n++] = r->element[i].hash;
    bool ordered = mine->kind == HD_LIN_SEQUENCE;
    const uint64_t *others = &t->element[other->first];
    bool holds = rule == HD_LIN_SUBSET ? is_within(element, n, others, other->n, ordered)
                                       : is_within(others, other->n, element, n, ordered);

    return holds ? BY_RULE : DIFFERENT;
}

bool hd_lin_component_agrees(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                             const struct hd_lin_record *r, uint32_t c)
{
    return compare(t, o, r, c) != DIFFERENT;
}

/* Compares the operations of a client, or the probes, one by one. */
static bool each_agrees(const struct hd_lin_table *t, const struct hd_lin_outcome *o, const struct hd_lin_record *r,
                        unsigned client)
{
    static struct hd_lin_record other;
    uint32_t at = 0;

    if (hd_lin_read(o->text, t->end, &other) == NULL || other.called[client] != r->called[client])
        return false;
    for (uint32_t i = 0; i < r->nops; i++) {
        if (r->op[i].client != client)
            continue;
        while (other.op[at].client != client)
            at++;
        if (!hd_lin_op_agrees(r, i, &other, &other.op[at++]))
            return false;
    }
    return true;
}

/* Part (a) of rule J1 for a client. */
static bool client_agrees(const struct hd_lin_table *t, const struct hd_lin_outcome *o, const struct hd_lin_record *r,
                          unsigned client)
{
    if (hd_lin_is_pending(r, client) ? o->begun[client] == r->begun[client] : o->client[client] == r->outputs[client])
        return true;
    return r->naccepted > 0 && each_agrees(t, o, r, client);
}

/* Part (a) of rule J1 for all clients. */
static bool outputs_agree(const struct hd_lin_table *t, const struct hd_lin_outcome *o, const struct hd_lin_record *r,
                          uint64_t all)
{
    if (o->outputs == all)
        return true;
    for (uint32_t c = 0; c < r->nclients; c++)
        if (!client_agrees(t, o, r, c))
            return false;
    return true;
}

static bool probes_agree(const struct hd_lin_table *t, const struct hd_lin_outcome *o, const struct hd_lin_record *r)
{
    return o->probes == r->outputs[HD_LIN_PROBE] || (r->naccepted > 0 && each_agrees(t, o, r, HD_LIN_PROBE));
}

/* Compares the states, part (b) of rule J1.  A component that only the sequential execution has is a
 * difference, too.  Stores in *saved the bits of those components that are not equal but agree by a rule. */
static enum agreement compare_states(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                                     const struct hd_lin_record *r, uint32_t *saved)
{
    enum agreement all = EQUAL;

    *saved = 0;

    if (o->n != r->ncomponents || !probes_agree(t, o, r))
        return DIFFERENT;
    for (uint32_t c = 0; c < r->ncomponents; c++) {
        enum agreement one = compare(t, o, r, c);

        if (one > all)
            all = one;
        *saved |= one == BY_RULE ? UINT32_C(1) << c : 0;
    }
    return all;
}

int hd_lin_unknown(const struct hd_lin_table *t, const struct hd_lin_record *r, unsigned client)
{
    int last = r->called[client] - 1;

    return hd_lin_is_pending(r, client) && !(t->left_out[client] >> last & 1) ? last : -1;
}

/* True if rule J2 does not apply, or can be applied. */
static bool is_known(const struct hd_lin_table *t, const struct hd_lin_record *r)
{
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++)
        if (hd_lin_unknown(t, r, c) >= 0)
            return false;
    return !hd_lin_is_pending(r, HD_LIN_PROBE);
}

struct hd_lin_verdict hd_lin_judge(const struct hd_lin_table *t, const struct hd_lin_record *r)
{
    struct hd_lin_verdict v = { .fit = HD_LIN_MISFIT };
    uint64_t outputs = hd_lin_outputs(r);

    if (r->trouble != 0 || t->noutcomes == 0 || !is_known(t, r))
        return (struct hd_lin_verdict){ .fit = HD_LIN_UNKNOWN };
    for (uint32_t i = 0; i < t->noutcomes && v.fit != HD_LIN_FITS; i++) {
        const struct hd_lin_outcome *o = &t->outcome[i];

        if (!outputs_agree(t, o, r, outputs) || hd_lin_order_for(t, o, r) == NULL)
            continue;
        uint32_t saved;
        enum agreement states = compare_states(t, o, r, &saved);

        v.latent = true;
        if (states == DIFFERENT ||
            (v.fit == HD_LIN_FITS_BY_RULE && __builtin_popcount(saved) >= __builtin_popcount(v.saved)))
            continue;
        v.fit = states == EQUAL ? HD_LIN_FITS : HD_LIN_FITS_BY_RULE;
        v.saved = saved;
    }
    return v;
}
