/* SPDX-License-Identifier: BSD-2-Clause
 *
 * actor.h - actors: objects that have a mailbox and a thread of control of their own, and share
 * nothing.  An actor takes one message at a time, in the order in which they were sent, and runs the
 * action of that message to its end.
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

/* Refers to an actor, or to the mailbox of a thread.  A reference stays valid for ever: when the actor has
 * ended, what is sent to it is dropped.  All zero: refers to nobody. */
typedef struct heddle_ref {
    struct heddle_cell_ *cell;
    uint32_t life;   /* distinguishes an actor from later ones that use the same memory */
    uint32_t first_; /* for a proxy: where its messages begin in the interface of the actor */
} heddle_ref;

/* The name of a message type in reports. */
typedef struct heddle_message_type {
    const char *interface;
    const char *name;
} heddle_message_type;

/* The head of every message; the parameters follow.  Only `type`, `id` and `sender` are for users of the
 * untyped layer. */
typedef struct heddle_message {
    struct heddle_message *next_;
    const heddle_message_type *type;
    heddle_ref sender; /* nobody, if the sending thread has no mailbox */
    uint64_t request_; /* number of a request, or of the request that is answered; 0: neither */
    uint32_t life_;
    uint32_t id;       /* number of the message within its interface */
    uint32_t flags_;
    uint32_t size_;
} heddle_message;

/* Returns a message of this size, including its head.  Pass it to heddle_send or to heddle_message_free.  Ends
 * the program if there is no memory. */
heddle_message *heddle_message_new(const heddle_message_type *type, uint32_t id, size_t size);
void heddle_message_free(heddle_message *m);

/* ---- actors ----------------------------------------------------------------------------------- */

/* Why an actor has ended. */
enum {
    HEDDLE_STOPPED = 0, /* by heddle_stop; any number above 0 is the reason given to heddle_fail */
    HEDDLE_KILLED = -1, /* by heddle_kill, or because all actors were ended */
    HEDDLE_CRASHED = -2 /* its node has crashed */
};

/* What an actor does.  All these functions run as the actor, one at a time. */
typedef struct heddle_behaviour {
    const char *name;
    /* Handles one message, which is freed afterwards unless this function calls heddle_message_keep. */
    void (*act)(void *state, heddle_message *m);
    /* Called before the first message.  May be null, like the following functions. */
    void (*begin)(void *state);
    /* Called after the last message, for instance to free the state.  Not called after a crash or a kill,
     * because nothing runs on a machine that is switched off; then `lost` may free the state. */
    void (*end)(void *state, int reason);
    void (*lost)(void *state);
    /* Called when an actor that this one has created or watches has ended.  Null: it is not informed. */
    void (*down)(void *state, heddle_ref who, int reason);
} heddle_behaviour;

typedef struct heddle_node heddle_node; /* a machine: see "nodes and failures" below */

/* All zero: no name, no bound, and the node of the creator. */
typedef struct heddle_actor_options {
    const char *name;  /* name in reports; copied.  Null: the name of the behaviour */
    unsigned capacity; /* the mailbox is full when it holds this many messages; 0: it is never full */
    heddle_node *node;
    int published;     /* heddle_find can find it by its name */
} heddle_actor_options;

/* Returns a new actor; nobody if the running actor was killed or its node has crashed.  `options` may be null.  The
 * first call starts the threads that run actors, unless heddle_actors_start has done so. */
heddle_ref heddle_create(const heddle_behaviour *what, void *state, const heddle_actor_options *options);

/* Returns the running actor.  In a thread that is not an actor: its mailbox, which the first call creates and
 * which ends with the thread. */
heddle_ref heddle_self(void);

/* Puts a message into the mailbox of `to`, which then owns it.  Never waits.  Messages of one sender arrive in
 * the order in which they were sent.  A message to a full mailbox, or to an actor that has ended, is dropped. */
void heddle_send(heddle_ref to, heddle_message *m);
/* Like heddle_send, but returns what has become of the message: 0: it was sent; EAGAIN: the mailbox is full;
 * ESRCH: the actor has ended.  If the result is not 0, the message still belongs to the caller.  Even if it is
 * 0, the actor may end before it takes the message. */
int heddle_try_send(heddle_ref to, heddle_message *m);

