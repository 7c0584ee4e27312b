/* SPDX-License-Identifier: BSD-2-Clause
 *
 * version.h - the version, as CMakeLists.txt defines it. */
#ifndef HD_BASE_VERSION_H
#define HD_BASE_VERSION_H

#ifndef HD_VERSION_TEXT
#define HD_VERSION_TEXT "0.0.0-unknown" /* compiled outside the project's build */
#endif

#endif
