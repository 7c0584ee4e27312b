/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event.c - arrays generated from the table of kinds. */
#include "model/event.h"

#include <stddef.h>
#include <string.h>

#include "model/object.h"

#define BLOCKS HD_TRAIT_BLOCKS
#define YIELDS HD_TRAIT_YIELDS
#define POLLS HD_TRAIT_POLLS
#define LOCAL HD_TRAIT_LOCAL
#define TIMED HD_TRAIT_TIMED
#define GIVES1 HD_DEP_GIVES1
#define TAKES1 HD_DEP_TAKES1
#define GIVES2 HD_DEP_GIVES2
#define TAKES2 HD_DEP_TAKES2
#define CLASS HD_DEP_CLASS
#define TEXT NULL
#define WORKS HD_PROP_WORKS
#define WORKS_OK HD_PROP_WORKS_OK
#define CANCEL HD_PROP_CANCEL
#define ON HD_PROP_ON
#define FROM HD_PROP_FROM
#define PEER HD_PROP_PEER
#define NO_OBJECT HD_PROP_NO_OBJECT
#define SETS_UP HD_PROP_SETS_UP

const struct hd_kind_info hd_kind_info[HD_EV_COUNT] = {
    [HD_EV_NONE] = { .name = "NONE", .text = "nothing" },
#define X(id, text, obj, ok1, fail1, acc2, traits, lock, hb, hb_fail, dep, when, change, queue, noun, props) \
    [HD_EV_##id] = { #id, text, noun, HD_OBJ_##obj, HD_ACC_##ok1, HD_ACC_##fail1, HD_ACC_##acc2, traits, \
                     HD_LOCK_##lock, HD_HB_##hb, HD_HB_##hb_fail, dep, HD_WHEN_##when, \
                     HD_CHANGE_##change, HD_QUEUE_##queue, props },
#include "model/event_kinds.def"
#undef X
};

const uint8_t hd_kind_traits[HD_EV_COUNT] = {
#define X(id, text, obj, ok1, fail1, acc2, traits, ...) [HD_EV_##id] = traits,
#include "model/event_kinds.def"
#undef X
};

const uint8_t hd_kind_hb[HD_EV_COUNT] = {
#define X(id, text, obj, ok1, fail1, acc2, traits, lock, hb, ...) [HD_EV_##id] = HD_HB_##hb,
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
