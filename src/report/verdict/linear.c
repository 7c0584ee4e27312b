/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.c - prints the lines of a summary about sequential orders, and possible mistakes in the test itself. */
#include "report/verdict/linear.h"

/* Prints how often each rule was needed. */
static void rules(const struct hd_text *t, const struct hd_result_linear *l)
{
    char number[32];

    for (uint32_t i = 0; i < HD_LIN_COMPONENTS && l->saved[i].name[0] != '\0'; i++) {
        hd_text_number(l->saved[i].n, number, sizeof number);
        fprintf(t->out, "  %s=%s: %s\n", l->saved[i].name, hd_lin_rule_words[l->saved[i].rule], number);
    }
}

void hd_linear_text(const struct hd_text *t, const struct hd_result_linear *l)
{
    char line[600], orders[32], number[32];

    if (l == NULL)
        return;
    hd_text_number(l->orders, orders, sizeof orders);
    hd_text_number(l->judged, number, sizeof number);
    snprintf(line, sizeof line, "Compared %s execution%s with %s sequential order%s (%u different outcome%s)", number,
             l->judged == 1 ? "" : "s", orders, l->orders == 1 ? "" : "s", l->outcomes, l->outcomes == 1 ? "" : "s");
    hd_text_wrap(t, 0, 2, line);
    if (l->sampled)
        hd_text_wrap(t, 0, 2, "These are a sample (--sample-orders): a sequential outcome may be missing, and an execution that is "
                              "not linearizable by them may have that outcome");
    if (l->by_rule > 0) {
        hd_text_number(l->by_rule, number, sizeof number);
        snprintf(line, sizeof line, "%s of them have a state that only a rule accepts, because it is not equal to that of "
                                    "a sequential order: look there for wasted work", number);
        hd_text_wrap(t, 0, 2, line);
        rules(t, l);
    }
    if (l->judged > 0 && !l->overlapped)
        hd_text_wrap(t, 0, 2, "The operations of different clients never overlapped: something keeps the clients "
                              "apart, so nothing was tested");
    if (l->left_out)
        hd_text_wrap(t, 0, 2, "In some executions an operation has not returned: it may have taken effect or not, so there are "
                              "orders with it and without it");
    if (l->endless[0] != '\0') {
        snprintf(line, sizeof line, "The operation '%s' returns in no sequential order: what it has done when its thread ends "
                                    "counts as its effect", l->endless);
        hd_text_wrap(t, 0, 2, line);
    }
    if (l->idle[0] != '\0') {
        snprintf(line, sizeof line, "The client '%s' has no operation: what it does belongs to no sequential order, so put it into "
                                    "operations (heddle_op)", l->idle);
        hd_text_wrap(t, 0, 2, line);
    }
    if (l->ignored[0] != '\0') {
        snprintf(line, sizeof line, "Not compared (rule 'ignore'): %s", l->ignored);
        hd_text_wrap(t, 0, 2, line);
    }
    if (l->empty[0] != '\0') {
        snprintf(line, sizeof line, "The component '%s' is empty after every sequential order: if it should not be, the test does "
                                    "not fill it", l->empty);
        hd_text_wrap(t, 0, 2, line);
    }
    if (!l->has_state)
        hd_text_wrap(t, 0, 2, "Only results were compared: the test has no probe and no component of a state at its "
                              "end, so an object that is left broken is not noticed");
}
