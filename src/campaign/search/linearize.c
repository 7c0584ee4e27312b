/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linearize.c - the sequential and the concurrent search of `heddle linearize`. */
#include "campaign/search/linearize.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "campaign/search/outcomes.h"
#include "campaign/search/rechecks.h"
#include "campaign/session/session.h"
#include "linear/table.h"
#include "model/ledger.h"

/* Limits of the sequential search without --budget, which matter for tests whose operations use threads of their own. */
enum { SEQUENTIAL_EXECUTIONS = 200000, SEQUENTIAL_MS = 60000 };

enum { ROUNDS = 8 }; /* maximum number of searches with more and more operations that are left out (Z7) */

struct linearize {
    const struct hd_options *o;
    struct hd_outputs *outputs;
    const struct hd_one *one;
    hd_concurrent_search *search;
    struct hd_one_result *out;
    struct hd_lin_book *book; /* outcomes from the sequential search that has just ended */
    bool ended;               /* that search has run all orders without a finding */
    bool exhausted;
    bool complete;            /* the search may claim that it has run all orders */
    uint32_t steps;           /* number of steps of a script */
    uint64_t left_out[HD_LIN_CLIENTS]; /* bits: operations that did not return in an earlier round */
    unsigned rounds;
    char *lines;              /* the lines "L ..." of the book, for operations that were left out */
    bool again;               /* a further round is needed */
    bool written;             /* the file of outcomes was written */
    char **found;             /* schedules to run with another build */
    size_t nfound;
    struct hd_result_linear result;
};

/* ---- the sequential search -------------------------------------------------------------------- */

/* Takes the outcomes of the sequential search.  Returns false, so that the result is shown, if there are findings:
 * the test fails even if its operations run one after the other. */
static bool take_book(struct hd_findings *all, void *ctx)
{
    struct linearize *l = ctx;
    struct hd_result r;

    if (all->s->watched.end != HD_WATCH_DONE || all->s->watched.interrupted || all->n > 0)
        return false;
    hd_session_result(all->s, &r);
    memcpy(l->book, &all->s->wires.common->linear.book, sizeof *l->book);
    l->book->unsure |= r.totals.loop_cuts > 0; /* the part of an execution after a loop that was cut is unknown */
    l->ended = true;
    l->steps = all->s->wires.common->linear.steps;
    l->exhausted = r.totals.exhausted;
    l->complete = hd_result_complete(&r);
    return true;
}

static void leave(void *ctx, const struct hd_session *s, struct hd_result *r)
{
    (void)ctx;
    (void)s;
    (void)r;
}

/* Returns lines L for these operations. */
static char *lines_of(const uint64_t *left_out)
{
    size_t size;
    char *text;
    FILE *out = hd_memory_stream(&text, &size);

    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++)
        for (unsigned nth = 0; nth < HD_LIN_OPS; nth++)
            if (left_out[c] >> nth & 1)
                fprintf(out, "L %u %u\n", c, nth);
    fclose(out);
    return text;
}

/* Returns the options of the sequential search.  The user's limits and strategy are for the concurrent search
 * only. */
static struct hd_options options_in_turn(const struct hd_options *o)
{
    struct hd_options with = *o;

    snprintf(with.strategy, sizeof with.strategy, "%s", o->sample_orders > 0 ? "random" : "dpor");
    with.params[0] = '\0';
    with.bound = -1;
    with.executions = o->sample_orders > 0 ? o->sample_orders : o->budget_ms != 0 ? 0 : SEQUENTIAL_EXECUTIONS;
    with.budget_ms = o->budget_ms != 0 ? o->budget_ms : SEQUENTIAL_MS;
    with.linear = HD_LINEAR_SEQUENTIAL;
    with.points = HD_POINTS_SYNC;
    with.no_points = 0;
    with.nfilters = with.npoint_at = 0;
    with.count = 0;
    with.jobs = 1;
    with.outcomes_file = NULL;
    with.keep_going = false;
    with.progress = HD_PROGRESS_NONE;
    return with;
}

static bool run_in_turn(struct linearize *l)
{
    struct hd_options with = options_in_turn(l->o);
    const struct hd_stage stage = { .is_given_up = take_book, .complete = leave, .ctx = l };
    char *lines = lines_of(l->left_out);

    with.linear_book = lines;
    l->ended = false;
    hd_search_stage(&with, l->outputs, l->one, &stage, l->out);
    free(lines);
    return l->ended;
}

