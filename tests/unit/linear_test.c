/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear_test.c - the judgement of executions by sequential outcomes (src/linear), against brute force.
 *
 * The oracle is the definition of linearizability, on a model of the object: it places one operation after the
 * other, each before all that were called after its return, and compares every result and the state at the end.
 * It uses positions of calls and returns, not what a record keeps of them. */
#include "support/unit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "linear/table.h"

enum { OPS = 12, PROGRAMS = 1000, HISTORIES = 20, ORDERS = 3000, FEW_ORDERS = 300, PENDING = INT_MAX };
enum type { REGISTER, COUNTER, QUEUE, STACK, SET, TYPES };

struct op {
    int code, arg;
};

struct program {
    enum type type;
    int nclients, n[4], total;
    struct op op[4][OPS];
};

struct state {
    int item[OPS + 1], n;
};

/* One operation of an execution: when it was called and returned, and what. */
struct event {
    int client, nth, call, ret, result;
};

struct execution {
    struct event e[OPS];
    int n;
    struct state end;
};

static struct hd_lin_book book;
static struct hd_lin_table table;
static struct hd_lin_record record;
static int ends_in[4] = { -1, -1, -1, -1 }; /* the operation in which the client may end */
static int tolerance;       /* by how much a result may differ from a sequential one */
static bool is_left_out[4]; /* the client's last operation is called, and nothing else */

/* ---- the objects ------------------------------------------------------------------------------- */

static int take(struct state *s, int at)
{
    if (s->n == 0)
        return -1;
    int v = s->item[at];

    s->n--;
    memmove(&s->item[at], &s->item[at + 1], (size_t)(s->n - at) * sizeof *s->item);
    return v;
}

static int find(const struct state *s, int v)
{
    for (int i = 0; i < s->n; i++)
        if (s->item[i] == v)
            return i;
    return -1;
}

static int apply(enum type type, struct state *s, struct op op)
{
    int at = find(s, op.arg);

    switch (type) {
    case REGISTER:
    case COUNTER:
        if (op.code == 0)
            s->item[0] = type == COUNTER ? s->item[0] + 1 : op.arg;
        return type == COUNTER || op.code == 1 ? s->item[0] : 0;
    case QUEUE:
    case STACK:
        if (op.code == 1)
            return take(s, type == QUEUE || s->n == 0 ? 0 : s->n - 1);
        s->item[s->n++] = op.arg;
        return 0;
    default:
        if (op.code == 0 && at < 0)
            s->item[s->n++] = op.arg;
        else if (op.code == 1 && at >= 0)
            take(s, at);
        return at >= 0;
    }
}

static struct state fresh(enum type type)
{
    return (struct state){ .n = type == REGISTER || type == COUNTER };
}

static bool same_state(enum type type, const struct state *a, const struct state *b)
{
    if (a->n != b->n)
        return false;
    for (int i = 0; i < a->n; i++)
        if (type == SET ? find(b, a->item[i]) < 0 : a->item[i] != b->item[i])
            return false;
    return true;
}

/* ---- random programs and executions -------------------------------------------------------------- */

static double merges(const struct program *p)
{
    double n = 1;
    int placed = 0;

    for (int c = 0; c < p->nclients; c++)
        for (int i = 1; i <= p->n[c]; i++)
            n = n * ++placed / i;
    return n;
}

static void make_program(struct hd_rng *g, struct program *p, int orders)
{
    do {
        p->type = (enum type)hd_rng_below(g, TYPES);
        p->nclients = 2 + (int)hd_rng_below(g, 3);
        p->total = 0;
        for (int c = 0; c < p->nclients; c++) {
            p->n[c] = 1 + (int)hd_rng_below(g, 6);
            p->total += p->n[c];
        }
    } while (p->total > OPS || merges(p) > orders);
    for (int c = 0, v = 1; c < p->nclients; c++)
        for (int i = 0; i < p->n[c]; i++)
            p->op[c][i] = (struct op){ (int)hd_rng_below(g, p->type == SET ? 3 : 2),
                                       p->type == SET ? (int)hd_rng_below(g, 2) : v++ };
}

/* Operations take effect between call and return.  wrong: they look at the object when they are called, and
 * change it at their return as if nothing had happened since. */
