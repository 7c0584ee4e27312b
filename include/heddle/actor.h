/* SPDX-License-Identifier: BSD-2-Clause
 *
 * actor.h - actors: objects that have a mailbox and a thread of control of their own, and share
 * nothing.  An actor takes one message at a time, in the order in which they were sent to it, and
 * runs the action of that message to its end.
 *
 *     #include <heddle/actor.h>
 *
 *     #define COUNTER(I, MESSAGE, REQUEST)       \
 *         MESSAGE(I, add, (int, amount))         \
 *         REQUEST(I, get, int)
 *     HEDDLE_INTERFACE(counter, COUNTER)         what others may send: counter_add(c, 1)
 *
 *     struct adder { int sum; };
 *     HEDDLE_IMPLEMENT(counter, COUNTER, adder)  an actor that understands it: adder_create(&state)
 *
 *     static void adder_add(struct adder *self, int amount) { self->sum += amount; }
 *     static void adder_get(struct adder *self, counter_get_request from)
 *     {
 *         counter_get_reply(from, self->sum);
 *     }
 *
 * The same program runs in two ways.  In an ordinary run a pool of threads runs the actors
 * (libheddle-actor: link with -lheddle-actor -lpthread).  Under Heddle every actor is a thread
 * whose sends and receives the search orders.  docs/actors.md is the guide. */
#ifndef HEDDLE_ACTOR_H
#define HEDDLE_ACTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- references and messages ---------------------------------------------------------------- */

/* Refers to an actor, or to the mailbox of a thread.  A reference stays valid for ever: after the end of the
 * actor, what is sent to it is dropped.  All zero: nobody. */
typedef struct heddle_ref {
    struct heddle_cell_ *cell;
    uint32_t life;   /* an actor that takes the place of one that has ended has another number */
    uint32_t first_; /* of a proxy: where its messages begin in the interface of the actor */
} heddle_ref;

/* What a message type is called in reports. */
typedef struct heddle_message_type {
    const char *interface;
    const char *name;
} heddle_message_type;

/* The head of every message; its parameters follow.  Only `type`, `id` and `sender` are for users of the
 * untyped layer. */
typedef struct heddle_message {
    struct heddle_message *next_;
    const heddle_message_type *type;
    heddle_ref sender; /* nobody, if a thread without a mailbox has sent it */
    uint64_t request_; /* the number of a request, and of its answer; 0: neither */
    uint32_t life_;
    uint32_t id;       /* number of the message in its interface */
    uint32_t flags_;
    uint32_t size_;
} heddle_message;

/* Returns a message of this size (with its head) for heddle_send, or for heddle_message_free.  Ends the
 * program when there is no memory. */
heddle_message *heddle_message_new(const heddle_message_type *type, uint32_t id, size_t size);
void heddle_message_free(heddle_message *m);

/* ---- actors ----------------------------------------------------------------------------------- */

/* Why an actor has ended. */
enum {
    HEDDLE_STOPPED = 0, /* heddle_stop; any number above 0 is the reason of heddle_fail */
    HEDDLE_KILLED = -1, /* heddle_kill, or the end of all actors */
    HEDDLE_CRASHED = -2 /* its node has crashed */
};

/* What an actor does.  All functions run as the actor, one at a time. */
typedef struct heddle_behaviour {
    const char *name;
    /* One message.  It is freed afterwards, unless this function calls heddle_message_keep. */
    void (*act)(void *state, heddle_message *m);
    /* Before the first message; may be null, as may the following. */
    void (*begin)(void *state);
    /* After the last one, for instance to free the state.  Is not called after a crash or a kill, as nothing
     * of a machine that is switched off runs; who frees the state then is `lost`. */
    void (*end)(void *state, int reason);
    void (*lost)(void *state);
    /* An actor that this one has created, or watches, has ended.  Null: it is not told. */
    void (*down)(void *state, heddle_ref who, int reason);
} heddle_behaviour;

typedef struct heddle_node heddle_node; /* a machine: see "nodes and failures" below */

/* All zero: no name, no bound, the node of the creator. */
typedef struct heddle_actor_options {
    const char *name;  /* in reports; copied.  Null: the name of the behaviour */
    unsigned capacity; /* a mailbox that holds this many messages is full; 0: none ever is */
    heddle_node *node;
    int published;     /* heddle_find finds it by its name */
} heddle_actor_options;

