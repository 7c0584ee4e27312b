/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event.c - the table of kinds, expanded. */
#include "model/event.h"

#include <string.h>

#define N HD_ACC_N
#define R HD_ACC_R
#define W HD_ACC_W
#define A HD_ACC_A
#define BLOCKS HD_TRAIT_BLOCKS
#define YIELDS HD_TRAIT_YIELDS
#define POLLS HD_TRAIT_POLLS
#define LOCAL HD_TRAIT_LOCAL
#define TIMED HD_TRAIT_TIMED

const struct hd_kind_info hd_kind_info[HD_EV_COUNT] = {
    [HD_EV_NONE] = { "NONE", "nothing", N, N, N, 0 },
#define X(id, text, ok1, fail1, acc2, traits) [HD_EV_##id] = { #id, text, ok1, fail1, acc2, traits },
#include "model/event_kinds.def"
#undef X
};

const uint8_t hd_kind_traits[HD_EV_COUNT] = {
#define X(id, text, ok1, fail1, acc2, traits) [HD_EV_##id] = traits,
#include "model/event_kinds.def"
#undef X
};

enum hd_kind hd_kind_find(const char *name)
{
    for (int k = 1; k < HD_EV_COUNT; k++)
        if (strcmp(hd_kind_info[k].name, name) == 0)
            return (enum hd_kind)k;
    return HD_EV_NONE;
}
