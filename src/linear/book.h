/* SPDX-License-Identifier: BSD-2-Clause
 *
 * book.h - records as text, and the book: all outcomes of the sequential executions of a test, each with the
 * orders of operations that lead to it.
 *
 * The book is text because a schedule file contains it, so that a replay compares with the same outcomes as the
 * search.  Each line is one fact, and its first letter tells its kind:
 *
 *     S                   orders need not respect real time (sequential consistency); comes before all other
 *                         lines
 *     Q                   orders must respect quiescent moments only (quiescent consistency); likewise
 *     R< cache            a rule of the command line (= < > -); likewise
 *     L 0 2               the third operation of client 0 does not return in some executions; so there are also orders
 *                         that end the client before this operation, and such that end it after (table.h); likewise
 *     O                   begins an outcome
 *     C one               a client
 *     r0 pop()<tab>3      an operation of client 0 and its result; e: an error; n: it has not returned;
 *                         p in place of the number: a probe
 *     b20                 only in an execution to be judged: how many operations of each client had returned
 *                         when the one of the previous line was called
 *     a 4                 only in an execution to be judged: the test takes this result for equal to that of the
 *                         last operation
 *     Ks= stack           a component: kind (s m q d x) and rule
 *     E 1                 an element of it
 *     o 0110              an order of the outcome: the clients whose operations come one after the other
 *     x 3 0110            an order of the fourth outcome */
#ifndef HD_LINEAR_BOOK_H
#define HD_LINEAR_BOOK_H

#include "linear/record.h"

enum {
    HD_LIN_OUTCOMES = 4096,
    HD_LIN_ORDERS = 20000, /* maximum number of orders with their outcomes */
    HD_LIN_SEEN = 65536,
    HD_LIN_BOOK_BYTES = 1 << 20,
};

/* An empty book is all zero. */
struct hd_lin_book {
    uint32_t used;      /* number of bytes of text */
    uint32_t noutcomes, norders; /* norders: number of orders of all outcomes together */
    uint32_t ndifferent; /* number of different orders; one order may have several outcomes if operations use
                          * other threads */
    uint32_t full;      /* there was no room for some outcome or order: the book must not be used */
    uint32_t trouble;   /* enum hd_lin_trouble of the records */
    uint32_t without;   /* number of executions that ended before the clients began, and so have no outcome */
    uint32_t blocked;   /* number of executions in which an operation blocked when its turn came, a probe did not return,
                         * or the process ended while the clients ran */
    uint32_t unsure;    /* an execution was cut before its end, so an outcome may be missing */
    uint64_t left_out[HD_LIN_CLIENTS]; /* bits: operations before which a client could end (line L) */
    uint32_t threads;   /* the largest number of threads other than main and the clients */
    uint64_t outcome[HD_LIN_OUTCOMES]; /* hashes */
    uint64_t seen[HD_LIN_SEEN]; /* hash table with open addressing: hashes of orders, and of outcomes with their
                                 * orders; 0: free */
    char text[HD_LIN_BOOK_BYTES];
};

/* Adds the outcome of a sequential execution and its order. */
void hd_lin_book_add(struct hd_lin_book *b, const struct hd_lin_record *r);

/* Writes a record as lines, with or without the order in real time.  Returns the number of bytes, or 0 if there
 * is no room. */
size_t hd_lin_write(const struct hd_lin_record *r, bool timed, char *out, size_t cap);

/* Reads lines up to the first one that does not belong to a record.  Returns the position of that line, or NULL
 * if a line is invalid. */
const char *hd_lin_read(const char *text, const char *end, struct hd_lin_record *r);

/* Returns the rule with this sign, or HD_LIN_RULES if there is none. */
enum hd_lin_rule hd_lin_rule_of(char sign);
extern const char hd_lin_rule_signs[HD_LIN_RULES + 1];

#endif
