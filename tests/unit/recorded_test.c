/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recorded_test.c - the judgement of recorded histories (src/history), against brute force.
 *
 * The oracle is the definition: it places one operation after the other, each before all that were called after its
 * return, with models of its own.  It shares no code with the tool: histories go through their text. */
#include "support/unit.h"

#include <time.h>

#include "base/rng.h"
#include "history/judge.h"

enum { OPS = 1000, SMALL = 12, VALUES = 4, CLIENTS = 8, STEPS = 10000000 };
enum { NONE = -1, UNKNOWN = -2 }; /* results: nothing was there; not compared */

struct op {
    int client, call, ret; /* ret: -1, has not returned */
    int code, arg, arg2, result;
};

struct state {
    int item[OPS + 1], n;
};

struct sample {
    enum hd_model model;
    struct op op[OPS];
    int n;
};

static struct hd_rng rng;
static char text[OPS * 64];

static int below(int n)
{
    return (int)hd_rng_below(&rng, (uint32_t)n);
}

/* ---- models of the oracle ------------------------------------------------------------------------ */

/* Codes: 0 puts, 1 takes or reads, 2 and 3 are others. */
static const char *const words[HD_MODELS][4] = {
    { "write", "read" },   { "write", "read", "cas" }, { "add", "read" },           { "enqueue", "dequeue" },
    { "push", "pop" },     { "add", "remove", "contains", "size" }, { "put", "get", "remove", "size" },
};
static const int ncodes[HD_MODELS] = { 2, 3, 2, 2, 2, 4, 4 };

static int find(const struct state *s, int item, int each)
{
    for (int i = 0; i < s->n; i += each)
        if (s->item[i] == item)
            return i;
    return -1;
}

static void drop(struct state *s, int at, int each)
{
    memmove(&s->item[at], &s->item[at + each], (size_t)(s->n - at - each) * sizeof *s->item);
    s->n -= each;
}

static int run_set(struct state *s, const struct op *o)
{
    int at = find(s, o->arg, 1);

    if (o->code == 0 && at < 0)
        s->item[s->n++] = o->arg;
    if (o->code == 1 && at >= 0)
        drop(s, at, 1);
    return o->code == 3 ? s->n : o->code == 0 ? at < 0 : at >= 0;
}

static int run_map(struct state *s, const struct op *o)
{
    int at = find(s, o->arg, 2), old = at < 0 ? NONE : s->item[at + 1];

    if (o->code == 0 && at < 0) {
        s->item[s->n++] = o->arg;
        s->item[s->n++] = o->arg2;
    } else if (o->code == 0) {
        s->item[at + 1] = o->arg2;
    }
    if (o->code == 2 && at >= 0)
        drop(s, at, 2);
    return o->code == 3 ? s->n / 2 : old;
}

static int run_line(struct state *s, const struct op *o, bool queue)
{
    if (o->code == 0) {
        s->item[s->n++] = o->arg;
        return UNKNOWN;
    }
    if (s->n == 0)
        return NONE;
    int at = queue ? 0 : s->n - 1, item = s->item[at];

    drop(s, at, 1);
    return item;
}

/* Runs an operation and returns its result. */
static int run(enum hd_model m, struct state *s, const struct op *o)
{
    if (m == HD_MODEL_SET)
        return run_set(s, o);
    if (m == HD_MODEL_MAP)
        return run_map(s, o);
    if (m == HD_MODEL_QUEUE || m == HD_MODEL_STACK)
        return run_line(s, o, m == HD_MODEL_QUEUE);
    if (m == HD_MODEL_COUNTER)
        return s->item[0] += o->code == 0 ? o->arg : 0;
    if (o->code == 2) {
        bool swaps = s->item[0] == o->arg;

        s->item[0] = swaps ? o->arg2 : s->item[0];
        return swaps;
    }
    if (o->code == 0)
        s->item[0] = o->arg;
    return o->code == 0 ? UNKNOWN : s->item[0];
}

static bool agrees(int recorded, int got)
{
    return recorded == UNKNOWN || got == UNKNOWN || recorded == got;
}

