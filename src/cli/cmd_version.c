/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_version.c - `heddle version`. */
#include <stdio.h>

#include "base/check.h"
#include "base/json.h"
#include "base/version.h"
#include "cli/registry.h"

static void write_json(FILE *out)
{
    struct hd_json j;

    hd_json_open(&j, out, 0);
    j.tight = true;
    hd_json_object(&j);
    hd_json_put_string(&j, "name", "heddle");
    hd_json_put_string(&j, "version", HD_VERSION_TEXT);
    hd_json_put_uint(&j, "wire", HD_WIRE_VERSION);
    hd_json_end(&j);
    fputc('\n', out);
}

int hd_cmd_version(const struct hd_options *o)
{
    if (o->json)
        write_json(stdout);
    else
        printf("heddle %s\n", HD_VERSION_TEXT);
    return HD_EXIT_CLEAN;
}
