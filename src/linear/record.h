/* SPDX-License-Identifier: BSD-2-Clause
 *
 * record.h - the observable behaviour of one execution of a test of <heddle/linear.h>: the operations with their
 * results and their order in real time, the probes, and the state at the end.
 *
 * The runtime fills a record in each execution, so it has a fixed size and needs no allocation.  All texts are
 * in a common buffer.  They contain no control characters, so that a record can be written as lines (book.h). */
#ifndef HD_LINEAR_RECORD_H
#define HD_LINEAR_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HD_LIN_CLIENTS = 8,
    HD_LIN_OPS = 64,
    HD_LIN_COMPONENTS = 16,
    HD_LIN_ELEMENTS = 512,
    HD_LIN_TEXT = 32768,
    HD_LIN_ACCEPTED = 512,
    HD_LIN_PROBE = HD_LIN_CLIENTS, /* client number of a probe */
};

enum hd_lin_kind { HD_LIN_SET, HD_LIN_MULTISET, HD_LIN_SEQUENCE, HD_LIN_MAP, HD_LIN_XOR, HD_LIN_KINDS };
/* Rules by which the state of an execution must agree with a sequential one. */
enum hd_lin_rule { HD_LIN_EQUAL, HD_LIN_SUBSET, HD_LIN_SUPERSET, HD_LIN_IGNORE, HD_LIN_RULES };
/* Which orders may explain an execution (table.h). */
enum hd_lin_criterion { HD_LIN_LINEARIZABLE, HD_LIN_QUIESCENT, HD_LIN_SEQUENTIAL };
enum hd_lin_end { HD_LIN_LOST, HD_LIN_RETURNED, HD_LIN_ERROR }; /* LOST: the operation has not returned */

/* Names of kinds and rules, in order; the list of rules is NULL-terminated. */
extern const char *const hd_lin_kind_words[HD_LIN_KINDS], *const hd_lin_rule_words[HD_LIN_RULES + 1];

/* Why a record cannot be used: there is no room for it, or the test is wrong. */
enum hd_lin_trouble {
    HD_LIN_FULL = 1,    /* too many operations, components, elements, or too much text */
    HD_LIN_NESTED = 2,  /* an operation was called within another one of the same client */
    HD_LIN_UNMATCHED = 4, /* a return without a call, an element without a component */
    HD_LIN_UNDECLARED = 8, /* a change of a component that does not exist, or cannot be changed in this way */
    HD_LIN_UNFINISHED = 16, /* the function of a client returned within an operation */
};

struct hd_lin_op {
    uint8_t client;  /* its client, or HD_LIN_PROBE */
    uint8_t end;     /* enum hd_lin_end */
    uint8_t before[HD_LIN_CLIENTS]; /* for each client, how many of its operations had returned when this one
                                     * was called */
    uint32_t call, result; /* positions of texts */
};

/* Another result that the test takes for equal to that of an operation. */
struct hd_lin_accepted {
    uint32_t op, text;
};

struct hd_lin_component {
    uint8_t kind, rule;
    uint32_t name;
    uint64_t hash; /* hash of its elements; equal if its kind considers them equal */
};

struct hd_lin_element {
    uint32_t component, text;
    uint64_t hash;
};

struct hd_lin_record {
    uint32_t nclients, nops, ncomponents, nelements, naccepted;
    uint32_t trouble; /* enum hd_lin_trouble */
    uint32_t used;    /* number of bytes of text */
    uint32_t name[HD_LIN_CLIENTS];
    uint8_t called[HD_LIN_CLIENTS + 1], returned[HD_LIN_CLIENTS + 1]; /* numbers of operations of each client */
    uint32_t last[HD_LIN_CLIENTS + 1]; /* each client's last operation */
    uint64_t outputs[HD_LIN_CLIENTS + 1]; /* hash of each client's operations and their results */
    uint64_t begun[HD_LIN_CLIENTS + 1];   /* the same, without the result of its last operation */
    struct hd_lin_op op[HD_LIN_OPS]; /* in the order of their calls */
    struct hd_lin_accepted accepted[HD_LIN_ACCEPTED];
    struct hd_lin_component component[HD_LIN_COMPONENTS];
    struct hd_lin_element element[HD_LIN_ELEMENTS];
    char text[HD_LIN_TEXT];
};

void hd_lin_clear(struct hd_lin_record *r);
/* Adds a client; its name has n bytes. */
void hd_lin_client(struct hd_lin_record *r, const char *name, size_t n);
void hd_lin_call(struct hd_lin_record *r, unsigned client, const char *text);
void hd_lin_return(struct hd_lin_record *r, unsigned client, const char *text, enum hd_lin_end end);
/* The result of operation number `op` agrees with this one, too. */
void hd_lin_accept(struct hd_lin_record *r, uint32_t op, const char *result);
void hd_lin_begin_component(struct hd_lin_record *r, const char *name, enum hd_lin_kind kind);
/* Sets the rule of the last component. */
void hd_lin_compare(struct hd_lin_record *r, enum hd_lin_rule rule);
/* Adds an element to the last component.  In a component of kind XOR, removes an equal element instead, if there is
 * one. */
void hd_lin_add(struct hd_lin_record *r, const char *element);
/* Adds an element to the component with this name, or removes it, while the clients run.  The result does not depend
 * on the order of these changes, except in a sequence.  An element that was removed more often than it was added is
 * listed as "without ELEMENT".  Sets do not allow such changes, because for them it would matter how often an
 * element was added. */
void hd_lin_change(struct hd_lin_record *r, const char *name, bool removes, const char *element);
/* Returns the component with this name, or NULL. */
const struct hd_lin_component *hd_lin_named(const struct hd_lin_record *r, const char *name);

static inline const char *hd_lin_text(const struct hd_lin_record *r, uint32_t at)
{
    return r->text + at;
}

/* Returns the hash of what the clients' operations have returned, without probes. */
uint64_t hd_lin_outputs(const struct hd_lin_record *r);
/* Returns the hash of everything except the order in real time and the rules. */
uint64_t hd_lin_hash(const struct hd_lin_record *r);
/* Returns the hash of the order in real time. */
uint64_t hd_lin_order_hash(const struct hd_lin_record *r);
/* True if the last operation of this client, or the last probe, has not returned. */
static inline bool hd_lin_is_pending(const struct hd_lin_record *r, unsigned client)
{
    return r->called[client] != r->returned[client];
}
/* True if operation number i of an execution agrees with this one of a sequential execution (table.h, J1 and J2). */
bool hd_lin_op_agrees(const struct hd_lin_record *r, uint32_t i, const struct hd_lin_record *sequential,
                      const struct hd_lin_op *op);
/* True if operations of different clients overlapped in time. */
bool hd_lin_overlaps(const struct hd_lin_record *r);

#endif
