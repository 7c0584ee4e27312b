/* SPDX-License-Identifier: BSD-2-Clause
 *
 * network.c - messages between nodes, and the faults that affect them (--faults): loss, duplication, delay,
 * partition.  A delayed message is an alarm: it arrives at any later time, and later messages may overtake it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/mail.h>

#include "actor/node.h"

static heddle_message *copy_of(const heddle_message *m)
{
    heddle_message *copy = ha_allocate(m->size_);

    memcpy(copy, m, m->size_);
    return copy;
}

static bool is_cut_off(struct heddle_node *a, struct heddle_node *b)
{
    ha_exec->looks(&a->cut_off);
    ha_exec->looks(&b->cut_off);
    return atomic_load(&a->cut_off) != 0 || atomic_load(&b->cut_off) != 0;
}

int ha_transmit(heddle_ref to, heddle_message *m)
{
    struct heddle_node *here = ha_current != NULL ? ha_current->node : NULL;
    struct heddle_node *there = to.cell != NULL ? to.cell->node : NULL;

    if (here == NULL || there == NULL || here == there)
        return ha_push(to, m, true);
    if (ha_exec->partitions() && is_cut_off(here, there)) {
        ha_drop(m);
        return 0;
    }
    if (heddle_mail_fault(HEDDLE_FAULT_DROP) > 0) {
        ha_drop(m);
        return 0;
    }
    if (heddle_mail_fault(HEDDLE_FAULT_DUPLICATE) > 0) {
        heddle_message *copy = copy_of(m);

        if (ha_push(to, copy, true) != 0)
            ha_drop(copy);
    }
    if (heddle_mail_fault(HEDDLE_FAULT_DELAY) > 0) {
        ha_alarm_new(to, m, 0, true);
        return 0;
    }
    return ha_push(to, m, true);
}