/* ---- what may be wrong with the test ---------------------------------------------------------- */

static const char *trouble_of(uint32_t trouble)
{
    if (trouble & HD_LIN_NESTED)
        return "an operation is called within another one of the same client, or heddle_clients twice; end each "
               "heddle_call by one heddle_return";
    if (trouble & HD_LIN_UNFINISHED)
        return "the function of a client returns within an operation; end each heddle_call by one heddle_return";
    if (trouble & HD_LIN_UNDECLARED)
        return "heddle_insert or heddle_erase names a component that was not begun before heddle_clients, or a set, or "
               "heddle_erase a sequence; begin a multiset, map, xor or sequence of this name in the set-up";
    if (trouble & HD_LIN_UNMATCHED)
        return "heddle_return without heddle_call, heddle_element without a component, a component that begins while the "
               "clients run, an operation of a thread that is no client, or more requests than heddle_accept was told";
    return "an execution has more than 64 operations, 16 components, 512 elements or 32 KiB of text; make the test smaller";
}

/* Returns the number of orders of the clients' operations, computed from the order with most of them: the process may
 * end in others. */
static double count_orders(const struct hd_lin_book *b)
{
    double most = 0;

    for (const char *at = b->text; (at = strstr(at, "\no ")) != NULL;) {
        unsigned of[10] = { 0 }, n = 0;
        double orders = 1;

        for (at += 3; *at >= '0' && *at <= '9'; at++)
            orders *= ++n / (double)++of[*at - '0']; /* a product of binomial coefficients */
        most = orders > most ? orders : most;
    }
    return most;
}

/* Returns why sampled outcomes cannot be used (Z5). */
static const char *problem_of_sample(const struct hd_lin_book *b)
{
    if (b->noutcomes > 0 && b->ndifferent + 0.5 < count_orders(b))
        return "not every sequential order came to its end in the executions of --sample-orders; raise it, or make the test "
               "smaller";
    return NULL;
}

/* Returns why the outcomes of an exhaustive search cannot be used. */
static const char *problem_of_search(const struct linearize *l)
{
    const struct hd_lin_book *b = l->book;

    if (!l->exhausted)
        return "the sequential orders could not all be run in time, because the operations use other threads; make the "
               "test smaller, or raise --budget, or give --sample-orders";
    if (b->unsure)
        return "a sequential order was cut off, because it has too many steps or polls in a loop whose end is not known; "
               "raise --max-steps or --loop-bound, or make the test smaller, or give --sample-orders";
    if (b->threads > 0 && !l->complete)
        return "the operations use other threads, and not all their interleavings are known, because something is not "
               "controlled ('heddle verify' of the program says what); a sequential outcome may be missing; with "
               "--sample-orders they are sampled";
    return NULL;
}

/* Returns why the recorded outcomes cannot be used, or NULL if they can. */
static const char *problem_of(const struct linearize *l)
{
    const struct hd_lin_book *b = l->book;
    const char *problem = l->o->sample_orders > 0 ? problem_of_sample(b) : problem_of_search(l);

    if (b->trouble != 0)
        return trouble_of(b->trouble);
    if (b->full)
        return "there are more than 20,000 sequential orders, or their outcomes are larger than 1 MiB, and a finding "
               "needs all of them; give the clients fewer operations (2 clients with 3 each have 20 orders)";
    if (problem != NULL)
        return problem;
    if (b->without > 0 && (b->noutcomes > 0 || b->blocked > 0))
        return "in some executions it ends before its clients begin: the set-up depends on what an earlier execution has left "
               "behind, such as a file; remove that at the beginning";
    if (b->noutcomes == 0 && b->blocked > 0)
        return "no sequential order of the operations comes to its end: an operation waits for a later one, a client waits "
               "for another one outside of its operations, or ends within one";
    if (b->noutcomes == 0 && l->steps > 0)
        return "it has a script, and no clients; give --split";
    if (b->noutcomes == 0)
        return "it runs no clients; a test calls heddle_clients of <heddle/linear.h>, see docs/linearize.md";
    return NULL;
}