/* Makes the actor end after the messages that are in its mailbox now. */
void heddle_stop(heddle_ref who);
/* Like heddle_stop, but without handling these messages: the actor finishes its current action and takes no
 * further message. */
void heddle_kill(heddle_ref who);
/* Makes the running actor end after this action.  The reason is a number above 0. */
void heddle_fail(int reason);
/* Waits until an actor has ended, and returns the reason.  Another join, even a late one, returns the same; but
 * once a new actor uses the memory of the old one, it returns HEDDLE_KILLED. */
int heddle_join(heddle_ref who);
/* Informs the running actor or thread when `who` ends: an actor by its function `down`, a thread by a message
 * of the type heddle_down_type. */
void heddle_watch(heddle_ref who);
/* Returns the actor that was last published under this name and has not ended; nobody if there is none. */
heddle_ref heddle_find(const char *name);
/* The message with which heddle_watch informs a thread, or an actor that waits in heddle_receive. */
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

/* ---- inside an action, and in threads with a mailbox ---- */

/* Waits for the next message for which match returns nonzero (null: for any message).  Other messages stay in
 * the mailbox, in their order.  The message belongs to the caller.  While an actor waits, its worker thread
 * runs other actors.  Returns null if the actor is killed meanwhile. */
heddle_message *heddle_receive(int (*match)(const heddle_message *m, void *context), void *context);
/* Like heddle_receive, but does not wait: returns null if there is no such message. */
heddle_message *heddle_poll(int (*match)(const heddle_message *m, void *context), void *context);
/* Keeps the message of the running action from being freed after the action. */
void heddle_message_keep(heddle_message *m);
/* Sends a request and waits for its answer, which belongs to the caller.  Returns null if the actor ends before
 * it has taken the request. */
heddle_message *heddle_request(heddle_ref to, heddle_message *m);
/* Identifies a request and the actor that made it; keep it until the answer is known. */
typedef struct heddle_asker {
    heddle_ref who;
    uint64_t request;
} heddle_asker;
heddle_asker heddle_asker_of(const heddle_message *m);
void heddle_answer(heddle_asker to, heddle_message *m);

/* Returns a random number below n, from a generator of the running actor.  The numbers depend on the seed and
 * on the actor's position in the tree of creations, not on timing. */
uint64_t heddle_random(uint64_t n);

/* ---- time --------------------------------------------------------------------------------------- */

typedef struct heddle_timer {
    struct heddle_alarm_ *alarm;
    uint64_t life;
} heddle_timer;

/* Sends the message after this many nanoseconds.  Under Heddle it may be sent at any time, because a clock may
 * be slow. */
heddle_timer heddle_send_after(heddle_ref to, heddle_message *m, uint64_t nanoseconds);
/* Returns 1 if the message will not be sent, 0 if it has been sent. */
int heddle_cancel(heddle_timer timer);

/* ---- all actors ----------------------------------------------------------------------------------- */

typedef struct heddle_actors_options {
    unsigned workers; /* number of threads that run actors; 0: one per processor */
    uint64_t seed;    /* seed of heddle_random */
} heddle_actors_options;

/* Optional; call it before the first actor is created.  Null is the same as all zero. */
void heddle_actors_start(const heddle_actors_options *options);
/* Kills all actors, waits until their actions have ended, and ends the threads.  Must not be called inside an
 * action. */
void heddle_actors_stop(void);
/* Waits until every actor is idle and no message to an actor and no timer is pending.  Must not be called
 * inside an action.  Mailboxes of threads do not count.  An actor that waits inside an action is not idle. */
void heddle_quiesce(void);
/* Returns the number of messages dropped since the start: those to actors that had ended, and to full
 * mailboxes. */
uint64_t heddle_dropped(void);

/* ---- requests and responses that wait for each other ---- */

/* A queue of requests and a queue of responses.  For each pair of a request and a response, the oldest first, a
 * function of the caller decides which of them is dropped.  A null response, which marks the end of a stream,
 * is never dropped.  The buffer knows nothing else about requests and responses: they belong to the caller. */
typedef struct heddle_buffer heddle_buffer;
enum { HEDDLE_KEEP = 0, HEDDLE_DROP_REQUEST = 1, HEDDLE_DROP_RESPONSE = 2, HEDDLE_DROP_BOTH = 3 };
typedef unsigned heddle_pair(void *context, void *request, void *response);

