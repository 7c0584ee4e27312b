/* SPDX-License-Identifier: BSD-2-Clause
 *
 * criterion.c - runs one test of Criterion.  Criterion runs every test in its own process and communicates with it
 * over a socket, which is outside Heddle's control.  Here the wanted test runs in this process, between its
 * fixtures, and a failed assertion that would end the test aborts.  Checks that Criterion makes from outside (an
 * expected signal or exit code) are not possible; such tests are listed as skipped. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "each/each.h"

/* ---- the data of Criterion 2.4 (libcriterion.so.3) ------------------------------------------ */

struct params {
    size_t size;
    void *params;
    size_t length;
    void (*cleanup)(struct params *);
};

struct extra {
    int sentinel, compiler, language, kind;
    struct params (*params)(void); /* for a parameterised test; otherwise NULL */
    const char *identifier, *file;
    unsigned line;
    void (*init)(void);
    void (*fini)(void);
    int signal, exit_code;
    bool disabled;
    const char *description;
    double timeout;
    void *data;
};

struct test {
    const char *name, *category;
    void (*run)(void);
    struct extra *data;
};

struct suite {
    const char *name;
    struct extra *data;
};

struct node {
    struct node *next; /* the element is stored behind the node */
};

struct set {
    struct node *first;
    size_t size;
};

struct suite_set {
    struct suite suite;
    struct set *tests;
};

struct test_set {
    struct set *suites;
    size_t tests;
};

struct assert_node {
    const char *repr, *message;
    struct {
        const char *name;
        void *data;
        int type;
    } params[4];
    unsigned pass : 1, dynamic : 1, nchildren : 30;
    unsigned room;
    struct assert_node *children;
};

struct assert_stats {
    const char *message;
    bool passed;
    unsigned line;
    const char *file;
};

/* ---- the test that runs ---------------------------------------------------------------------- */

static const struct suite *the_suite;
static const struct test *the_test; /* NULL: Criterion itself is running */
static void *the_parameter;         /* for a parameterised test */
static bool failed;

static void call(void (*f)(void))
{
    if (f != NULL)
        f();
}

/* Called by the test's code in this order. */
HD_EACH_API void criterion_internal_test_setup(void)
{
    if (the_test == NULL) {
        ((void (*)(void))hd_each_real("criterion_internal_test_setup"))();
        return;
    }
    if (the_suite->data != NULL)
        call(the_suite->data->init);
    call(the_test->data->init);
}

HD_EACH_API void criterion_internal_test_main(void (*body)(void))
{
    if (the_test == NULL)
        ((void (*)(void (*)(void)))hd_each_real("criterion_internal_test_main"))(body);
    else if (the_parameter != NULL)
        ((void (*)(void *))body)(the_parameter);
    else
        body();
}

HD_EACH_API void criterion_internal_test_teardown(void)
{
    if (the_test == NULL) {
        ((void (*)(void))hd_each_real("criterion_internal_test_teardown"))();
        return;
    }
    call(the_test->data->fini);
    if (the_suite->data != NULL)
        call(the_suite->data->fini);
}

static void say_failure(const char *file, size_t line, const char *what, const char *message)
{
    failed = true;
    fprintf(stderr, "%s:%zu: Assertion failed: %s%s%s\n", file, line, what,
            message != NULL && message[0] != '\0' ? ": " : "", message != NULL ? message : "");
}

/* cr_assert_eq() and similar checks */
HD_EACH_API void criterion_send_assert(struct assert_stats *s)
{
    if (the_test == NULL) {
        ((void (*)(struct assert_stats *))hd_each_real("criterion_send_assert"))(s);
        return;
    }
    if (!s->passed)
        say_failure(s->file, s->line, s->message != NULL ? s->message : "", NULL);
}

/* The root has no text if it contains a single condition. */
static const char *words_of(const struct assert_node *n)
{
    if (n->repr != NULL && n->repr[0] != '\0')
        return n->repr;
    for (unsigned i = 0; i < n->nchildren; i++)
        if (!n->children[i].pass)
            return words_of(&n->children[i]);
    return "";
}

/* cr_assert(eq(...)) */
HD_EACH_API void cri_assert_node_send(const char *file, size_t line, struct assert_node *tree)
{
    if (the_test == NULL)
        ((void (*)(const char *, size_t, struct assert_node *))hd_each_real("cri_assert_node_send"))(
            file, line, tree);
    else if (!tree->pass)
        say_failure(file, line, words_of(tree), tree->message);
}

