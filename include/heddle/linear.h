/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - a test of `heddle linearize`: which clients use an object at the same time, what
 * their operations return, and what the object holds at the end.
 *
 *     #include <heddle/linear.h>
 *
 *     static void one(void) { heddle_op_void(push(&s, 1)); heddle_op("%d", pop(&s)); }
 *     static void two(void) { heddle_op_void(push(&s, 2)); heddle_op("%d", pop(&s)); }
 *
 *     int main(void)
 *     {
 *         init(&s);                          set-up: everything before the clients
 *         heddle_clients(one, two);          runs them concurrently, and waits for them
 *         heddle_op("%d", size(&s));         probe: an operation after all others
 *         heddle_sequence("stack");          state: a component, and its elements
 *         for (struct node *n = s.top; n != 0; n = n->next)
 *             heddle_element("%d", n->value);
 *     }
 *
 * Heddle first runs the clients' operations one after the other, in every order.  Then it runs the
 * clients concurrently, in every interleaving.  The results of the operations, the probes and the
 * state must then all be those of one sequential order.  If an operation returned before another one
 * was called, it must come first in that order.
 *
 * Like heddle.h this needs no library and no Heddle (C99 and C++11 with GNU attributes): in an
 * ordinary run the clients run as threads, and nothing is checked.  docs/linearize.md has
 * more. */
#ifndef HEDDLE_LINEAR_H
#define HEDDLE_LINEAR_H

#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_MAX_CLIENTS = 8 };

/* How the state at the end of an execution must agree with that of a sequential order. */
enum heddle_rule {
    HEDDLE_EQUAL,
    HEDDLE_SUBSET,   /* it contains no more (a cache that may miss an insertion) */
    HEDDLE_SUPERSET, /* it contains no less (a cache that may contain duplicates) */
    HEDDLE_IGNORE
};

/* ---- clients and their operations --------------------------------------------------------- */

/* heddle_clients(one, two, ...): runs these functions, void f(void), as threads at the same time, and returns
 * when all have ended.  Call it once in an execution. */
#define heddle_clients(...)                                                             \
    do {                                                                                \
        void (*const heddle_list_[])(void) = { __VA_ARGS__ };                           \
        heddle_clients_(#__VA_ARGS__, heddle_list_,                                     \
                        (int)(sizeof heddle_list_ / sizeof *heddle_list_));             \
    } while (0)

/* heddle_script(one, two, ...): the steps of a sequential test, at most 16 functions void f(void), instead of
 * heddle_clients.  Each should contain an operation. `heddle linearize --split` distributes the steps to two
 * clients in every way that keeps their order.  Otherwise they run one after the other, and nothing is checked. */
#define heddle_script(...)                                                              \
    do {                                                                                \
        static void (*const heddle_steps_[])(void) = { __VA_ARGS__ };                   \
        heddle_script_(heddle_steps_, (int)(sizeof heddle_steps_ / sizeof *heddle_steps_)); \
    } while (0)

/* heddle_op("%d", pop(&s)): one operation of a client.  Reports show the call as it is written; the
 * format says how to print the result, and results are compared as printed.
 * heddle_op_void(push(&s, 1)): an operation without a result.
 * After heddle_clients these are probes; before it, nothing is recorded. */
