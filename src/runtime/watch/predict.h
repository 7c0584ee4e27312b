/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predict.h - the predictor of races (detect/predict.h) inside the target, for
 * --races=predict.  What it finds is noted in the common part and is no finding. */
#ifndef HD_RUNTIME_WATCH_PREDICT_H
#define HD_RUNTIME_WATCH_PREDICT_H

#include "runtime/core/rt.h"

/* Once in each process that runs executions; and an execution begins. */
void hd_predict_start(void);
void hd_predict_execution(void);

/* All of these only while hd.access_mode has HD_MODE_PREDICT. */
void hd_predict_saw(const struct hd_event *e);
void hd_predict_plain(uintptr_t addr, size_t size, bool write, uint64_t pc);

#endif
