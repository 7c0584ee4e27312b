/* SPDX-License-Identifier: BSD-2-Clause
 *
 * node.c - nodes: actors that fail together, and their stable storage. */
#include "actor/cell.h"

bool ha_lives(struct heddle_cell_ *c)
{
    return !c->crashed;
}
