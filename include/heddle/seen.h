/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seen.h - what `heddle c++` includes before every C++ source.
 *
 * libstdc++.so contains compiled members of std::string, which are not instrumented: accesses of
 * threads to a string would not be seen where the compiler calls these members instead of inlining
 * them.  The library's own switch for that, -1, lets every program compile the members itself; all
 * other templates stay in the library.  Nothing else changes. */
#if defined(__cplusplus) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#if defined(_GLIBCXX_EXTERN_TEMPLATE) && _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
#endif