HD_EACH_API void cri_asserts_passed_incr(void)
{
    if (the_test == NULL)
        ((void (*)(void))hd_each_real("cri_asserts_passed_incr"))();
}

HD_EACH_API _Noreturn void criterion_abort_test(void)
{
    if (the_test == NULL)
        ((void (*)(void))hd_each_real("criterion_abort_test"))();
    abort();
}

HD_EACH_API void criterion_test_die(const char *format, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (the_test == NULL) {
        ((void (*)(const char *, ...))hd_each_real("criterion_test_die"))("%s", text);
        return;
    }
    fprintf(stderr, "%s\n", text);
    abort();
}

/* A skipped test counts as passed. */
HD_EACH_API _Noreturn void criterion_skip_test(const char *format, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format != NULL ? format : "", ap);
    va_end(ap);
    if (the_test == NULL)
        ((void (*)(const char *, ...))hd_each_real("criterion_skip_test"))("%s", text);
    exit(0);
}

/* ---- the beginning ---------------------------------------------------------------------------------- */

/* Criterion starts by reading the files of all loaded libraries and by initialising
 * libgit2, which takes milliseconds and some hundred lock operations in each execution
 * before the test begins.  Done before main it costs nothing, because memory is restored to
 * its state at main. */
static struct test_set *all_tests;

__attribute__((constructor(65535))) static void initialize(void)
{
    struct test_set *(*real)(void) = (struct test_set *(*)(void))dlsym(RTLD_NEXT, "criterion_initialize");

    if (real != NULL && hd_each_mode() == HD_EACH_RUNS)
        all_tests = real();
}

HD_EACH_API struct test_set *criterion_initialize(void)
{
    if (all_tests != NULL)
        return all_tests;
    return ((struct test_set *(*)(void))hd_each_real("criterion_initialize"))();
}

HD_EACH_API void criterion_finalize(struct test_set *all)
{
    if (all != all_tests)
        ((void (*)(struct test_set *))hd_each_real("criterion_finalize"))(all);
}

/* ---- all tests --------------------------------------------------------------------------------- */

static const char *why_not(const struct suite *suite, const struct test *t)
{
    const struct extra *s = suite->data;

    if (t->data->disabled || (s != NULL && s->disabled))
        return "disabled";
    if (t->data->signal != 0 || (s != NULL && s->signal != 0))
        return "it expects a signal, which Criterion checks from another process";
    if (t->data->exit_code != 0 || (s != NULL && s->exit_code != 0))
        return "it expects an exit code, which Criterion checks from another process";
    return NULL;
}

static void consider(const struct suite *suite, const struct test *t, const char *name, void *parameter)
{
    if (hd_each_mode() == HD_EACH_LISTS) {
        hd_each_list(name, why_not(suite, t));
    } else if (hd_each_is_wanted(name)) {
        the_suite = suite;
        the_test = t;
        the_parameter = parameter;
        t->run();
        the_test = NULL;
    }
}

/* Names the tests "suite/test" or, if they have parameters, "suite/test/0" and so on. */
static void look_at(const struct suite *suite, const struct test *t)
{
    char name[600];

    if (t->data->params == NULL) {
        snprintf(name, sizeof name, "%s/%s", suite->name, t->name);
        consider(suite, t, name, NULL);
        return;
    }
    struct params p = t->data->params();

    for (size_t i = 0; i < p.length; i++) {
        snprintf(name, sizeof name, "%s/%s/%zu", suite->name, t->name, i);
        consider(suite, t, name, (char *)p.params + i * p.size);
    }
    if (p.cleanup != NULL)
        p.cleanup(&p);
}

/* True if nothing failed. */
HD_EACH_API int criterion_run_all_tests(struct test_set *all)
{
    if (hd_each_mode() == HD_EACH_OFF)
        return ((int (*)(struct test_set *))hd_each_real("criterion_run_all_tests"))(all);
    for (struct node *s = all->suites->first; s != NULL; s = s->next) {
        const struct suite_set *set = (const void *)(s + 1);

        for (struct node *t = set->tests->first; t != NULL; t = t->next)
            look_at(&set->suite, (const void *)(t + 1));
    }
    return !failed;
}