static void execute(struct hd_rng *g, const struct program *p, bool wrong, struct execution *x)
{
    int nth[4] = { 0 }, step[4] = { 0 }, at[4] = { 0 }, left = p->total;
    struct state s = fresh(p->type), seen[4];
    bool torn[4] = { false };

    x->n = 0;
    for (int now = 0; left > 0; now++) {
        int c = (int)hd_rng_below(g, (uint32_t)p->nclients);

        if (nth[c] == p->n[c])
            continue;
        struct op op = p->op[c][nth[c]];
        struct event *e = &x->e[at[c]];

        if (step[c] > 0 && nth[c] == ends_in[c] && hd_rng_below(g, 3) == 0) {
            e->ret = PENDING;
            left -= p->n[c] - nth[c];
            nth[c] = p->n[c];
            continue;
        }
        if (step[c] == 0) {
            at[c] = x->n++;
            x->e[at[c]] = (struct event){ .client = c, .nth = nth[c], .call = now };
            torn[c] = wrong;
            seen[c] = s;
        } else if (step[c] == 1) {
            e->result = apply(p->type, torn[c] ? &seen[c] : &s, op);
        } else {
            if (torn[c])
                s = seen[c];
            e->ret = now;
            nth[c]++;
            left--;
        }
        step[c] = (step[c] + 1) % 3;
    }
    x->end = s;
}

/* ---- the oracle ---------------------------------------------------------------------------------- */

static bool explains(const struct program *p, const struct execution *x, unsigned placed, const struct state *s)
{
    bool all = true;

    for (int i = 0; i < x->n; i++)
        all &= (placed >> i & 1) || x->e[i].ret == PENDING;
    if (all && same_state(p->type, s, &x->end))
        return true;
    for (int i = 0; i < x->n; i++) {
        const struct event *e = &x->e[i];
        struct state after = *s;
        bool first = !(placed >> i & 1);

        for (int k = 0; k < x->n && first; k++)
            first = placed >> k & 1 || x->e[k].ret > e->call;
        if (!first)
            continue;
        int result = apply(p->type, &after, p->op[e->client][e->nth]);

        if ((abs(result - e->result) <= tolerance || e->ret == PENDING) && explains(p, x, placed | 1u << i, &after))
            return true;
    }
    return false;
}

/* ---- records --------------------------------------------------------------------------------------- */

static void put_call(const struct program *p, int c, int nth)
{
    char text[32];

    snprintf(text, sizeof text, "op%d(%d)", p->op[c][nth].code, p->op[c][nth].arg);
    hd_lin_call(&record, (unsigned)c, text);
}

static void put_return(int c, int result)
{
    char text[16];

    snprintf(text, sizeof text, "%d", result);
    hd_lin_return(&record, (unsigned)c, text, HD_LIN_RETURNED);
    for (int d = -tolerance; d <= tolerance; d++) {
        snprintf(text, sizeof text, "%d", result + d);
        if (d != 0)
            hd_lin_accept(&record, record.last[c], text);
    }
}

static void begin_record(const struct program *p)
{
    hd_lin_clear(&record);
    for (int c = 0; c < p->nclients; c++)
        hd_lin_client(&record, "client", 6);
}

static void put_end(const struct program *p, const struct state *s)
{
    char text[16];

    hd_lin_begin_component(&record, "object", p->type == SET ? HD_LIN_SET : HD_LIN_SEQUENCE);
    for (int i = 0; i < s->n; i++) {
        snprintf(text, sizeof text, "%d", s->item[i]);
        hd_lin_add(&record, text);
    }
}

static void make_record(const struct program *p, const struct execution *x)
{
    int left = 0;

    begin_record(p);
    for (int i = 0; i < x->n; i++)
        left += x->e[i].ret == PENDING ? 1 : 2;
    for (int now = 0; left > 0; now++)
        for (int i = 0; i < x->n; i++) {
            if (x->e[i].call == now)
                put_call(p, x->e[i].client, x->e[i].nth);
            if (x->e[i].ret == now)
                put_return(x->e[i].client, x->e[i].result);
            left -= (x->e[i].call == now) + (x->e[i].ret == now);
        }
    put_end(p, &x->end);
}

