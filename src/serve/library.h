/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library.h - loads libmicrohttpd at run time, so that the other verbs do not have to load it and the libraries that
 * it needs. */
#ifndef HD_SERVE_LIBRARY_H
#define HD_SERVE_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

#define HD_MHD_FUNCTIONS(X) \
    X(MHD_start_daemon) X(MHD_stop_daemon) X(MHD_get_fdset2) X(MHD_run_from_select) X(MHD_get_timeout) X(MHD_queue_response) \
    X(MHD_create_response_from_buffer) X(MHD_destroy_response) X(MHD_add_response_header) X(MHD_lookup_connection_value) \
    X(MHD_get_connection_values)

struct hd_mhd {
#define POINTER(f) __typeof__(&f) f;
    HD_MHD_FUNCTIONS(POINTER)
#undef POINTER
};

/* Returns NULL and writes a message if that fails. */
const struct hd_mhd *hd_mhd_load(char *error, size_t cap);

#endif
