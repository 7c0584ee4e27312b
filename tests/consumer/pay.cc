// SPDX-License-Identifier: BSD-2-Clause
//
// pay.cc - pay.c in C++.
#include <cassert>
#include <thread>

#include "account.h"

int main()
{
    std::thread other([] { account_add(1); });

    account_add(1);
    other.join();
    assert(account_balance() == 2);
}
