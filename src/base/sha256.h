/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sha256.h - SHA-256 (FIPS 180-4): identifies programs that one machine runs for another.  A weaker hash could be
 * forged. */
#ifndef HD_BASE_SHA256_H
#define HD_BASE_SHA256_H

#include <stddef.h>

/* Writes the hash of the bytes as 64 hexadecimal digits. */
void hd_sha256(const void *data, size_t size, char hex[65]);

#endif
