/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predict.h - the race predictor (detect/predict.h) inside the target, for --races=predict.  Its
 * results go to the common part of the wire and are not findings. */
#ifndef HD_RUNTIME_WATCH_PREDICT_H
#define HD_RUNTIME_WATCH_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"


/* Call the first once in each process that runs executions, the second when an execution begins. */
void hd_predict_start(void);
void hd_predict_execution(void);

/* Precondition of these: hd.access_mode has HD_MODE_PREDICT. */
void hd_predict_saw(const struct hd_event *e);
void hd_predict_plain(uintptr_t addr, size_t size, bool write, uint64_t pc);

#endif
