/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h - checks an execution against the book of sequential outcomes (book.h).
 *
 * J1  An execution fits exactly if there is ONE sequential execution in the book such that (a) every operation
 *     and every probe returned the same, or what the test takes for equal, (b) every component of the state agrees by its rule, and (c) its order
 *     does not put an operation before one that had already returned when it was called.  For sequential
 *     consistency, (c) applies only to operations of the same client.  For quiescent consistency, it applies to
 *     these and to operations between which there was a moment with no operation under way.
 * J2  An operation that has not returned may have taken effect or not.  It agrees with the same operation of a
 *     sequential execution whatever that returned, and with one that was left out there.  The book has a line L for
 *     each operation that was left out in every way; if another one has not returned, the execution is not checked.
 *
 * Texts are compared by 64-bit hashes, except results that the test compares. */
#ifndef HD_LINEAR_TABLE_H
#define HD_LINEAR_TABLE_H

#include "linear/book.h"

enum { HD_LIN_TABLE_RESULTS = 4096, HD_LIN_TABLE_COMPONENTS = 16384, HD_LIN_TABLE_ELEMENTS = 65536, HD_LIN_TABLE_RULES = 32 };

struct hd_lin_table_component {
    uint64_t name, hash; /* hashes of the name and of the elements */
    uint32_t first, n;   /* range of elements */
    uint8_t kind;
};

struct hd_lin_outcome {
    uint64_t outputs, probes;
    uint64_t client[HD_LIN_CLIENTS], begun[HD_LIN_CLIENTS]; /* outputs and begun of its record */
    const char *text;    /* the text of its record */
    uint32_t first, n;   /* range of components */
    uint32_t orders;     /* 1 + its first order */
};

struct hd_lin_order {
    const char *clients; /* one digit for each operation: its client */
    uint32_t n;
    uint32_t next;       /* 1 + the next order of the same outcome; 0: none */
};

/* A result that an operation has in some outcome. */
struct hd_lin_result {
    uint8_t client, nth, end; /* client: or HD_LIN_PROBE */
    uint32_t text;
};

struct hd_lin_table {
    const char *end; /* of the book's text */
    /* Different results of each operation, after hd_lin_table_results. */
    uint32_t nresults, used;
    struct hd_lin_result result[HD_LIN_TABLE_RESULTS];
    char text[HD_LIN_TEXT];
    uint32_t noutcomes, norders, ncomponents, nelements, nrules;
    enum hd_lin_criterion criterion;
    uint64_t left_out[HD_LIN_CLIENTS]; /* bits: the client's operations that were left out (J2) */
    struct hd_lin_outcome outcome[HD_LIN_OUTCOMES];
    struct hd_lin_order order[HD_LIN_ORDERS];
    struct hd_lin_table_component component[HD_LIN_TABLE_COMPONENTS];
    uint64_t element[HD_LIN_TABLE_ELEMENTS];
    struct {
        uint64_t name;
        enum hd_lin_rule rule;
    } rules[HD_LIN_TABLE_RULES]; /* rules of the command line */
};

enum hd_lin_fit { HD_LIN_FITS, HD_LIN_FITS_BY_RULE, HD_LIN_MISFIT, HD_LIN_UNKNOWN };

struct hd_lin_verdict {
    enum hd_lin_fit fit;
    bool latent; /* for a misfit: the clients' results alone would fit */
    uint32_t saved; /* for a fit by a rule: bits of the components that are not equal, in the outcome with the
                     * fewest of them */
};

/* Reads a book.  The text must exist as long as the table.  Returns false if it is not a book, or too large. */
bool hd_lin_table_load(struct hd_lin_table *t, const char *text, size_t n);

struct hd_lin_verdict hd_lin_judge(const struct hd_lin_table *t, const struct hd_lin_record *r);

/* Returns the number of the client's last operation if that has not returned, and the book does not have the orders
 * without it (J2); otherwise -1. */
int hd_lin_unknown(const struct hd_lin_table *t, const struct hd_lin_record *r, unsigned client);

/* Returns the rule for component c of the record. */
enum hd_lin_rule hd_lin_rule_for(const struct hd_lin_table *t, const struct hd_lin_record *r, uint32_t c);

/* Lists the different results of all operations.  Returns false if there is no room for them. */
bool hd_lin_table_results(struct hd_lin_table *t);

/* The parts of rule J1, for reports. */
/* True if component c of the record agrees with the outcome. */
bool hd_lin_component_agrees(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                             const struct hd_lin_record *r, uint32_t c);
/* Returns an order of the outcome that has the operations of the record and, if required, respects real time;
 * NULL if there is none. */
const struct hd_lin_order *hd_lin_order_for(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                                            const struct hd_lin_record *r);

#endif