/* Returns a new actor; nobody if the running actor has no effects any more.  options may be null.  The first call starts the threads that run actors, if
 * heddle_actors_start has not. */
heddle_ref heddle_create(const heddle_behaviour *what, void *state, const heddle_actor_options *options);

/* Returns the running actor.  For another thread: its mailbox, which its first call makes, and which ends
 * with the thread. */
heddle_ref heddle_self(void);

/* Puts a message into the mailbox of `to`, which then owns it.  Never waits.  Messages of one sender arrive in the
 * order in which they were sent.  A message to a full mailbox, or to an actor that has ended, is dropped. */
void heddle_send(heddle_ref to, heddle_message *m);
/* The same; says what has become of it: 0; EAGAIN: the mailbox is full; ESRCH: the actor has ended.  If not 0, the
 * message still belongs to the caller.  0 is no promise that the actor lives long enough to see it. */
int heddle_try_send(heddle_ref to, heddle_message *m);

/* The actor ends after the messages that are in its mailbox now. */
void heddle_stop(heddle_ref who);
/* The same, without the actions of these messages: it takes no further message when it comes to this one. */
void heddle_kill(heddle_ref who);
/* The running actor ends after this action, with this reason, a number above 0. */
void heddle_fail(int reason);
/* Waits for the end of an actor.  Returns its reason.  A second join, also a late one, returns the same;
 * one of an actor whose place is in use again returns HEDDLE_KILLED. */
int heddle_join(heddle_ref who);
/* The running actor or thread is told of the end of `who`: by `down`, or by a message of the type
 * heddle_down_type. */
void heddle_watch(heddle_ref who);
/* Returns the actor that was published under this name last and has not ended, or nobody. */
heddle_ref heddle_find(const char *name);
/* What heddle_watch brings to the mailbox of a thread, and heddle_receive inside of an action. */
extern const heddle_message_type heddle_down_type;
typedef struct heddle_down_message {
    heddle_message head;
    heddle_ref who;
    int reason;
} heddle_down_message;

static inline int heddle_is(heddle_ref a, heddle_ref b)
{
    return a.cell == b.cell && a.life == b.life;
}
static inline int heddle_is_nobody(heddle_ref a)
{
    return a.cell == 0;
}

/* ---- inside of an action, and in threads with a mailbox --------------------------------------------- */

/* Waits for the next message for which match returns nonzero; null: for any.  Others stay in the mailbox, in
 * their order.  The message belongs to the caller.  While an actor waits, its worker runs others.
 * Returns null if the actor is killed meanwhile. */
heddle_message *heddle_receive(int (*match)(const heddle_message *m, void *context), void *context);
/* The same, without waiting: null if there is none. */
heddle_message *heddle_poll(int (*match)(const heddle_message *m, void *context), void *context);
/* The message of the running action is not freed after it. */
void heddle_message_keep(heddle_message *m);
/* Sends a request and waits for its answer, which belongs to the caller.  Null: the actor has ended before it
 * has taken the request. */
heddle_message *heddle_request(heddle_ref to, heddle_message *m);
/* Who asks, and for what: to be kept until the answer is known. */
typedef struct heddle_asker {
    heddle_ref who;
    uint64_t request;
} heddle_asker;
heddle_asker heddle_asker_of(const heddle_message *m);
void heddle_answer(heddle_asker to, heddle_message *m);

/* A number below n, from a generator of the running actor.  Its numbers depend on the seed and on the actor's place in the
 * tree of creation, and not on timing. */
uint64_t heddle_random(uint64_t n);

/* ---- time --------------------------------------------------------------------------------------- */

typedef struct heddle_timer {
    struct heddle_alarm_ *alarm;
    uint64_t life;
} heddle_timer;

/* Sends the message when so many nanoseconds have passed.  Under Heddle: at any time, as a clock may be slow. */
heddle_timer heddle_send_after(heddle_ref to, heddle_message *m, uint64_t nanoseconds);
/* Returns 1 if the message will not be sent, 0 if it was. */
int heddle_cancel(heddle_timer timer);

/* ---- all actors ----------------------------------------------------------------------------------- */

