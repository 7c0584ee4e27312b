/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noise.h - the settings of the library that disturbs native threads (src/noise):
 *
 *     HEDDLE_NOISE=10:1000:7    before 10 of 100 operations wait up to 1000 microseconds
 *                               (0: yield); random numbers from seed 7 */
#ifndef HD_BASE_NOISE_H
#define HD_BASE_NOISE_H

#define HD_NOISE_ENV "HEDDLE_NOISE"

#endif
