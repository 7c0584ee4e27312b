/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assets.h - the files that pages of the dashboard refer to. */
#ifndef HD_SERVE_ASSETS_H
#define HD_SERVE_ASSETS_H

struct hd_asset {
    const char *path, *type;
    const char *begin, *end;
};

/* Returns NULL if no asset has this path. */
const struct hd_asset *hd_asset_find(const char *path);

#endif