/* Adds every order of the operations that are left. */
static void add_orders(const struct program *p, char *order, int n)
{
    int done[4] = { 0 };
    struct state s = fresh(p->type);

    for (int i = 0; i < n; i++)
        done[(int)order[i]]++;
    for (int c = 0; c < p->nclients; c++)
        if (done[c] < p->n[c]) {
            order[n] = (char)c;
            add_orders(p, order, n + 1);
        }
    if (n < p->total)
        return;
    memset(done, 0, sizeof done);
    begin_record(p);
    for (int i = 0; i < n; i++) {
        int c = order[i];

        put_call(p, c, done[c]);
        if (!is_left_out[c] || done[c] < p->n[c] - 1)
            put_return(c, apply(p->type, &s, p->op[c][done[c]]));
        done[c]++;
    }
    put_end(p, &s);
    hd_lin_book_add(&book, &record);
}

static void make_table(const struct program *p)
{
    char order[OPS];

    memset(&book, 0, offsetof(struct hd_lin_book, text));
    add_orders(p, order, 0);
    assert_int_equal(book.full, 0);
    assert_int_equal(book.norders, (int)merges(p));
    assert_int_equal(book.ndifferent, book.norders);
    assert_true(hd_lin_table_load(&table, book.text, book.used));
    assert_int_equal(table.norders, book.norders);
}

/* Adds every order for client c and the following ones running to their ends, ending after the operation in which
 * they may end, or before it. */
static void add_ends(const struct program *p, int c)
{
    struct program with = *p;
    char order[OPS];

    if (c == p->nclients) {
        add_orders(p, order, 0);
        return;
    }
    add_ends(p, c + 1);
    if (ends_in[c] < 0)
        return;
    with.n[c] = ends_in[c] + 1;
    with.total -= p->n[c] - with.n[c];
    add_ends(&with, c + 1);
    is_left_out[c] = true;
    add_ends(&with, c + 1);
    is_left_out[c] = false;
}

/* At least one client may end early. */
static void make_table_with_ends(struct hd_rng *g, const struct program *p)
{
    static char text[HD_LIN_BOOK_BYTES + 100];
    int n = 0, first = (int)hd_rng_below(g, (uint32_t)p->nclients);

    memset(&book, 0, offsetof(struct hd_lin_book, text));
    for (int c = 0; c < p->nclients; c++) {
        ends_in[c] = c == first || hd_rng_below(g, 2) == 0 ? (int)hd_rng_below(g, (uint32_t)p->n[c]) : -1;
        if (ends_in[c] >= 0)
            n += snprintf(text + n, sizeof text - (size_t)n, "L %d %d\n", c, ends_in[c]);
    }
    add_ends(p, 0);
    assert_int_equal(book.full, 0);
    memcpy(text + n, book.text, book.used);
    assert_true(hd_lin_table_load(&table, text, (size_t)n + book.used));
}

/* The verdict does not change when the record is written and read again. */
static enum hd_lin_fit fit_of_copy(void)
{
    static struct hd_lin_record copy;
    static char text[HD_LIN_TEXT];
    size_t n = hd_lin_write(&record, true, text, sizeof text);

    assert_true(n > 0 && hd_lin_read(text, text + n, &copy) == text + n);
    return hd_lin_judge(&table, &copy).fit;
}

static void agrees_with_brute_force(void **state)
{
    struct hd_rng g = hd_rng_for(20, 0);
    struct program p;
    struct execution x;
    int fits = 0;

    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        make_program(&g, &p, ORDERS);
        make_table(&p);
        for (int k = 0; k < HISTORIES; k++) {
            struct state s = fresh(p.type);

            execute(&g, &p, k % 2 != 0, &x);
            if (k % 4 == 1)
                x.e[hd_rng_below(&g, (uint32_t)x.n)].result++;
            make_record(&p, &x);
            bool expected = explains(&p, &x, 0, &s);
            struct hd_lin_verdict v = hd_lin_judge(&table, &record);

            assert_int_equal(v.fit, expected ? HD_LIN_FITS : HD_LIN_MISFIT);
            assert_int_equal(fit_of_copy(), v.fit);
            assert_true(expected || k % 2 != 0);
            fits += expected;
        }
    }
    /* half of them take effect at one moment each; of the others some are linearizable by chance */
    assert_in_range(fits, PROGRAMS * HISTORIES / 2, PROGRAMS * HISTORIES * 6 / 10);
}

