// SPDX-License-Identifier: BSD-2-Clause
//
// operators.cc - what C++ calls by other names.
#include "passive.h"

#include <new>
#include <random>

extern "C" {
int __cxa_guard_acquire(long *guard);
void __cxa_guard_release(long *guard);
void __cxa_guard_abort(long *guard);
}

static long good(void *p) { return p != nullptr; }
static constexpr std::align_val_t wide{ 128 };

CALL(_Znwm, return good(::operator new(9));)
CALL(_ZnwmRKSt9nothrow_t, return good(::operator new(9, std::nothrow));)
CALL(_ZnwmSt11align_val_t, return good(::operator new(9, wide));)
CALL(_ZnwmSt11align_val_tRKSt9nothrow_t, return good(::operator new(9, wide, std::nothrow));)
CALL(_Znam, return good(::operator new[](9));)
CALL(_ZnamRKSt9nothrow_t, return good(::operator new[](9, std::nothrow));)
CALL(_ZnamSt11align_val_t, return good(::operator new[](9, wide));)
CALL(_ZnamSt11align_val_tRKSt9nothrow_t, return good(::operator new[](9, wide, std::nothrow));)
CALL(_ZNSt13random_device9_M_getvalEv, std::random_device d; return d() <= d.max();)
CALL(__cxa_guard_acquire, static long g; return __cxa_guard_acquire(&g);)
CALL(__cxa_guard_release, static long g; __cxa_guard_acquire(&g); __cxa_guard_release(&g); return __cxa_guard_acquire(&g);)
CALL(__cxa_guard_abort, static long g; __cxa_guard_acquire(&g); __cxa_guard_abort(&g); return __cxa_guard_acquire(&g);)
