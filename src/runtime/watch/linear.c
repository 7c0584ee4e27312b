/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.c - records the operations of a test of <heddle/linear.h>, and compares their results and the final state
 * with those of its sequential orders.
 *
 * N1  A sequential execution adds its outcome and its order to the book in the wire.  A concurrent execution is
 *     judged by that book, which the tool passes as the expected text (linear/table.h).
 * N2  Calls and returns are visible operations: a return is a commuting update of one object that calls read.  So the
 *     order of a return and another client's call matters to a reduction, but the order of two calls or of two
 *     returns does not: linearizability depends on the former only.  For data races, calls and returns order nothing.
 * N3  Changes of a component while the clients run commute, so they are no operations; but the order in which elements are
 *     appended to a sequence matters, so appending writes an object of its own.
 * N4  An execution that has not ended by itself is not compared: a crash or deadlock is a finding of its own.
 * N5  If a client ends within an operation, rule J2 (linear/table.h) needs orders that end the client there.  The
 *     sequential search has them for operations in lines L of the expected text.  A concurrent execution with another
 *     such operation adds it to the state in the wire, for the next sequential search; the workers then stop if the
 *     tool wants to search again.  If the process ends while the clients run, the execution is not compared. */
#include "runtime/watch/linear.h"

#include "base/hash.h"
#include "base/limits.h"
#include "linear/kept.h"
#include "linear/table.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/watch/detectors.h"
#include "wire/wire.h"

enum { MEMO = HD_LIMIT(1024, 2) };

static struct hd_lin_record now; /* record of this execution */
static enum { BEFORE, RUNNING, AFTER } stage;
static struct {
    uint32_t epoch; /* the execution in which the thread is a client */
    uint8_t client;
} clients[HD_MAX_THREADS];

static struct hd_lin_table table;
static enum { NOT_LOADED, LOADED, UNUSABLE } loaded;
static struct {
    uint64_t key;
    struct hd_lin_verdict verdict;
} memo[MEMO]; /* outcomes of executions that were already judged */

static void begin(void)
{
    if (hd.cfg->linear == HD_LINEAR_OFF)
        return;
    hd_lin_clear(&now);
    stage = BEFORE;
}

static bool has_table(void)
{
    const struct hd_expected *e = &hd.wire->common->expected;

    if (loaded == NOT_LOADED)
        loaded = e->state == HD_EXPECTED_KNOWN && hd_lin_table_load(&table, e->text, e->size) ? LOADED : UNUSABLE;
    return loaded == LOADED;
}

/* ---- calls by the program ------------------------------------------------------------------------- */

void hd_linear_begin(const char *names, unsigned n)
{
    if (stage != BEFORE)
        now.trouble |= HD_LIN_NESTED;
    for (unsigned i = 0; i < n; i++) {
        size_t length = 0;

        while (*names == ' ')
            names++;
        while (names[length] != '\0' && names[length] != ',')
            length++;
        hd_lin_client(&now, names, length);
        names += length + (names[length] == ',');
    }
    stage = RUNNING;
}

const char *hd_linear_client(unsigned client)
{
    if (stage == AFTER) /* a request that no client has announced */
        now.trouble |= HD_LIN_UNMATCHED;
    clients[hd.cur->tid].epoch = hd.epoch;
    clients[hd.cur->tid].client = (uint8_t)client;
    return client < now.nclients ? hd_lin_text(&now, now.name[client]) : "";
}

int hd_linear_self(void)
{
    return clients[hd.cur->tid].epoch == hd.epoch ? clients[hd.cur->tid].client : -1;
}

int hd_linear_stage(void)
{
    return (int)stage;
}

void hd_linear_joined(void)
{
    stage = AFTER;
}

struct hd_lin_record *hd_linear_state(void)
{
    if (stage == RUNNING)
        now.trouble |= HD_LIN_UNMATCHED;
    return stage != RUNNING ? &now : NULL;
}

/* Returns the client of the running thread's operation, or -1 if the operation is part of the set-up and does not
 * count. */