/* Prints one recorded outcome in readable form. */
static void tell_line(const char *which, const char *line)
{
    size_t n = strcspn(line, "\n"), mark = strcspn(line, " ");

    fprintf(stderr, "heddle:   %s ", which);
    for (size_t i = mark < n ? mark + 1 : 0; i < n; i++)
        if (line[i] == '\t')
            fputs(" -> ", stderr);
        else
            fputc(line[i], stderr);
    fputc('\n', stderr);
}

/* Shows the first line in which the outcomes of the two sequential searches differ. */
static void tell_difference(const char *program, const struct hd_lin_book *a, const struct hd_lin_book *b)
{
    uint32_t at = 0, line = 0;

    while (at < a->used && at < b->used && a->text[at] == b->text[at])
        if (a->text[at++] == '\n')
            line = at;
    fprintf(stderr, "heddle: %s: the test is not deterministic: the same sequential order gave\n", program);
    tell_line("first:", a->text + line);
    tell_line("then: ", b->text + line);
    fputs("heddle: leave addresses, times and random numbers out of results and state\n", stderr);
}

/* True if both searches had the same outcomes.  With samples, the shorter one may have fewer, since time limits
 * may cut it short. */
static bool are_same(const struct hd_options *o, const struct hd_lin_book *a, const struct hd_lin_book *b)
{
    uint32_t n = a->used < b->used ? a->used : b->used;

    return (a->used == b->used || o->sample_orders > 0) && memcmp(a->text, b->text, n) == 0;
}

static void fail(struct linearize *l, int code, const char *what)
{
    l->out->ran = false;
    l->out->code = code;
    snprintf(l->out->what, sizeof l->out->what, "%s", what);
}

/* Records the sequential outcomes (Z1-Z3).  Returns false, after a message, if there is nothing to compare with. */
static bool make_book(struct linearize *l, struct hd_lin_book *again)
{
    const char *problem;
    struct hd_lin_book *first = l->book;

    if (!run_in_turn(l))
        return false;
    problem = problem_of(l);
    if (problem != NULL) {
        fprintf(stderr, "heddle: %s: %s\n", l->one->argv[0], problem);
        fail(l, HD_EXIT_USAGE, problem);
        return false;
    }
    l->book = again;
    bool ran = run_in_turn(l);

    l->book = first;
    if (!ran)
        return false;
    if (!are_same(l->o, first, again)) {
        tell_difference(l->one->argv[0], first, again);
        fail(l, HD_EXIT_DIVERGED, "the test is not deterministic in sequential executions");
        return false;
    }
    return true;
}

/* ---- the concurrent search ------------------------------------------------------------------------- */

/* True if the recorded outcomes contain a state or probes. */
static bool tells_state(const struct hd_lin_book *b)
{
    return strstr(b->text, "\nK") != NULL || strstr(b->text, "\nrp") != NULL || strstr(b->text, "\nep") != NULL;
}

/* True if some outcome has an element in the component that the line ("Ks= name") names. */
static bool has_element(const struct hd_lin_book *b, const char *line)
{
    size_t n = strcspn(line, "\n") + 1;

    for (const char *at = b->text; (at = strstr(at, "\nK")) != NULL; at++)
        if (strncmp(at + 4, line + 3, n - 3) == 0 && at[1 + n] == 'E')
            return true;
    return false;
}

/* Finds a client that has no operation in any sequential order. */
static void find_idle(const struct hd_lin_book *b, char *name, size_t cap)
{
    const char *at = strstr(b->text, "\nC ");

    for (char client = '0'; at != NULL && strncmp(at, "\nC ", 3) == 0; client++) {
        char line[] = { '\n', 'r', client, ' ', '\0' };
        bool has = false;

        for (const char *end = "ren"; *end != '\0'; end++) {
            line[1] = *end;
            has |= strstr(b->text, line) != NULL;
        }
        int n = (int)strcspn(at + 3, "\n");

        if (!has) {
            snprintf(name, cap, "%.*s", n, at + 3);
            return;
        }
        at += 3 + n;
    }
}

/* Returns the rule of the component that the line ("Ks= name") names: the last one of the command line, or its own. */
static enum hd_lin_rule rule_of(const struct hd_options *o, const char *line)
{
    int size = (int)strcspn(line + 4, "\n");

