/* SPDX-License-Identifier: BSD-2-Clause
 *
 * monitor.h - talks to QEMU: its monitor (QMP, one JSON object in a line) and its gdb stub. */
#ifndef HD_KERNEL_DRIVE_MONITOR_H
#define HD_KERNEL_DRIVE_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the socket, or -1. */
int hd_monitor_connect(const char *path);
/* Sends the command that QMP requires first. */
bool hd_monitor_greet(int fd);
/* Sends a command and waits for its answer, which is copied to buf unless that is NULL. */
bool hd_monitor_command(int fd, const char *json, char *buf, size_t cap);
/* Sends a command of the human monitor that prints nothing if it succeeds. */
bool hd_monitor_hmp(int fd, const char *command);
/* Writes the path of the first interrupt controller in QEMU's object tree. */
bool hd_monitor_find_pic(int fd, char *buf, size_t cap);

/* Lets the machine run until it is about to execute the instruction at this address. */
bool hd_gdb_run_to(int fd, uint32_t address, unsigned seconds);
bool hd_gdb_registers(int fd, uint64_t *sp, uint64_t *flags);
/* Ends the connection and lets the machine run.  While a debugger is attached, QEMU sends it a packet at every stop,
 * and hangs if nobody reads these packets. */
bool hd_gdb_detach(int fd);

#endif
