/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shipping.h - copies the program of a campaign through the store to machines that do not have it (`heddle worker`).
 *
 * P1  A worker runs only campaigns whose hashes its user has given (--allow).  The hash covers the program and the
 *     words of the command (verb, options, arguments), because arguments and options can do harm as well as code.
 * P2  A machine is refused if the reference execution takes other steps there than on the machine that shipped the
 *     program: it would search another program.
 * P3  A machine is refused if its processor lacks a feature that the shipping machine's processor has.  The program
 *     may use that feature, perhaps only in an instruction that is rarely executed. */
#ifndef HD_CAMPAIGN_SPREAD_SHIPPING_H
#define HD_CAMPAIGN_SPREAD_SHIPPING_H

#include "campaign/search/search_one.h"
#include "store/store.h"

/* Returns the reason why a search with these options cannot be shipped, or NULL if it can. */
const char *hd_shipping_obstacle(const struct hd_options *o);

/* P1: computes the hash of a campaign from the hash of its program and the command. */
void hd_shipping_hash(const char *program_hash, const struct hd_bytes *command, char hash[65]);

/* The parts of a campaign that shipping uses. */
struct hd_shipping {
    struct hd_cluster *st;
    const struct hd_cluster_campaign *c;
    const struct hd_options *o;
    const struct hd_one *one;
    const struct hd_elf_info *elf;
    const struct hd_bytes *program; /* contents of its file */
};

/* If the store has the program, checks P2 and P3. Otherwise, with o->ship, copies the program into the store.
 * Returns HD_EXIT_CLEAN, or prints a message and returns another exit code. */
int hd_shipping_begin(const struct hd_shipping *s);

#endif