static int caller(void)
{
    int self = hd_linear_self();

    if (stage == RUNNING && self < 0)
        now.trouble |= HD_LIN_UNMATCHED;
    return stage == AFTER ? HD_LIN_PROBE : self;
}

static bool is_point(int client)
{
    return client != HD_LIN_PROBE && hd.cfg->linear == HD_LINEAR_CONCURRENT;
}

/* Returns the object of all calls and returns (N2). */
static struct hd_obj *history(void)
{
    static const char all;

    return hd_object(&all, HD_OBJ_UNKNOWN);
}

/* Returns the data of the event for reports: the client, and the number of its operation. */
static uint64_t told(int client)
{
    return (uint64_t)client << 8 | (uint64_t)(now.called[client] - 1);
}

void hd_linear_call(const char *text, uint64_t pc)
{
    int client = caller();

    if (client < 0)
        return;
    if (is_point(client))
        hd_op(HD_EV_LINEAR_CALL, history(), NULL, pc);
    hd_lin_call(&now, (unsigned)client, text);
    if (is_point(client))
        hd_done(told(client), 0);
}

void hd_linear_return(const char *text, enum hd_lin_end end, uint64_t pc)
{
    int client = caller();

    if (client < 0)
        return;
    if (is_point(client))
        hd_op(HD_EV_LINEAR_RETURN, history(), NULL, pc);
    hd_lin_return(&now, (unsigned)client, text, end);
    if (is_point(client))
        hd_done(told(client), 0);
}

void hd_linear_change(const char *name, bool removes, const char *element, uint64_t pc)
{
    const struct hd_lin_component *c = hd_lin_named(&now, name);
    bool appends = stage == RUNNING && hd.cfg->linear == HD_LINEAR_CONCURRENT && c != NULL && c->kind == HD_LIN_SEQUENCE;

    if (appends)
        hd_op(HD_EV_LINEAR_APPEND, hd_object(c, HD_OBJ_UNKNOWN), NULL, pc);
    hd_lin_change(&now, name, removes, element);
    if (appends)
        hd_done(0, 0);
}

const char *hd_linear_alternative(unsigned i, const char **call, const char **result)
{
    static bool listed, fits;
    int client = caller();
    const struct hd_lin_op *op = client >= 0 ? &now.op[now.last[client]] : NULL;

    if (op == NULL || hd.cfg->linear != HD_LINEAR_CONCURRENT || !has_table() || now.trouble != 0)
        return NULL;
    if (!listed)
        fits = hd_lin_table_results(&table);
    listed = true;
    now.trouble |= fits ? 0 : HD_LIN_FULL;
    *call = hd_lin_text(&now, op->call);
    *result = hd_lin_text(&now, op->result);
    for (uint32_t k = 0; k < table.nresults && fits; k++) {
        const struct hd_lin_result *other = &table.result[k];

        if (other->client == client && other->nth == now.called[client] - 1 && other->end == op->end && i-- == 0)
            return table.text + other->text;
    }
    return NULL;
}

void hd_linear_accept(const char *result)
{
    int client = caller();

    if (client >= 0)
        hd_lin_accept(&now, now.last[client], result);
}

bool hd_linear_may_end(bool after)
{
    int self = hd_linear_self();
    unsigned nth = self >= 0 ? now.called[self] - (unsigned)after : HD_LIN_OPS;

    if (nth >= HD_LIN_OPS || !has_table() || !(table.left_out[self] >> nth & 1))
        return false;
    if (!after)
        hd.wire->common->linear.book.left_out[self] |= UINT64_C(1) << nth;
    return true;
}

void hd_linear_unfinished(void)
{
    int self = hd_linear_self();

    if (self >= 0 && hd_lin_is_pending(&now, (unsigned)self))
        now.trouble |= HD_LIN_UNFINISHED;
}

/* Texts that differ differ in reality, too, so a finding holds. */
void hd_linear_truncated(void)
{
    if (hd.cfg->linear == HD_LINEAR_CONCURRENT)
        hd_uncontrolled("a text of an operation or of the state has more than 255 bytes: the rest was not compared with "
                        "sequential executions");
}

/* ---- the end ------------------------------------------------------------------------------- */