    for (uint32_t i = o->nrules; i-- > 0;)
        if (o->rules[i].size == size && strncmp(o->rules[i].component, line + 4, (size_t)size) == 0)
            return o->rules[i].rule;
    return hd_lin_rule_of(line[2]);
}

/* Lists the components of the first outcome that are not compared. */
static void find_ignored(const struct hd_options *o, const struct hd_lin_book *b, char *names, size_t cap)
{
    const char *end = strstr(b->text, "\no ");
    size_t n = 0;

    for (const char *at = b->text; (at = strstr(at, "\nK")) != NULL && at < end && n < cap; at++)
        if (rule_of(o, at + 1) == HD_LIN_IGNORE)
            n += (size_t)snprintf(names + n, cap - n, "%s%.*s", n > 0 ? ", " : "", (int)strcspn(at + 5, "\n"), at + 5);
}

/* Finds a component that is empty after every sequential order, and compared. */
static void find_empty(const struct hd_options *o, const struct hd_lin_book *b, char *name, size_t cap)
{
    for (const char *at = b->text; (at = strstr(at, "\nK")) != NULL; at++)
        if (rule_of(o, at + 1) != HD_LIN_IGNORE && !has_element(b, at + 1)) {
            snprintf(name, cap, "%.*s", (int)strcspn(at + 5, "\n"), at + 5);
            return;
        }
}

/* True if a further round must leave out more operations, and can. */
static bool needs_round(struct linearize *l, const struct hd_findings *all)
{
    const struct hd_linear_state *s = &all->s->wires.common->linear;
    bool more = false;

    if (!s->stops || all->n > 0 || all->s->watched.end != HD_WATCH_DONE || all->s->watched.interrupted)
        return false;
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++) {
        more |= (s->unknown[c] & ~l->left_out[c]) != 0;
        l->left_out[c] |= s->unknown[c];
    }
    return more;
}

/* Notes facts on which the verdict depends, while the session is open.  Returns true if the search is to be repeated. */
static bool note(struct hd_findings *all, void *ctx)
{
    struct linearize *l = ctx;
    const struct hd_linear_state *s = &all->s->wires.common->linear;

    l->again = needs_round(l, all);
    if (l->again)
        return true;
    l->result.judged = s->judged;
    l->result.by_rule = s->by_rule;
    memcpy(l->result.saved, s->saved, sizeof l->result.saved);
    l->result.overlapped = s->overlapped;
    if (s->judged == 0 && all->n == 0)
        hd_ledger_add(&all->s->ledger, HD_DENIES,
                      "no execution was compared with the sequential ones: none came to its end");
    return false;
}

/* True if every execution ended with an outcome that was compared. */
static bool has_compared_all(const struct hd_result *r)
{
    for (size_t i = 0; i < r->nfindings; i++)
        if (r->findings[i].kind != HD_FK_NOT_LINEARIZABLE)
            return false;
    return hd_result_complete(r);
}

static void complete(void *ctx, const struct hd_session *s, struct hd_result *r)
{
    struct linearize *l = ctx;

    r->linear = &l->result;
    for (size_t i = 0; i < r->nfindings && l->o->recheck_with != NULL; i++)
        if (r->findings[i].schedule[0] != '\0')
            *HD_PUSH(l->found, l->nfound) = hd_copied(r->findings[i].schedule);
    if (l->o->outcomes_file != NULL)
        l->written = hd_outcomes_write(l->o, l->lines, l->book, &s->wires.common->linear.kept, has_compared_all(r));
}

/* Runs the schedules of the findings again, with another build of the program (--recheck-with). */
static void recheck_found(struct linearize *l)
{
    for (size_t i = 0; i < l->nfound; i++) {
        char *args[] = { l->found[i], NULL };
        struct hd_options with = *l->o;

        with.args = args;
        with.nargs = 1;
        with.program = l->o->recheck_with;
        with.any_build = true;
        with.executions = with.budget_ms = 0; /* 0: use the defaults of recheck */
        memset(with.files, 0, sizeof with.files);
        int code = hd_rechecks(&with);

        if (code == HD_EXIT_USAGE || code == HD_EXIT_INTERNAL)
            l->out->code = code;
        free(l->found[i]);
    }
    free(l->found);
}