#define heddle_op(format, ...)                     \
    do {                                           \
        heddle_call_(#__VA_ARGS__);                \
        heddle_return(format, __VA_ARGS__);        \
    } while (0)

#define heddle_op_void(...)                        \
    do {                                           \
        heddle_call_(#__VA_ARGS__);                \
        __VA_ARGS__;                               \
        heddle_return_("done", 0);                 \
    } while (0)

/* The same in two steps, for cases in which the text should show the values of arguments, or the result
 * needs more than one expression:
 *     heddle_call("put(%d, %d)", key, value);
 *     int code = put(&m, key, value);
 *     if (code < 0) heddle_return_error("%s", strerror(-code));
 *     else          heddle_return("stored");
 * The arguments are those of printf.  Only the printed text is compared, so do not print addresses, times
 * or anything else that differs between equal results.  Texts are truncated after 255 bytes, and then nothing is
 * proved: of longer results print a hash, or a part. */
#define heddle_call(...) heddle_call_(heddle_text_(__VA_ARGS__))
#define heddle_return(...) heddle_return_(heddle_text_(__VA_ARGS__), 0)
/* An error is a result like any other; reports distinguish a wrong error from a wrong result. */
#define heddle_return_error(...) heddle_return_(heddle_text_(__VA_ARGS__), 1)

/* heddle_compare_results(same): int same(const char *call, const char *result, const char *sequential) says whether a
 * result may stand for another one that the same operation returned in a sequential run.  Equal texts always may.
 * The answer must depend on the texts only.  Errors and other results are never compared with each other.  Call it
 * in the set-up. */
#define heddle_compare_results(function) ((void)(heddle_turns_.same = (function)))

/* ---- servers --------------------------------------------------------------------------------- */

/* If the clients are connections of a server, its threads report the requests instead of heddle_clients:
 *     heddle_request_begin(client, "%s", line);   a request of this client (0 to 7) has been read
 *     heddle_request_end("%s", reply);            it has been carried out by the same thread
 * heddle_accept(2, 1): to be called when the connections of all clients have been accepted; the first client
 * sends 2 requests, the second one 1.  Waits until all have been answered, and returns 1; after that come the
 * probes and the state.  A request that begins before this call waits for it.
 * Without `heddle linearize`, heddle_accept returns 0 at once, and the others do nothing. */
#define heddle_request_begin(client, ...) heddle_request_begin_((client), heddle_text_(__VA_ARGS__))
#define heddle_request_end(...) heddle_request_end_(heddle_text_(__VA_ARGS__), 0)
#define heddle_request_error(...) heddle_request_end_(heddle_text_(__VA_ARGS__), 1)
#define heddle_accept(...)                                                                   \
    heddle_accept_((const int[]){ __VA_ARGS__ }, (int)(sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int)))

/* 1 while Heddle runs the operations one after the other, otherwise 0.  If you have a model of the object, let
 * it answer in that case: then the object is compared with the model instead of with itself:
 *     heddle_op("%d", heddle_sequential() ? model_pop(&m) : pop(&s)); */
#define heddle_sequential() (heddle_linear_mode_() == HEDDLE_SEQUENTIAL_)

/* ---- the state at the end ------------------------------------------------------------------- */

/* Use these after heddle_clients.  Each begins a component of the state, to which heddle_element then adds
 * elements.  In a sequence the order of the elements matters; in a multiset, how often each one occurs; in a
 * set, only whether it occurs.  The elements of a map are keys with their values, such as "k=v".  In heddle_xor
 * an element is present if it was added an odd number of times: for structures that keep such a digest. */
#define heddle_set(name) heddle_component_((name), 0)
#define heddle_multiset(name) heddle_component_((name), 1)
#define heddle_sequence(name) heddle_component_((name), 2)
#define heddle_map(name) heddle_component_((name), 3)
#define heddle_xor(name) heddle_component_((name), 4)
#define heddle_element(...) heddle_element_(heddle_text_(__VA_ARGS__))

/* A component may also be begun before heddle_clients.  Any thread can then report each change of the structure,
 * so that the elements need not be listed at the end:
 *     heddle_insert("index", "%d", key);    one more of this element; in a sequence: at its end
 *     heddle_erase("index", "%d", key);     one less; not for a sequence
 * For a set begin a multiset or a map: it matters how often an element was reported.  One that was erased more often
 * than inserted is shown as "without ELEMENT".  To change an element, erase the old one and insert the new one. */
#define heddle_insert(name, ...) heddle_change_((name), 0, heddle_text_(__VA_ARGS__))
#define heddle_erase(name, ...) heddle_change_((name), 1, heddle_text_(__VA_ARGS__))

/* How the last component is compared; without this, HEDDLE_EQUAL. --rule overrides it. */
#define heddle_compare(rule) heddle_compare_(rule)

/* ---- internal: do not use the names below ---- */

#define HEDDLE_WEAK_ __attribute__((weak)) extern
HEDDLE_WEAK_ int heddle_rt_linear_mode(void);
HEDDLE_WEAK_ unsigned heddle_rt_linear_script(int n);
HEDDLE_WEAK_ void heddle_rt_linear_begin(const char *names, int n);
HEDDLE_WEAK_ void heddle_rt_linear_client(int client);
HEDDLE_WEAK_ int heddle_rt_linear_self(void);
HEDDLE_WEAK_ int heddle_rt_linear_stage(void);
HEDDLE_WEAK_ void heddle_rt_linear_joined(void);
HEDDLE_WEAK_ const char *heddle_rt_linear_alternative(int i, const char **call, const char **result);
HEDDLE_WEAK_ void heddle_rt_linear_accept(const char *result);
HEDDLE_WEAK_ int heddle_rt_linear_may_end(int after);
HEDDLE_WEAK_ void heddle_rt_linear_unfinished(void);
HEDDLE_WEAK_ void heddle_rt_linear_truncated(void);
HEDDLE_WEAK_ void heddle_rt_linear_call(const char *text);
HEDDLE_WEAK_ void heddle_rt_linear_return(const char *text, int error);
HEDDLE_WEAK_ void heddle_rt_linear_component(const char *name, int kind);
HEDDLE_WEAK_ void heddle_rt_linear_compare(int rule);
HEDDLE_WEAK_ void heddle_rt_linear_element(const char *text);
HEDDLE_WEAK_ void heddle_rt_linear_change(const char *name, int removes, const char *element);
#undef HEDDLE_WEAK_
#define HEDDLE_HELPER_ static inline __attribute__((unused))

enum { HEDDLE_CONCURRENT_ = 1, HEDDLE_SEQUENTIAL_ = 2 };
enum { HEDDLE_BEFORE_, HEDDLE_RUNNING_, HEDDLE_AFTER_ };

/* In a sequential run, main lets one client at a time make one operation: it gives the client a turn, and the
 * client runs to its next call, or to its end.  There is one such variable for all files of the program. */
struct heddle_turns_ {
    sem_t turn[HEDDLE_MAX_CLIENTS], arrived;
    int ended[HEDDLE_MAX_CLIENTS];
    void (*const *client)(void);
    int requests[HEDDLE_MAX_CLIENTS]; /* for each client of a server, the number of requests that must still be
                                       * answered */
    pthread_mutex_t lock;             /* protects the fields below; all zero is its static initial value */
    pthread_cond_t opened;
    int open; /* heddle_accept was called */
    int (*same)(const char *call, const char *result, const char *sequential);
};
__attribute__((weak)) struct heddle_turns_ heddle_turns_;

HEDDLE_HELPER_ int heddle_linear_mode_(void)
{
    return heddle_rt_linear_mode != 0 ? heddle_rt_linear_mode() : 0;
}

/* The arguments are always evaluated. */
__attribute__((format(printf, 1, 2))) HEDDLE_HELPER_ const char *heddle_text_(const char *format, ...)
{
    static __thread char text[256];
    va_list ap;

    if (heddle_linear_mode_() == 0)
        return "";
    va_start(ap, format);
    int n = vsnprintf(text, sizeof text, format, ap);

    va_end(ap);
    if (n >= (int)sizeof text && heddle_rt_linear_truncated != 0)
        heddle_rt_linear_truncated();
    return text;
}

/* An operation that does not return in some executions may have taken effect or not.  So in a sequential run the
 * search may also end the client before the operation or after it.  It does not end the threads of a server. */
HEDDLE_HELPER_ int heddle_ends_here_(int after)
{
    return heddle_linear_mode_() == HEDDLE_SEQUENTIAL_ && heddle_turns_.client != 0 && heddle_rt_linear_self() >= 0 &&
           heddle_rt_linear_may_end != 0 && heddle_rt_linear_may_end(after) && heddle_choose(2) == 1;
}

HEDDLE_INLINE_ void heddle_call_(const char *text)
{
    int ends = 0;

    if (heddle_linear_mode_() == HEDDLE_SEQUENTIAL_ && heddle_rt_linear_self() >= 0) {
        sem_post(&heddle_turns_.arrived);
        sem_wait(&heddle_turns_.turn[heddle_rt_linear_self()]);
        ends = heddle_ends_here_(0);
    }
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_call(text);
    if (ends)
        pthread_exit(0);
}

/* Asks the test which sequential results the one that was just returned may stand for. */
HEDDLE_HELPER_ void heddle_compare_result_(void)
{
    const char *call, *result, *other;

    if (heddle_turns_.same == 0 || heddle_linear_mode_() != HEDDLE_CONCURRENT_ || heddle_rt_linear_alternative == 0)
        return;
    for (int i = 0; (other = heddle_rt_linear_alternative(i, &call, &result)) != 0; i++)
        if (heddle_turns_.same(call, result, other))
            heddle_rt_linear_accept(other);
}

HEDDLE_INLINE_ void heddle_return_(const char *text, int error)
{
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_return(text, error);
    heddle_compare_result_();
    if (heddle_ends_here_(1))
        pthread_exit(0);
}

HEDDLE_INLINE_ void heddle_component_(const char *name, int kind)
{
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_component(name, kind);
}

HEDDLE_INLINE_ void heddle_compare_(enum heddle_rule rule)
{
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_compare((int)rule);
}

HEDDLE_INLINE_ void heddle_element_(const char *text)
{
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_element(text);
}

HEDDLE_INLINE_ void heddle_change_(const char *name, int removes, const char *element)
{
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_change(name, removes, element);
}

/* Called however the client ends. */
HEDDLE_HELPER_ void heddle_client_ends_(void *number)
{
    if (heddle_linear_mode_() == HEDDLE_SEQUENTIAL_) {
        heddle_turns_.ended[(intptr_t)number] = 1;
        sem_post(&heddle_turns_.arrived);
    }
}

HEDDLE_HELPER_ void heddle_run_client_(int self)
{
    if (heddle_linear_mode_() != 0)
        heddle_rt_linear_client(self);
    heddle_turns_.client[self]();
    if (heddle_linear_mode_() != 0 && heddle_rt_linear_unfinished != 0)
        heddle_rt_linear_unfinished();
}

HEDDLE_HELPER_ void *heddle_client_(void *number)
{
    pthread_cleanup_push(heddle_client_ends_, number);
    heddle_run_client_((int)(intptr_t)number);
    pthread_cleanup_pop(1);
    return 0;
}

HEDDLE_HELPER_ void heddle_start_(pthread_t *thread, int client)
{
    int error = pthread_create(thread, 0, heddle_client_, (void *)(intptr_t)client);

    if (error != 0) {
        fprintf(stderr, "heddle_clients: a client cannot be started (error %d)\n", error);
        exit(1);
    }
}

HEDDLE_HELPER_ void heddle_prepare_turns_(int n)
{
    sem_init(&heddle_turns_.arrived, 0, 0);
    for (int i = 0; i < n; i++) {
        sem_init(&heddle_turns_.turn[i], 0, 0);
        heddle_turns_.ended[i] = 0;
    }
}

/* Gives turns until all clients have ended.  Which client is next is a choice of the search, so every order of
 * operations is explored. */
HEDDLE_HELPER_ void heddle_give_turns_(int n)
{
    for (;;) {
        int able[HEDDLE_MAX_CLIENTS], nable = 0;

        for (int i = 0; i < n; i++)
            if (!heddle_turns_.ended[i])
                able[nable++] = i;
        if (nable == 0)
            return;
        sem_post(&heddle_turns_.turn[able[heddle_choose((unsigned)nable)]]);
        sem_wait(&heddle_turns_.arrived);
    }
}

HEDDLE_HELPER_ void heddle_clients_(const char *names, void (*const *client)(void), int n)
{
    int mode = heddle_linear_mode_();
    pthread_t thread[HEDDLE_MAX_CLIENTS];

    if (n > HEDDLE_MAX_CLIENTS) {
        fprintf(stderr, "heddle_clients: at most %d clients\n", (int)HEDDLE_MAX_CLIENTS);
        exit(1);
    }
    heddle_turns_.client = client;
    if (mode == HEDDLE_SEQUENTIAL_)
        heddle_prepare_turns_(n);
    if (mode != 0)
        heddle_rt_linear_begin(names, n);
    for (int i = 0; i < n; i++) {
        heddle_start_(&thread[i], i);
        if (mode == HEDDLE_SEQUENTIAL_)
            sem_wait(&heddle_turns_.arrived);
    }
    if (mode == HEDDLE_SEQUENTIAL_)
        heddle_give_turns_(n);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], 0);
    if (mode != 0)
        heddle_rt_linear_joined();
}