/* Operations that have not returned: the oracle places them where it likes, or not at all. */
static void pending_operations_agree_with_brute_force(void **state)
{
    struct hd_rng g = hd_rng_for(21, 0);
    struct program p;
    struct execution x;
    int fits = 0, pending = 0;

    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        make_program(&g, &p, FEW_ORDERS);
        make_table_with_ends(&g, &p);
        for (int k = 0; k < HISTORIES; k++) {
            struct state s = fresh(p.type);

            execute(&g, &p, k % 2 != 0, &x);
            if (k % 4 == 1)
                x.e[hd_rng_below(&g, (uint32_t)x.n)].result++;
            make_record(&p, &x);
            bool expected = explains(&p, &x, 0, &s);

            assert_int_equal(hd_lin_judge(&table, &record).fit, expected ? HD_LIN_FITS : HD_LIN_MISFIT);
            assert_int_equal(fit_of_copy(), expected ? HD_LIN_FITS : HD_LIN_MISFIT);
            assert_true(expected || k % 2 != 0);
            fits += expected;
            for (int e = 0; e < x.n; e++)
                pending += x.e[e].ret == PENDING;
        }
    }
    for (int c = 0; c < 4; c++)
        ends_in[c] = -1;
    assert_in_range(fits, PROGRAMS * HISTORIES / 2, PROGRAMS * HISTORIES * 8 / 10);
    assert_true(pending > PROGRAMS * HISTORIES / 2); /* a client that may end does so in five of nine histories */
}

/* Results that the test takes for equal: the oracle allows a difference of 1. */
static void comparisons_agree_with_brute_force(void **state)
{
    enum { SOME = PROGRAMS / 4 };
    struct hd_rng g = hd_rng_for(22, 0);
    struct program p;
    struct execution x;
    int fits = 0, differ = 0;

    (void)state;
    for (int i = 0; i < SOME; i++) {
        make_program(&g, &p, FEW_ORDERS);
        make_table(&p);
        for (int k = 0; k < HISTORIES; k++) {
            struct state s = fresh(p.type);

            execute(&g, &p, k % 2 != 0, &x);
            if (k % 2 == 0)
                x.e[hd_rng_below(&g, (uint32_t)x.n)].result += (int)hd_rng_below(&g, 3) - 1;
            bool exact = explains(&p, &x, 0, &s);

            tolerance = 1;
            make_record(&p, &x);
            bool expected = explains(&p, &x, 0, &s);

            tolerance = 0;
            assert_int_equal(hd_lin_judge(&table, &record).fit, expected ? HD_LIN_FITS : HD_LIN_MISFIT);
            assert_int_equal(fit_of_copy(), expected ? HD_LIN_FITS : HD_LIN_MISFIT);
            assert_true(expected || k % 2 != 0);
            fits += expected;
            differ += expected && !exact;
        }
    }
    assert_in_range(fits, SOME * HISTORIES / 2, SOME * HISTORIES * 9 / 10);
    assert_true(differ > SOME * HISTORIES / 8); /* two of three even histories have a result that is wrong by 1 */
}

/* ---- parts ------------------------------------------------------------------------------------------ */

/* Two clients with one operation each that overlap, their results, and one component. */
static void pair(const char *a, const char *b, enum hd_lin_kind kind, const char *elements)
{
    hd_lin_clear(&record);
    hd_lin_client(&record, "a", 1);
    hd_lin_client(&record, "b", 1);
    hd_lin_call(&record, 0, "x()");
    hd_lin_call(&record, 1, "y()");
    hd_lin_return(&record, 0, a, HD_LIN_RETURNED);
    hd_lin_return(&record, 1, b, HD_LIN_RETURNED);
    hd_lin_begin_component(&record, "c", kind);
    for (; *elements != '\0'; elements++)
        hd_lin_add(&record, (char[]){ *elements, '\0' });
}

static void load(const char *text)
{
    assert_true(hd_lin_table_load(&table, text, strlen(text)));
}

#define TWO_ORDERS \
    "O\nC a\nC b\nr0 x()\t1\nr1 y()\t2\nKm= c\nE p\nE q\no 01\n" \
    "O\nC a\nC b\nr0 x()\t2\nr1 y()\t1\nKm= c\nE q\nE q\no 10\n"