/* True if the sequential search has left out all operations that it should. */
static bool has_left_out(const struct linearize *l)
{
    for (unsigned c = 0; c < HD_LIN_CLIENTS; c++)
        if (l->left_out[c] & ~l->book->left_out[c])
            return false;
    return true;
}

/* Finds an operation that returns in no outcome. */
static void find_endless(const struct hd_lin_book *b, char *text, size_t cap)
{
    for (const char *at = b->text; (at = strstr(at, "\nn")) != NULL; at++) {
        char other[400];
        int n = snprintf(other, sizeof other, "%.*s", (int)strcspn(at + 1, "\t") + 2, at);

        if ((size_t)n >= sizeof other)
            continue;
        other[1] = 'r';
        bool returns = strstr(b->text, other) != NULL;

        other[1] = 'e';
        if (!returns && strstr(b->text, other) == NULL) {
            snprintf(text, cap, "%.*s", (int)strcspn(at + 4, "\t"), at + 4);
            return;
        }
    }
}

/* Returns the sequential outcomes as text.  The text begins with the rules of the command line, so that a replay
 * compares by the same rules. */
static char *text_of(const struct linearize *l)
{
    size_t size;
    char *text;
    FILE *out = hd_memory_stream(&text, &size);

    hd_outcomes_put_rules(l->o, out);
    fputs(l->lines, out);
    fwrite(l->book->text, 1, l->book->used, out);
    fclose(out);
    return text;
}

static void run_at_once(struct linearize *l)
{
    struct hd_options with = *l->o;
    const struct hd_stage stage = { .is_given_up = note, .complete = complete, .ctx = l };
    char *text;

    l->lines = lines_of(l->book->left_out);
    text = text_of(l);

    l->result.orders = l->book->ndifferent;
    l->result.outcomes = l->book->noutcomes;
    l->result.blocked = l->book->blocked;
    l->result.has_state = tells_state(l->book);
    find_ignored(l->o, l->book, l->result.ignored, sizeof l->result.ignored);
    find_empty(l->o, l->book, l->result.empty, sizeof l->result.empty);
    find_endless(l->book, l->result.endless, sizeof l->result.endless);
    l->result.left_out = l->lines[0] != '\0';
    find_idle(l->book, l->result.idle, sizeof l->result.idle);
    l->result.criterion = l->o->criterion;
    l->result.sampled = l->o->sample_orders > 0;
    with.linear = HD_LINEAR_CONCURRENT;
    with.linear_book = text;
    with.linear_repeats = l->search == hd_search_stage && l->o->sample_orders == 0 && ++l->rounds < ROUNDS &&
                          has_left_out(l);
    l->again = false;
    l->written = true;
    l->search(&with, l->outputs, l->one, &stage, l->out);
    free(text);
    free(l->lines);
    if (l->again)
        return;
    recheck_found(l);
    if (!l->written && l->out->code != HD_EXIT_FINDING)
        l->out->code = HD_EXIT_USAGE;
}

void hd_linearize_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                         hd_concurrent_search *search, struct hd_one_result *out)
{
    struct linearize l = { .o = o, .outputs = outputs, .one = one, .search = search, .out = out };
    struct hd_lin_book *again = hd_zeroed(1, sizeof *again);

    l.book = hd_zeroed(1, sizeof *l.book);
    do {
        l.again = false;
        if (make_book(&l, again))
            run_at_once(&l);
    } while (l.again);
    free(l.book);
    free(again);
}

unsigned hd_linearize_steps(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                            struct hd_one_result *out)
{
    struct hd_options with = *o;
    struct linearize l = { .o = &with, .outputs = outputs, .one = one, .out = out };

    with.split = 1; /* the second client has no steps */
    l.book = hd_zeroed(1, sizeof *l.book);
    if (run_in_turn(&l) && l.steps == 0) {
        fprintf(stderr, "heddle: %s: --split: the test has no script; it calls heddle_script of <heddle/linear.h>, see "
                        "docs/linearize.md\n", one->argv[0]);
        fail(&l, HD_EXIT_USAGE, "the test has no script");
    }
    free(l.book);
    return l.steps;
}