static void add_to_book(struct hd_lin_book *b)
{
    uint32_t threads = hd.exec->nthreads - 1 - now.nclients;
    bool over = hd.exec->ending == HD_END_CLEAN;

    b->trouble |= now.trouble;
    if (stage != AFTER || !hd_detectors_program_ended() || hd_lin_is_pending(&now, HD_LIN_PROBE)) {
        if (stage == BEFORE)
            b->without += over && hd.exec->assumed == 0; /* the strategy may cut an execution while the set-up runs */
        else
            b->blocked += over;
        b->unsure |= hd.exec->ending == HD_END_TOO_LONG || (over && (hd.cut || hd.exec->loop_cuts > 0));
        return;
    }
    if (threads > b->threads)
        b->threads = threads;
    if (now.trouble == 0)
        hd_lin_book_add(b, &now);
}

static struct hd_lin_verdict judge(void)
{
    uint64_t key = hd_hash_mix(hd_lin_hash(&now), hd_lin_order_hash(&now));

    if (now.trouble != 0 || stage != AFTER)
        return (struct hd_lin_verdict){ .fit = HD_LIN_UNKNOWN };
    if (memo[key % MEMO].key != key) {
        memo[key % MEMO].verdict = hd_lin_judge(&table, &now);
        memo[key % MEMO].key = key;
    }
    return memo[key % MEMO].verdict;
}

/* The execution cannot be compared (N5). */
static void note_unknown(struct hd_linear_state *s)
{
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++) {
        int nth = stage == AFTER ? hd_lin_unknown(&table, &now, c) : -1;

        if (nth < 0)
            continue;
        __atomic_fetch_or(&s->unknown[c], UINT64_C(1) << nth, __ATOMIC_RELAXED);
        if (s->repeats)
            __atomic_store_n(&s->stops, 1, __ATOMIC_RELAXED);
    }
    hd_uncontrolled("in some executions an operation of a client has not returned: they were not compared with "
                    "sequential ones");
}

/* Workers share these counts. */
static void count_rules(struct hd_linear_state *s, uint32_t saved)
{
    __atomic_fetch_add(&s->by_rule, 1, __ATOMIC_RELAXED);
    for (uint32_t c = 0; c < now.ncomponents; c++)
        if (saved >> c & 1)
            hd_lin_count(s->saved, hd_lin_text(&now, now.component[c].name), hd_lin_rule_for(&table, &now, c), 1);
}

static void report(bool latent)
{
    static char text[2 * HD_LIN_TEXT];
    struct hd_finding f = { .kind = HD_FK_NOT_LINEARIZABLE, .tid = HD_NO_TID };
    size_t n = hd_lin_write(&now, true, text, sizeof text);
    const char *message = latent ? "no sequential order of the operations leaves this state"
                                 : "no sequential order of the operations gives these results";

    for (size_t i = 0; message[i] != '\0'; i++)
        f.message[i] = message[i];
    hd_finding_emit(&f, NULL, &(struct hd_evidence){ .history = text, .nhistory = (uint32_t)n }, false);
}

static void look(void)
{
    struct hd_linear_state *s = &hd.wire->common->linear;

    if (hd.cfg->linear == HD_LINEAR_SEQUENTIAL)
        add_to_book(&s->book);
    if (hd.cfg->linear != HD_LINEAR_CONCURRENT || !hd_detectors_program_ended() || !has_table())
        return;
    struct hd_lin_verdict v = judge();

    if (v.fit == HD_LIN_UNKNOWN) {
        note_unknown(s);
        return;
    }
    __atomic_fetch_add(&s->judged, 1, __ATOMIC_RELAXED);
    if (v.fit == HD_LIN_FITS_BY_RULE)
        count_rules(s, v.saved);
    if (s->kept.wanted)
        hd_lin_keep(&s->kept, &now);
    if (!s->overlapped && hd_lin_overlaps(&now))
        s->overlapped = 1;
    if (v.fit == HD_LIN_MISFIT)
        report(v.latent);
}

const struct hd_detector hd_detector_linear = { .begin = begin, .end = look };