/* Results of one order and the state of another fit none; that is latent. */
static void all_parts_belong_to_one_order(void **state)
{
    (void)state;
    load(TWO_ORDERS);
    pair("1", "2", HD_LIN_MULTISET, "qp");
    assert_int_equal(hd_lin_judge(&table, &record).fit, HD_LIN_FITS);
    pair("1", "2", HD_LIN_MULTISET, "qq");
    assert_int_equal(hd_lin_judge(&table, &record).fit, HD_LIN_MISFIT);
    assert_true(hd_lin_judge(&table, &record).latent);
    pair("1", "1", HD_LIN_MULTISET, "qq");
    assert_int_equal(hd_lin_judge(&table, &record).fit, HD_LIN_MISFIT);
    assert_false(hd_lin_judge(&table, &record).latent);
}

static enum hd_lin_fit by_rule(const char *rule, enum hd_lin_kind kind, const char *sequential, const char *elements)
{
    static char text[256];
    int n = snprintf(text, sizeof text, "%sO\nC a\nC b\nr0 x()\t1\nr1 y()\t2\nK%c= c\n", rule, "smqd"[kind]);

    for (; *sequential != '\0'; sequential++)
        n += snprintf(text + n, sizeof text - (size_t)n, "E %c\n", *sequential);
    snprintf(text + n, sizeof text - (size_t)n, "o 01\n");
    load(text);
    pair("1", "2", kind, elements);
    return hd_lin_judge(&table, &record).fit;
}

static void rules_have_a_direction(void **state)
{
    (void)state;
    assert_int_equal(by_rule("R< c\n", HD_LIN_MULTISET, "pq", "p"), HD_LIN_FITS_BY_RULE);
    assert_int_equal(by_rule("R> c\n", HD_LIN_MULTISET, "pq", "p"), HD_LIN_MISFIT);
    assert_int_equal(by_rule("R> c\n", HD_LIN_MULTISET, "pq", "pqq"), HD_LIN_FITS_BY_RULE);
    assert_int_equal(by_rule("R< c\n", HD_LIN_MULTISET, "pq", "pqq"), HD_LIN_MISFIT);
    assert_int_equal(by_rule("R- c\n", HD_LIN_MULTISET, "pq", "z"), HD_LIN_FITS_BY_RULE);
    assert_int_equal(by_rule("R< other\n", HD_LIN_MULTISET, "pq", "p"), HD_LIN_MISFIT);
    assert_int_equal(by_rule("", HD_LIN_SET, "pq", "qqp"), HD_LIN_FITS);
    assert_int_equal(by_rule("", HD_LIN_MULTISET, "pq", "qqp"), HD_LIN_MISFIT);
    assert_int_equal(by_rule("", HD_LIN_SEQUENCE, "pq", "qp"), HD_LIN_MISFIT);
    assert_int_equal(by_rule("R< c\n", HD_LIN_SEQUENCE, "pqp", "pp"), HD_LIN_FITS_BY_RULE);
    assert_int_equal(by_rule("R< c\n", HD_LIN_SEQUENCE, "pqq", "qp"), HD_LIN_MISFIT);
    /* XOR would take two equal elements for none */
    assert_int_equal(by_rule("", HD_LIN_MULTISET, "p", "pqq"), HD_LIN_MISFIT);
}

/* An operation that has not returned may or may not have taken effect: without the orders that leave it out nothing
 * is said. */
static void unknown_operations_are_not_judged(void **state)
{
    (void)state;
    load(TWO_ORDERS);
    hd_lin_clear(&record);
    hd_lin_client(&record, "a", 1);
    hd_lin_call(&record, 0, "x()");
    assert_int_equal(hd_lin_judge(&table, &record).fit, HD_LIN_UNKNOWN);
    assert_int_equal(hd_lin_unknown(&table, &record, 0), 0);
    load("L 0 0\n" TWO_ORDERS);
    assert_int_equal(hd_lin_unknown(&table, &record, 0), -1);
    assert_int_equal(hd_lin_judge(&table, &record).fit, HD_LIN_MISFIT); /* the other client's operation is missing */
    hd_lin_call(&record, 0, "x()");
    assert_true(record.trouble & HD_LIN_NESTED);
}

