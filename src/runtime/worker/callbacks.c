/* SPDX-License-Identifier: BSD-2-Clause
 *
 * callbacks.c - the table of callbacks, filled with functions of all layers. */
#include "runtime/core/callbacks.h"

#include "runtime/restore/maps.h"

const struct hd_callbacks hd_callbacks = {
    .attached = hd_maps_before_constructors,
};
