/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h - checks an execution against the book of sequential outcomes (book.h).
 *
 * J1  An execution fits exactly if there is ONE sequential execution in the book such that (a) every operation
 *     and every probe returned the same, (b) every component of the state agrees by its rule, and (c) its order
 *     does not put an operation before one that had already returned when it was called.  For sequential
 *     consistency, (c) applies only to operations of the same client.  For quiescent consistency, it applies to
 *     these and to operations between which there was a moment with no operation under way.
 * J2  An execution with an operation that has not returned is not checked: the operation may or may not have
 *     taken effect, and the book has no outcomes without it.
 *
 * Texts are compared by 64-bit hashes. */
#ifndef HD_LINEAR_TABLE_H
#define HD_LINEAR_TABLE_H

#include "linear/book.h"

enum { HD_LIN_TABLE_COMPONENTS = 16384, HD_LIN_TABLE_ELEMENTS = 65536, HD_LIN_TABLE_RULES = 32 };

struct hd_lin_table_component {
    uint64_t name, hash; /* hashes of the name and of the elements */
    uint32_t first, n;   /* range of elements */
    uint8_t kind;
};

struct hd_lin_outcome {
    uint64_t outputs, probes;
    const char *text;    /* the text of its record */
    uint32_t first, n;   /* range of components */
    uint32_t orders;     /* 1 + its first order */
};

struct hd_lin_order {
    const char *clients; /* one digit for each operation: its client */
    uint32_t n;
    uint32_t next;       /* 1 + the next order of the same outcome; 0: none */
};

struct hd_lin_table {
    uint32_t noutcomes, norders, ncomponents, nelements, nrules;
    enum hd_lin_criterion criterion;
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

/* Returns the rule for component c of the record. */
enum hd_lin_rule hd_lin_rule_for(const struct hd_lin_table *t, const struct hd_lin_record *r, uint32_t c);

/* The parts of rule J1, for reports. */
/* True if component c of the record agrees with the outcome. */
bool hd_lin_component_agrees(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                             const struct hd_lin_record *r, uint32_t c);
/* Returns an order of the outcome that has the operations of the record and, if required, respects real time;
 * NULL if there is none. */
const struct hd_lin_order *hd_lin_order_for(const struct hd_lin_table *t, const struct hd_lin_outcome *o,
                                            const struct hd_lin_record *r);

#endif