typedef struct heddle_actors_options {
    unsigned workers; /* threads that run actors; 0: one per processor */
    uint64_t seed;    /* of heddle_random */
} heddle_actors_options;

/* Optional; before the first actor.  Null: all zero. */
void heddle_actors_start(const heddle_actors_options *options);
/* Kills all actors, waits for the end of their actions and ends the threads.  Not inside of an action. */
void heddle_actors_stop(void);
/* Waits until every actor is idle, and no message to an actor or timer is pending.  Not inside of an action.
 * Mailboxes of threads do not count.  An actor that waits inside of an action is not idle. */
void heddle_quiesce(void);
/* Messages that were dropped since the start: to actors that have ended, and to full mailboxes. */
uint64_t heddle_dropped(void);

/* ---- requests and responses that wait for each other ---------------------------------------------- */

/* Two queues.  A function decides about each pair of a request and a response, the oldest first, which of
 * them is dropped.  A response that is null, the end of a stream, is never dropped.  Nothing else is known
 * of requests and responses: they belong to the caller. */
typedef struct heddle_buffer heddle_buffer;
enum { HEDDLE_KEEP = 0, HEDDLE_DROP_REQUEST = 1, HEDDLE_DROP_RESPONSE = 2, HEDDLE_DROP_BOTH = 3 };
typedef unsigned heddle_pair(void *context, void *request, void *response);

heddle_buffer *heddle_buffer_new(void);
void heddle_buffer_free(heddle_buffer *b);
/* Each adds one, and then processes the pairs. */
void heddle_buffer_add_request(heddle_buffer *b, void *request, heddle_pair *pair, void *context);
void heddle_buffer_add_response(heddle_buffer *b, void *response, heddle_pair *pair, void *context);
void heddle_buffer_process_matching(heddle_buffer *b, heddle_pair *pair, void *context);
size_t heddle_buffer_requests(const heddle_buffer *b);
size_t heddle_buffer_responses(const heddle_buffer *b);

/* ---- the typed layer ------------------------------------------------------------------------------- */

/* HEDDLE_INTERFACE(counter, COUNTER), with
 *     #define COUNTER(I, MESSAGE, REQUEST)  MESSAGE(I, add, (int, amount))  REQUEST(I, get, int, (int, key))
 * makes the type `counter`, a proxy that is passed by value, and for each message (at most 8 parameters)
 *     counter_add(c, amount)                 sends it
 *     counter_try_add(c, amount)             as heddle_try_send; the message is freed if it was not sent
 *     counter_add_after(c, nanoseconds, amount)   a timer
 * and for each request
 *     counter_get(c, &value, key)            waits for the answer; 0, or ESRCH if the actor has ended
 *     counter_get_reply(from, value)         answers, at once or later; from is a counter_get_request.
 * A parameter of a wrong type, a missing one, a message that the interface does not have: the compiler
 * refuses.  The names create, create_with, behaviour and of are taken. */
