// SPDX-License-Identifier: BSD-2-Clause
//
// operators.cc - what C++ calls by other names.
#include "passive.h"

#include <list>
#include <map>
#include <new>
#include <random>
#include <sstream>

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

// Containers, whose nodes the library links.
static std::map<int, int> filled()
{
    std::map<int, int> m;

    for (int i = 1; i < 20; i++)
        m[7 * i % 20] = i;
    return m;
}

static long digits(const std::list<int> &l)
{
    long n = 0;

    for (int i : l)
        n = 10 * n + i;
    return n;
}

CALL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_, auto m = filled(); return (long)m.size() + m[7];)
CALL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, auto m = filled(); m.erase(7); m.erase(8);
     return (long)m.size() + m.begin()->first;)
CALL(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, auto m = filled(); auto at = m.begin(); ++at; return at->first;)
CALL(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, auto m = filled(); auto at = m.cbegin(); ++at; return at->first;)
CALL(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, auto m = filled(); auto at = m.end(); --at; --at; return at->first;)
CALL(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, auto m = filled(); auto at = m.cend(); --at; --at; return at->first;)
CALL(_ZNSt8__detail15_List_node_base7_M_hookEPS0_, std::list<int> l{ 1, 2 }; l.push_front(3); return digits(l);)
CALL(_ZNSt8__detail15_List_node_base9_M_unhookEv, std::list<int> l{ 1, 2, 3 }; l.pop_front(); return digits(l);)
CALL(_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_, std::list<int> l{ 1, 2, 3 };
     l.splice(l.begin(), l, std::prev(l.end())); return digits(l);)
CALL(_ZNSt8__detail15_List_node_base10_M_reverseEv, std::list<int> l{ 1, 2, 3 }; l.reverse(); return digits(l);)
CALL(_ZNSt8__detail15_List_node_base4swapERS0_S1_, std::list<int> l{ 1, 2, 3 }; std::list<int> k{ 4 }; l.swap(k);
     return 10000 * digits(l) + digits(k);)

// Streams, all of whose functions begin with a sentry.
CALL(_ZNSo6sentryC1ERSo, std::ostringstream o; o << 12 << "ab"; return (long)o.str().size();)
CALL(_ZNSi6sentryC1ERSib, std::istringstream i("12 34"); int a, b; i >> a >> b; return a + b;)
CALL(_ZNSt13basic_ostreamIwSt11char_traitsIwEE6sentryC1ERS2_, std::wostringstream o; o << 12 << L"ab";
     return (long)o.str().size();)
CALL(_ZNSt13basic_istreamIwSt11char_traitsIwEE6sentryC1ERS2_b, std::wistringstream i(L"12 34"); int a, b; i >> a >> b;
     return a + b;)