/* True if the operations that are not placed can be placed. */
static bool place(const struct sample *h, unsigned placed, const struct state *s)
{
    bool all = true;

    for (int i = 0; i < h->n; i++)
        all = all && (placed >> i & 1 || h->op[i].ret < 0);
    if (all)
        return true;
    for (int i = 0; i < h->n; i++) {
        bool may = !(placed >> i & 1);

        for (int k = 0; k < h->n && may; k++)
            may = placed >> k & 1 || h->op[k].ret < 0 || h->op[k].ret >= h->op[i].call;
        struct state next = { .n = s->n };

        memcpy(next.item, s->item, sizeof(int) * (2 * SMALL + 2));
        if (may && agrees(h->op[i].result, run(h->model, &next, &h->op[i])) && place(h, placed | 1u << i, &next))
            return true;
    }
    return false;
}

/* ---- random histories ----------------------------------------------------------------------------- */

static bool is_line(enum hd_model m)
{
    return m == HD_MODEL_QUEUE || m == HD_MODEL_STACK;
}

/* Clients that call, take effect and return at random.  Values are few, or each is put in once.  Some operations never
 * return, and some of those take no effect. */
static void execute(struct sample *h, enum hd_model m, int clients, int total, bool distinct, int lost)
{
    int open[CLIENTS], stage[CLIENTS] = { 0 }, now = 1, left = total, busy = 0, fresh = 10;
    int codes = ncodes[m] - (ncodes[m] == 4 && below(2)); /* without size, each key is judged by itself */
    struct state s = { .n = 0 };

    h->model = m;
    h->n = 0;
    while (left > 0 || busy > 0) {
        int c = below(clients);
        struct op *o = stage[c] != 0 ? &h->op[open[c]] : NULL;

        now += below(4) > 0; /* some moments are equal */
        if (stage[c] == 0 && left > 0) {
            left--;
            open[c] = h->n++;
            h->op[open[c]] = (struct op){ .client = c, .call = now, .ret = -1,
                                          .code = below(codes), .arg = below(VALUES),
                                          .arg2 = below(VALUES), .result = UNKNOWN };
            o = &h->op[open[c]];
            if (distinct && o->code == 0 && (is_line(m) || m == HD_MODEL_REGISTER))
                o->arg = fresh++;
            busy++;
            stage[c] = 1;
        } else if (stage[c] == 1) {
            bool never = below(1000) < lost;

            if (!never || below(2))
                o->result = run(m, &s, o);
            if (never) {
                o->result = UNKNOWN;
                busy--;
            }
            stage[c] = never ? 0 : 2;
        } else if (stage[c] == 2) {
            o->ret = now;
            busy--;
            stage[c] = 0;
        }
    }
}

/* Exchanges the results of two operations, or changes one. */
static void mutate(struct sample *h)
{
    for (int tries = 0; tries < 20; tries++) {
        struct op *a = &h->op[below(h->n)], *b = &h->op[below(h->n)];

        if (a->result == UNKNOWN || b->result == UNKNOWN || a->code != b->code)
            continue;
        if (below(2) && a->result != b->result) {
            int t = a->result;

            a->result = b->result;
            b->result = t;
            return;
        }
        if (below(3) == 0 && ncodes[h->model] == 2) {
            a->result = below(VALUES);
            return;
        }
    }
}

static bool returns_truth(const struct sample *h, const struct op *o)
{
    return (h->model == HD_MODEL_SET && o->code < 3) || (h->model == HD_MODEL_CAS_REGISTER && o->code == 2);
}

static void print(const struct sample *h)
{
    char *at = text + sprintf(text, "model %s\n", hd_model_words[h->model]);

    for (int i = 0; i < h->n; i++) {
        const struct op *o = &h->op[i];
        bool two = (h->model == HD_MODEL_MAP && o->code == 0) || (h->model == HD_MODEL_CAS_REGISTER && o->code == 2);
        bool has = o->code == 0 || two || (o->code < 3 && (h->model == HD_MODEL_SET || h->model == HD_MODEL_MAP));

        at += sprintf(at, "c%d %d ", o->client, o->call);
        at += o->ret < 0 ? sprintf(at, "- ") : sprintf(at, "%d ", o->ret);
        at += sprintf(at, "%s", words[h->model][o->code]);
        if (has)
            at += sprintf(at, " %d", o->arg);
        if (two)
            at += sprintf(at, " %d", o->arg2);
        if (o->result == NONE)
            at += sprintf(at, " -> %s", is_line(h->model) ? "empty" : "none");
        else if (o->result != UNKNOWN && returns_truth(h, o))
            at += sprintf(at, " -> %s", o->result ? "true" : "false");
        else if (o->result != UNKNOWN)
            at += sprintf(at, " -> %d", o->result);
        *at++ = '\n';
        *at = '\0';
    }
}

