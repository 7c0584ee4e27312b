/* SPDX-License-Identifier: BSD-2-Clause
 *
 * each.h - the tool's request to the library that it preloads into test programs
 * (src/each):
 *
 *     HEDDLE_EACH=list:3        write the tests to descriptor 3, one per line, and run none:
 *                               the name and, after a tab, the reason to skip it, if any
 *     HEDDLE_EACH=run:NAME      run only this test */
#ifndef HD_BASE_EACH_H
#define HD_BASE_EACH_H

#define HD_EACH_ENV "HEDDLE_EACH"
#define HD_EACH_LIST "list:"
#define HD_EACH_RUN "run:"

#endif