heddle_buffer *heddle_buffer_new(void);
void heddle_buffer_free(heddle_buffer *b);
/* Each of the first two adds one, and then processes the pairs. */
void heddle_buffer_add_request(heddle_buffer *b, void *request, heddle_pair *pair, void *context);
void heddle_buffer_add_response(heddle_buffer *b, void *response, heddle_pair *pair, void *context);
void heddle_buffer_process_matching(heddle_buffer *b, heddle_pair *pair, void *context);
size_t heddle_buffer_requests(const heddle_buffer *b);
size_t heddle_buffer_responses(const heddle_buffer *b);

/* ---- the typed layer ------------------------------------------------------------------------------- */

/* HEDDLE_INTERFACE(counter, COUNTER), with
 *     #define COUNTER(I, MESSAGE, REQUEST)  MESSAGE(I, add, (int, amount))  REQUEST(I, get, int, (int, key))
 * defines the type `counter`, a proxy that is passed by value, and for each message (at most 8 parameters)
 *     counter_add(c, amount)                 sends it
 *     counter_try_add(c, amount)             like heddle_try_send; the message is freed if it was not sent
 *     counter_add_after(c, nanoseconds, amount)   a timer
 * and for each request
 *     counter_get(c, &value, key)            waits for the answer; 0, or ESRCH if the actor has ended
 *     counter_get_reply(from, value)         answers, at once or later; from is a counter_get_request.
 * The compiler rejects a parameter of a wrong type, a missing parameter, and a message that the interface does
 * not have.  A message must not be named create, create_with, behaviour or of.  A parameter must not be named self or,
 * in a request, from. */
#define HEDDLE_INTERFACE(I, LIST)                                                        \
    typedef struct I { heddle_ref ref; } I;                             \
    enum { LIST(I, HEDDLE_ID_, HEDDLE_ID_REQUEST_) I##_messages_ };                      \
    static inline HEDDLE_UNUSED_ I I##_of(heddle_ref ref) { I p_ = { ref }; return p_; }  \
    LIST(I, HEDDLE_MESSAGE_, HEDDLE_REQUEST_)                                            \
    typedef int I##_is_an_interface_

/* HEDDLE_IMPLEMENT(counter, COUNTER, adder, ...): defines actors with state `struct adder` that handle the
 * messages of the interface, each by a static function of this file:
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

/* HEDDLE_NARROW(store, reader, READER): defines  reader store_as_reader(store p).  The result can send only the
 * messages of READER.  The list of the interface `store` must contain that of `reader` unchanged:
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

/* A node is a machine: a group of actors that fail together. `boot` creates its first actors, at once and after
 * each restart; it runs as an actor of the node.  The actors that an actor creates belong to its node.
 * Messages between nodes go over a network.  With `heddle run --faults` the search makes nodes crash and
 * messages get lost, as often as the option says: see docs/actors.md. */
heddle_node *heddle_node_new(const char *name, void (*boot)(void *), void *context);
/* Ends all actors of the node where they are (HEDDLE_CRASHED).  What they have sent arrives; what they would
 * still send does not.  Data that was not synced to stable storage is lost. */
void heddle_node_crash(heddle_node *node);
void heddle_node_restart(heddle_node *node);
/* Returns the node of the running actor; null if there is none. */
heddle_node *heddle_node_self(void);
const char *heddle_node_name(const heddle_node *node);

/* Stable storage of the running actor's node: values by key.  A write is lost in a crash unless a sync follows
 * it. heddle_store_read copies at most `size` bytes and returns the length of the value, 0 if there is none. */
void heddle_store_write(const char *key, const void *value, size_t size);
size_t heddle_store_read(const char *key, void *value, size_t size);
void heddle_store_sync(void);

/* ---- internal: do not use the names below ---- */

#define HEDDLE_UNUSED_ __attribute__((unused))
#define HEDDLE_PAIR_(a, b) (a, b)
#define HEDDLE_GLUE2_(a, b) a##b
#define HEDDLE_GLUE_(a, b) HEDDLE_GLUE2_(a, b)

/* HEDDLE_EACH_(f, (int, a), (int, b)) becomes f(int, a) f(int, b). */
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

/* The struct of a message, and the function that creates one. */
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

/* An X-macro passes its first argument on unchanged; if that is a pair of names, these macros take it apart. */
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

/* Finds where the narrow list begins in the wide one, and checks that it is there without gaps and with the
 * same fields. */
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