#define HEDDLE_INTERFACE(I, LIST)                                                        \
    typedef struct I { heddle_ref ref; } I;                             \
    enum { LIST(I, HEDDLE_ID_, HEDDLE_ID_REQUEST_) I##_messages_ };                      \
    static inline HEDDLE_UNUSED_ I I##_of(heddle_ref ref) { I p_ = { ref }; return p_; }  \
    LIST(I, HEDDLE_MESSAGE_, HEDDLE_REQUEST_)                                            \
    typedef int I##_is_an_interface_

/* HEDDLE_IMPLEMENT(counter, COUNTER, adder, ...): actors with state `struct adder` that take the messages of the
 * interface, each by a function of the file, `static`:
 *     void adder_add(struct adder *self, int amount)
 *     void adder_get(struct adder *self, counter_get_request from, int key)
 * and  counter adder_create(struct adder *self)  and  counter adder_create_with(self, options).
 * Further arguments are fields of heddle_behaviour: .end = free_it, .down = child_has_died. */
#define HEDDLE_IMPLEMENT(I, LIST, A, ...)                                                \
    struct A;                                                                            \
    HEDDLE_ACTIONS_(I, LIST, A)                                                          \
    static void A##_act_(void *self_, heddle_message *m_)                                \
    {                                                                                    \
        struct A *self = (struct A *)self_;                                              \
        switch (m_->id) {                                                                \
            LIST(HEDDLE_PAIR_(I, A), HEDDLE_CASE_, HEDDLE_CASE_REQUEST_)                 \
        default: break;                                                                  \
        }                                                                                \
        (void)self;                                                                      \
    }                                                                                    \
    static const heddle_behaviour A##_behaviour = { .name = #A, .act = A##_act_, ##__VA_ARGS__ }; \
    static inline HEDDLE_UNUSED_ I A##_create_with(struct A *self, const heddle_actor_options *o_) \
    {                                                                                    \
        return I##_of(heddle_create(&A##_behaviour, self, o_));                          \
    }                                                                                    \
    static inline HEDDLE_UNUSED_ I A##_create(struct A *self) { return A##_create_with(self, 0); } \
    typedef int A##_is_an_actor_

/* HEDDLE_NARROW(store, reader, READER): reader store_as_reader(store p), for those who are to send no more than the
 * messages of READER.  The list of the interface `store` contains that of `reader` as it is:
 *     #define STORE(I, MESSAGE, REQUEST)  READER(I, MESSAGE, REQUEST)  MESSAGE(I, put, (int, value)) */
#define HEDDLE_NARROW(WIDE, I, LIST)                                                     \
    enum { WIDE##_as_##I##_ = LIST(HEDDLE_PAIR_(I, WIDE), HEDDLE_FIRST_, HEDDLE_FIRST_) 0 }; \
    LIST(HEDDLE_PAIR_(I, WIDE), HEDDLE_SAME_, HEDDLE_SAME_)                              \
    static inline HEDDLE_UNUSED_ I WIDE##_as_##I(WIDE wide)                              \
    {                                                                                    \
        I p_ = { wide.ref };                                                             \
        p_.ref.first_ += WIDE##_as_##I##_;                                               \
        return p_;                                                                       \
    }                                                                                    \
    typedef int WIDE##_as_##I##_is_defined_

/* ---- nodes and failures ------------------------------------------------------------------------------ */

/* A node is a machine: actors that fail together.  boot creates its first actors, now and after each restart; it runs as an
 * actor of the node.  The actors that an actor creates are of its node.
 * Messages between nodes go over a network.  With `heddle run --faults` the search lets nodes crash and messages go astray,
 * as often as the option says: see docs/actors.md. */
heddle_node *heddle_node_new(const char *name, void (*boot)(void *), void *context);
/* All actors of the node end (HEDDLE_CRASHED) where they are: what they have sent arrives, what they would still send
 * does not.  What was not synced to stable storage is lost. */
void heddle_node_crash(heddle_node *node);
void heddle_node_restart(heddle_node *node);
/* Does the running actor live on this node? */
heddle_node *heddle_node_self(void);
const char *heddle_node_name(const heddle_node *node);

/* Stable storage of the node of the running actor: values by key.  A write is lost in a crash unless a sync comes after
 * it.  Returns the length of the value, 0 if there is none; at most `size` bytes are copied. */
void heddle_store_write(const char *key, const void *value, size_t size);
size_t heddle_store_read(const char *key, void *value, size_t size);
void heddle_store_sync(void);

/* ---- what comes below is not called by name ------------------------------------------------------------ */

#define HEDDLE_UNUSED_ __attribute__((unused))
#define HEDDLE_PAIR_(a, b) (a, b)
#define HEDDLE_GLUE2_(a, b) a##b
#define HEDDLE_GLUE_(a, b) HEDDLE_GLUE2_(a, b)

/* HEDDLE_EACH_(f, (int, a), (int, b)): f(int, a) f(int, b) */
#define HEDDLE_COUNT_(...) HEDDLE_NINTH_(0, ##__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define HEDDLE_NINTH_(z, a, b, c, d, e, f, g, h, n, ...) n
#define HEDDLE_EACH_(f, ...) HEDDLE_GLUE_(HEDDLE_EACH_, HEDDLE_COUNT_(__VA_ARGS__))(f, ##__VA_ARGS__)
#define HEDDLE_EACH_0(f, ...)
#define HEDDLE_EACH_1(f, p) f p
#define HEDDLE_EACH_2(f, p, ...) f p HEDDLE_EACH_1(f, __VA_ARGS__)
#define HEDDLE_EACH_3(f, p, ...) f p HEDDLE_EACH_2(f, __VA_ARGS__)
#define HEDDLE_EACH_4(f, p, ...) f p HEDDLE_EACH_3(f, __VA_ARGS__)
#define HEDDLE_EACH_5(f, p, ...) f p HEDDLE_EACH_4(f, __VA_ARGS__)
#define HEDDLE_EACH_6(f, p, ...) f p HEDDLE_EACH_5(f, __VA_ARGS__)
#define HEDDLE_EACH_7(f, p, ...) f p HEDDLE_EACH_6(f, __VA_ARGS__)
#define HEDDLE_EACH_8(f, p, ...) f p HEDDLE_EACH_7(f, __VA_ARGS__)

#define HEDDLE_FIELD_(T, n) T n;
#define HEDDLE_PARAMETER_(T, n) , T n
#define HEDDLE_ARGUMENT_(T, n) , n
#define HEDDLE_SET_(T, n) m_->n = n;
#define HEDDLE_GET_(T, n) , p_->n

#define HEDDLE_ID_(I, M, ...) I##_##M##_id_,
#define HEDDLE_ID_REQUEST_(I, M, ...) I##_##M##_id_,

/* The struct of a message, and the function that makes one. */
#define HEDDLE_PACK_(I, M, ...)                                                          \
    struct I##_##M##_message { heddle_message head; HEDDLE_EACH_(HEDDLE_FIELD_, ##__VA_ARGS__) }; \
    static const heddle_message_type I##_##M##_type = { #I, #M };                        \
    static inline HEDDLE_UNUSED_ heddle_message *I##_##M##_new(I to_ HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__)) \
    {                                                                                    \
        struct I##_##M##_message *m_ = (struct I##_##M##_message *)heddle_message_new(   \
            &I##_##M##_type, to_.ref.first_ + I##_##M##_id_, sizeof *m_);                    \
        HEDDLE_EACH_(HEDDLE_SET_, ##__VA_ARGS__)                                         \
        return &m_->head;                                                                \
    }

#define HEDDLE_MESSAGE_(I, M, ...)                                                       \
    HEDDLE_PACK_(I, M, ##__VA_ARGS__)                                                    \
    static inline HEDDLE_UNUSED_ void I##_##M(I to_ HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__)) \
    {                                                                                    \
        heddle_send(to_.ref, I##_##M##_new(to_ HEDDLE_EACH_(HEDDLE_ARGUMENT_, ##__VA_ARGS__)));  \
    }                                                                                    \
    static inline HEDDLE_UNUSED_ int I##_try_##M(I to_ HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__)) \
    {                                                                                    \
        heddle_message *m_ = I##_##M##_new(to_ HEDDLE_EACH_(HEDDLE_ARGUMENT_, ##__VA_ARGS__));   \
        int rc_ = heddle_try_send(to_.ref, m_);                                          \
        if (rc_ != 0)                                                                    \
            heddle_message_free(m_);                                                     \
        return rc_;                                                                      \
    }                                                                                    \
    static inline HEDDLE_UNUSED_ heddle_timer I##_##M##_after(I to_, uint64_t ns_ HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__)) \
    {                                                                                    \
        return heddle_send_after(to_.ref, I##_##M##_new(to_ HEDDLE_EACH_(HEDDLE_ARGUMENT_, ##__VA_ARGS__)), ns_); \
    }

#define HEDDLE_REQUEST_(I, M, T, ...)                                                    \
    HEDDLE_PACK_(I, M, ##__VA_ARGS__)                                                    \
    struct I##_##M##_answer { heddle_message head; T value; };                           \
    static const heddle_message_type I##_##M##_answer_type = { #I, #M " answer" };       \
    typedef struct I##_##M##_request { heddle_asker asker; } I##_##M##_request;          \
    static inline HEDDLE_UNUSED_ int I##_##M(I to_, T *value_ HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__)) \
    {                                                                                    \
        struct I##_##M##_answer *a_ = (struct I##_##M##_answer *)heddle_request(         \
            to_.ref, I##_##M##_new(to_ HEDDLE_EACH_(HEDDLE_ARGUMENT_, ##__VA_ARGS__)));  \
        if (a_ == 0)                                                                     \
            return 3; /* ESRCH */                                                        \
        if (value_ != 0)                                                                 \
            *value_ = a_->value;                                                         \
        heddle_message_free(&a_->head);                                                  \
        return 0;                                                                        \
    }                                                                                    \
    static inline HEDDLE_UNUSED_ void I##_##M##_reply(I##_##M##_request from_, T value_)         \
    {                                                                                    \
        struct I##_##M##_answer *a_ = (struct I##_##M##_answer *)heddle_message_new(     \
            &I##_##M##_answer_type, 0, sizeof *a_);                                      \
        a_->value = value_;                                                              \
        heddle_answer(from_.asker, &a_->head);                                           \
    }

/* An X-macro passes its first argument on as it is; a pair of names is taken apart here. */
#define HEDDLE_I_(I, A) I
#define HEDDLE_A_(I, A) A
#define HEDDLE_ACTIONS_(I, LIST, A) LIST(HEDDLE_PAIR_(I, A), HEDDLE_ACTION_, HEDDLE_ACTION_REQUEST_)
#define HEDDLE_CALL_(f, ...) f(__VA_ARGS__)
#define HEDDLE_ACTION_(P, M, ...) HEDDLE_CALL_(HEDDLE_ACTION2_, HEDDLE_A_ P, M, ##__VA_ARGS__)
#define HEDDLE_ACTION2_(A, M, ...) \
    static void A##_##M(struct A *self HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__));
#define HEDDLE_ACTION_REQUEST_(P, M, T, ...) \
    HEDDLE_CALL_(HEDDLE_ACTION_REQUEST2_, HEDDLE_I_ P, HEDDLE_A_ P, M, ##__VA_ARGS__)
#define HEDDLE_ACTION_REQUEST2_(I, A, M, ...) \
    static void A##_##M(struct A *self, I##_##M##_request from HEDDLE_EACH_(HEDDLE_PARAMETER_, ##__VA_ARGS__));

#define HEDDLE_CASE_(P, M, ...) HEDDLE_CALL_(HEDDLE_CASE2_, HEDDLE_I_ P, HEDDLE_A_ P, M, ##__VA_ARGS__)
#define HEDDLE_CASE2_(I, A, M, ...)                                                      \
    case I##_##M##_id_: {                                                                \
        struct I##_##M##_message *p_ = (struct I##_##M##_message *)m_;                   \
        (void)p_;                                                                        \
        A##_##M(self HEDDLE_EACH_(HEDDLE_GET_, ##__VA_ARGS__));                          \
        break;                                                                           \
    }
#define HEDDLE_CASE_REQUEST_(P, M, T, ...) \
    HEDDLE_CALL_(HEDDLE_CASE_REQUEST2_, HEDDLE_I_ P, HEDDLE_A_ P, M, ##__VA_ARGS__)
#define HEDDLE_CASE_REQUEST2_(I, A, M, ...)                                              \
    case I##_##M##_id_: {                                                                \
        struct I##_##M##_message *p_ = (struct I##_##M##_message *)m_;                   \
        I##_##M##_request from_ = { heddle_asker_of(m_) };                               \
        (void)p_;                                                                        \
        A##_##M(self, from_ HEDDLE_EACH_(HEDDLE_GET_, ##__VA_ARGS__));                   \
        break;                                                                           \
    }

/* Where the narrow list begins in the wide one, and that it is there without gaps and with the same fields. */
#define HEDDLE_FIRST_(P, M, ...) HEDDLE_CALL_(HEDDLE_FIRST2_, HEDDLE_I_ P, HEDDLE_A_ P, M)
#define HEDDLE_FIRST2_(I, W, M) I##_##M##_id_ == 0 ? (int)W##_##M##_id_ :
#define HEDDLE_SAME_(P, M, ...) HEDDLE_CALL_(HEDDLE_SAME2_, HEDDLE_I_ P, HEDDLE_A_ P, M)
#define HEDDLE_SAME2_(I, W, M)                                                           \
    _Static_assert((int)I##_##M##_id_ + W##_as_##I##_ == (int)W##_##M##_id_ &&           \
                       sizeof(struct I##_##M##_message) == sizeof(struct W##_##M##_message), \
                   #W " does not contain the list of " #I);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