/* The text of a book may come from a file. */
static void nothing_in_a_text_is_trusted(void **state)
{
    static char text[sizeof TWO_ORDERS];
    struct hd_rng g = hd_rng_for(1, 0);

    (void)state;
    for (int i = 0; i < 20000; i++) {
        size_t n = sizeof TWO_ORDERS - 1;

        memcpy(text, TWO_ORDERS, n);
        for (uint32_t k = hd_rng_below(&g, 4); k-- > 0;)
            text[hd_rng_below(&g, (uint32_t)n)] = (char)hd_rng_below(&g, 128);
        hd_lin_table_load(&table, text, hd_rng_below(&g, (uint32_t)n + 1));
        pair("1", "2", HD_LIN_MULTISET, "pq");
        hd_lin_judge(&table, &record);
    }
}

static void overlapping_is_noticed(void **state)
{
    (void)state;
    pair("1", "2", HD_LIN_SET, "");
    assert_true(hd_lin_overlaps(&record));
    hd_lin_clear(&record);
    hd_lin_client(&record, "a", 1);
    hd_lin_client(&record, "b", 1);
    for (unsigned c = 0; c < 2; c++) {
        hd_lin_call(&record, c, "x()");
        hd_lin_return(&record, c, "", HD_LIN_RETURNED);
    }
    assert_false(hd_lin_overlaps(&record));
}

static void shuffle(struct hd_rng *g, int *item, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = (int)hd_rng_below(g, (uint32_t)i + 1), other = item[k];

        item[k] = item[i];
        item[i] = other;
    }
}

/* Runs the changes in this order on a component of this kind.  change: element 0 to 3, plus 4 if it is erased. */
static void run_changes(enum hd_lin_kind kind, const int *change, int n)
{
    hd_lin_clear(&record);
    hd_lin_begin_component(&record, "other", HD_LIN_SEQUENCE);
    hd_lin_begin_component(&record, "changed", kind);
    for (int i = 0; i < n; i++) {
        char text[2] = { (char)('a' + change[i] % 4), '\0' };

        hd_lin_change(&record, "changed", change[i] >= 4, text);
        hd_lin_change(&record, "other", false, text);
    }
}

static int count_of(const char *text)
{
    int n = 0;

    for (uint32_t i = 0; i < record.nelements; i++)
        n += record.element[i].component == 1 && strcmp(hd_lin_text(&record, record.element[i].text), text) == 0;
    return n;
}

/* Changes at the places where a structure changes: each element is there as often as insertions and erasures say, in whatever
 * order they came. */
static void changes_add_up_in_any_order(void **state)
{
    struct hd_rng g = hd_rng_for(3, 0);

    (void)state;
    for (int round = 0; round < 2000; round++) {
        int change[20], n = (int)hd_rng_below(&g, 20), sum[4] = { 0 }, times[4] = { 0 };
        enum hd_lin_kind kind = round % 2 == 0 ? HD_LIN_MULTISET : HD_LIN_XOR;
        uint64_t hash = 0;

        for (int i = 0; i < n; i++) {
            change[i] = (int)hd_rng_below(&g, 8);
            sum[change[i] % 4] += change[i] < 4 ? 1 : -1;
            times[change[i] % 4]++;
        }
        for (int order = 0; order < 3; order++) {
            run_changes(kind, change, n);
            assert_int_equal(record.trouble, 0);
            assert_true(order == 0 || hash == record.component[1].hash);
            hash = record.component[1].hash;
            for (int e = 0; e < 4; e++) {
                char text[] = { (char)('a' + e), '\0' }, without[] = "without a";

                without[8] = text[0];
                assert_int_equal(count_of(text), kind == HD_LIN_XOR ? times[e] % 2 : sum[e] > 0 ? sum[e] : 0);
                assert_int_equal(count_of(without), kind != HD_LIN_XOR && sum[e] < 0 ? -sum[e] : 0);
            }
            shuffle(&g, change, n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(all_parts_belong_to_one_order),
        cmocka_unit_test(rules_have_a_direction),
        cmocka_unit_test(pending_operations_agree_with_brute_force),
        cmocka_unit_test(comparisons_agree_with_brute_force),
        cmocka_unit_test(unknown_operations_are_not_judged),
        cmocka_unit_test(nothing_in_a_text_is_trusted),
        cmocka_unit_test(overlapping_is_noticed),
        cmocka_unit_test(changes_add_up_in_any_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
