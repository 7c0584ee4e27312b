/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.h - what the tool tells the library that it preloads into test programs (src/each):
 *
 *     HEDDLE_EACH=list:3        write the tests to descriptor 3, a line each, and run none:
 *                               the name, and after a tab why it is not to be run, if so
 *     HEDDLE_EACH=run:NAME      run this one alone */
#ifndef HD_BASE_EACH_H
#define HD_BASE_EACH_H

#define HD_EACH_ENV "HEDDLE_EACH"
#define HD_EACH_LIST "list:"
#define HD_EACH_RUN "run:"

#endif
