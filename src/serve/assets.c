/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assets.c - see assets.h. */
#include "serve/assets.h"

#include <stddef.h>
#include <string.h>

/* html/embed.S */
extern const char hd_serve_style[], hd_serve_style_end[];
extern const char hd_serve_script[], hd_serve_script_end[];
extern const char hd_serve_icon[], hd_serve_icon_end[];

static const struct hd_asset assets[] = {
    { "/style.css", "text/css; charset=utf-8", hd_serve_style, hd_serve_style_end },
    { "/script.js", "text/javascript; charset=utf-8", hd_serve_script, hd_serve_script_end },
    { "/icon.svg", "image/svg+xml", hd_serve_icon, hd_serve_icon_end },
};

const struct hd_asset *hd_asset_find(const char *path)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (strcmp(assets[i].path, path) == 0)
            return &assets[i];
    return NULL;
}