/* The verdict of the tool. */
static struct hd_history_result judged(const struct sample *h)
{
    struct hd_history history;
    struct hd_history_result r;
    char message[600] = "";

    print(h);
    if (!hd_history_read(&history, text, HD_MODELS, message, sizeof message))
        fail_msg("%s\n%s", message, text);
    hd_history_judge(&history, STEPS, &r);
    hd_history_free(&history);
    return r;
}

/* ---- tests ------------------------------------------------------------------------------------------ */

static void small_histories_agree_with_brute_force(void **state)
{
    static struct sample h;
    int total = getenv("HEDDLE_DEEP") != NULL ? 60000 : 20000, yes = 0;

    (void)state;
    for (int i = 0; i < total; i++) {
        struct state s = { .n = 0 };

        rng = hd_rng_for(20, (uint64_t)i);
        execute(&h, (enum hd_model)(i % HD_MODELS), 2 + below(3), 2 + below(SMALL - 1), below(4) > 0, below(3) == 0 ? 250 : 0);
        if (below(3) > 0)
            mutate(&h);
        struct hd_history_result r = judged(&h);
        bool fits = place(&h, 0, &s);

        yes += fits;
        if (r.verdict != (fits ? HD_HISTORY_FITS : HD_HISTORY_MISFIT))
            fail_msg("history %d: verdict %d, but brute force says %d\n%s%s", i, r.verdict, fits, text, r.reason);
    }
    /* a generator of one sort of histories would prove little */
    assert_in_range(yes, total * 4 / 10, total * 8 / 10);
}

/* Of the models that are judged in polynomial time or by small states, every history of this size is judged. */
static void large_histories_are_judged(void **state)
{
    static struct sample h;
    int each = getenv("HEDDLE_DEEP") != NULL ? 40 : 4, unknown = 0, late = 0, total = 0;

    (void)state;
    for (int m = 0; m < HD_MODELS; m++)
        for (int i = 0; i < 2 * each; i++, total++) {
            rng = hd_rng_for(21, (uint64_t)total);
            execute(&h, (enum hd_model)m, CLIENTS, OPS, true, i % 4 == 3 ? 3 : 0);
            if (i % 2 == 1)
                mutate(&h);
            clock_t before = clock();
            struct hd_history_result r = judged(&h);

            late += clock() - before > CLOCKS_PER_SEC;
            unknown += r.verdict == HD_HISTORY_UNKNOWN;
            if (i % 2 == 0 && r.verdict == HD_HISTORY_MISFIT)
                fail_msg("a history of a correct %s is refused: %s", hd_model_words[m], r.reason);
        }
    print_message("%d histories of %d operations: %d unknown, %d took more than a second\n", total, OPS, unknown, late);
    assert_in_range(unknown, 0, total / 20);
}

/* Nothing that is read crashes the tool. */
static void random_texts_are_refused_or_judged(void **state)
{
    static struct sample h;
    static const char letters[] = " \n\t#->.0919x";

    (void)state;
    for (int i = 0; i < 5000; i++) {
        struct hd_history history;
        struct hd_history_result r;
        char message[600] = "";

        rng = hd_rng_for(22, (uint64_t)i);
        execute(&h, (enum hd_model)(i % HD_MODELS), 3, 6, below(2), 200);
        print(&h);
        for (int k = below(6); k >= 0; k--)
            text[below((int)strlen(text))] = letters[below((int)sizeof letters - 1)];
        if (hd_history_read(&history, text, HD_MODELS, message, sizeof message))
            hd_history_judge(&history, 10000, &r);
        else
            assert_true(message[0] != '\0');
        hd_history_free(&history);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_histories_agree_with_brute_force),
        cmocka_unit_test(large_histories_are_judged),
        cmocka_unit_test(random_texts_are_refused_or_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
