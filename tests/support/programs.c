/* SPDX-License-Identifier: BSD-2-Clause
 *
 * programs.c - the named in-memory programs. */
#include "support/programs.h"

const struct program prog_fig31 = { .op = {
    { CREATE_ALL(1, 3) },
    { WRITE(0, 1), WRITE(1, 1) },
    { WRITE(2, 1) },
    { ASSERT_EQ(0, 1) },
} };

const struct program prog_fig32 = { .op = {
    { CREATE_ALL(1, 3) },
    { WRITE(0, 1), WRITE(1, 1) },
    { WRITE(0, 1), WRITE(1, 1) },
    { ASSERT_EQ(0, 1) },
} };

const struct program prog_abba = { .op = {
    { CREATE(1), CREATE(2), JOIN(1), JOIN(2) },
    { LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0) },
    { LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1) },
} };

const struct program prog_two_by_two = { .op = {
    { CREATE_ALL(1, 2) },
    { WRITE(0, 1), WRITE(0, 2) },
    { WRITE(0, 3), WRITE(0, 4) },
} };

const struct program prog_three_adds = { .op = {
    { CREATE(1), CREATE(2), CREATE(3) },
    { ADD(0, 1), YIELD, ADD(0, 1) },
    { ADD(0, 1), YIELD, ADD(0, 1) },
    { ADD(0, 1), YIELD, ADD(0, 1) },
} };

const struct program prog_choices = { .op = {
    { CREATE(1), CHOOSE(3, 0), WRITE(1, 1) },
    { WRITE(1, 2), CHOOSE(2, 0) },
} };

const struct program prog_many_adds = { .op = {
    { CREATE_ALL(1, 3) },
    { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
    { ADD(0, 1), ADD(0, 1), ADD(0, 1), ADD(0, 1) },
    { ADD(0, 1), ADD(0, 1), ASSERT_BELOW(0, 9), ADD(0, 1) },
} };
