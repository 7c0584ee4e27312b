/* SPDX-License-Identifier: BSD-2-Clause
 *
 * formats.h - the numbers of the formats in formats.def: HD_FORMAT_json, ... */
#ifndef HD_REPORT_VERDICT_FORMATS_H
#define HD_REPORT_VERDICT_FORMATS_H

enum hd_format_number {
#define HD_FORMAT(name, verbs, help) HD_FORMAT_##name,
#include "report/verdict/formats.def"
#undef HD_FORMAT
    HD_FORMATS
};

#endif