HEDDLE_HELPER_ void heddle_await_accept_(void)
{
    pthread_mutex_lock(&heddle_turns_.lock);
    while (!heddle_turns_.open)
        pthread_cond_wait(&heddle_turns_.opened, &heddle_turns_.lock);
    pthread_mutex_unlock(&heddle_turns_.lock);
}

/* Any thread may carry out the request of a client. */
HEDDLE_INLINE_ void heddle_request_begin_(int client, const char *text)
{
    if (heddle_linear_mode_() == 0)
        return;
    if (client < 0 || client >= HEDDLE_MAX_CLIENTS) {
        fprintf(stderr, "heddle_request_begin: clients have the numbers 0 to %d\n", (int)HEDDLE_MAX_CLIENTS - 1);
        exit(1);
    }
    if (heddle_rt_linear_stage() == HEDDLE_BEFORE_)
        heddle_await_accept_();
    if (heddle_rt_linear_self() != client || heddle_rt_linear_stage() == HEDDLE_AFTER_)
        heddle_rt_linear_client(client);
    heddle_call_(text);
}

HEDDLE_INLINE_ void heddle_request_end_(const char *text, int error)
{
    if (heddle_linear_mode_() == 0)
        return;
    int client = heddle_rt_linear_self();

    heddle_rt_linear_return(text, error);
    heddle_compare_result_();
    if (heddle_linear_mode_() == HEDDLE_CONCURRENT_) {
        sem_post(&heddle_turns_.arrived);
    } else if (client >= 0 && --heddle_turns_.requests[client] == 0) {
        heddle_turns_.ended[client] = 1;
        sem_post(&heddle_turns_.arrived);
    }
}

