/* SPDX-License-Identifier: BSD-2-Clause
 *
 * code.h - what one function does, from its instructions. */
#ifndef HD_SCAN_CODE_H
#define HD_SCAN_CODE_H

#include "scan/image.h"

enum { HD_CODE_RANGES = 2 };

struct hd_code_range {
    uint64_t addr, size;
};

/* What a function does. */
struct hd_code_facts {
    bool hooks;    /* refers to a hook of an access or an atomic */
    bool entries;  /* ... of entry or exit */
    bool accesses; /* memory that others may share */
    bool locked;
    bool syscall;
    bool point;    /* its inline assembly is preceded by calls of the runtime */
    bool runtime_helper; /* what the compiler's start files add: no code of anybody */
};

struct hd_code;

/* The number of the register in machine code, given Capstone's name of it or of a part of it. */
enum { HD_CODE_NO_REGISTER = 16 };
unsigned hd_code_register(unsigned reg);

struct hd_code *hd_code_open(const struct hd_image *image);
void hd_code_close(struct hd_code *c);

/* The function in these ranges, the first of which has its entry.  `resume` is told where it
 * may be entered other than there and behind calls; NULL: nobody asks. */
void hd_code_look(struct hd_code *c, const struct hd_code_range *range, unsigned n,
                  struct hd_code_facts *out, void (*resume)(uint64_t, void *), void *arg);

#endif
