/* SPDX-License-Identifier: BSD-2-Clause
 *
 * address.h - the address and port on which the dashboard listens. */
#ifndef HD_SERVE_ADDRESS_H
#define HD_SERVE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct hd_address {
    struct sockaddr_storage at;
    socklen_t size;
};

/* Parses "127.0.0.1:8421" or "[::1]:8421".  Port 0 means any free port. */
bool hd_address_read(const char *text, struct hd_address *out);
/* True if only this machine can reach the address. */
bool hd_address_is_local(const struct hd_address *a);
void hd_address_text(const struct hd_address *a, char *buf, size_t cap);

/* Creates a listening socket and sets the port in *a. Returns -1 and writes a message if that fails. */
int hd_address_listen(struct hd_address *a, char *error, size_t cap);

#endif