HEDDLE_HELPER_ int heddle_accept_(const int *requests, int n)
{
    int waits = 0, mode = heddle_linear_mode_();

    if (mode == 0)
        return 0;
    if (n > HEDDLE_MAX_CLIENTS) {
        fprintf(stderr, "heddle_accept: at most %d clients\n", (int)HEDDLE_MAX_CLIENTS);
        exit(1);
    }
    heddle_prepare_turns_(n);
    for (int i = 0; i < n; i++) {
        heddle_turns_.requests[i] = requests[i];
        heddle_turns_.ended[i] = requests[i] == 0;
        waits += mode == HEDDLE_SEQUENTIAL_ ? requests[i] > 0 : requests[i];
    }
    pthread_mutex_lock(&heddle_turns_.lock);
    heddle_rt_linear_begin("client 0, client 1, client 2, client 3, client 4, client 5, client 6, client 7", n);
    heddle_turns_.open = 1;
    pthread_cond_broadcast(&heddle_turns_.opened);
    pthread_mutex_unlock(&heddle_turns_.lock);
    for (int i = 0; i < waits; i++)
        sem_wait(&heddle_turns_.arrived);
    if (mode == HEDDLE_SEQUENTIAL_)
        heddle_give_turns_(n);
    heddle_rt_linear_joined();
    return 1;
}

struct heddle_steps_ {
    void (*const *step)(void);
    int n;
    unsigned second; /* bits: the steps of the second client */
};
__attribute__((weak)) struct heddle_steps_ heddle_steps_;

HEDDLE_HELPER_ void heddle_run_steps_(unsigned client)
{
    for (int i = 0; i < heddle_steps_.n; i++)
        if ((heddle_steps_.second >> i & 1) == client)
            heddle_steps_.step[i]();
}

HEDDLE_HELPER_ void heddle_first_(void)
{
    heddle_run_steps_(0);
}

HEDDLE_HELPER_ void heddle_second_(void)
{
    heddle_run_steps_(1);
}

HEDDLE_HELPER_ void heddle_script_(void (*const *step)(void), int n)
{
    static void (*const client[])(void) = { heddle_first_, heddle_second_ };
    unsigned split = heddle_linear_mode_() != 0 ? heddle_rt_linear_script(n) : 0;

    heddle_steps_.step = step;
    heddle_steps_.n = n;
    heddle_steps_.second = split > 0 ? split - 1 : 0;
    if (split > 0)
        heddle_clients_("first, second", client, 2);
    else
        heddle_run_steps_(0);
}

#undef HEDDLE_HELPER_

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
