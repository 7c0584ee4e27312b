/* SPDX-License-Identifier: BSD-2-Clause
 *
 * disassembler.h - opens Capstone for x86-64 code. */
#ifndef HD_SCAN_DISASSEMBLER_H
#define HD_SCAN_DISASSEMBLER_H

#include <capstone/capstone.h>

/* Stores the handle, and room for one instruction.  Decoded instructions include details of their operands.  If
 * there is no memory, the tool ends with a message. */
void hd_disassembler_open(csh *cs, cs_insn **insn);
void hd_disassembler_close(csh *cs, cs_insn *insn);

#endif
