// SPDX-License-Identifier: BSD-2-Clause
//
// transfer - two accounts behind std::sync::Mutex.  Each transfer takes the lock of its source first.

use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    balance: Mutex<i64>,
}

struct Bank {
    savings: Account,
    checking: Account,
}

fn transfer(from: &Account, to: &Account, sum: i64) {
    let mut source = from.balance.lock().unwrap();
    let mut target = to.balance.lock().unwrap();

    *source -= sum;
    *target += sum;
}

fn main() {
    let bank = Arc::new(Bank {
        savings: Account { balance: Mutex::new(100) },
        checking: Account { balance: Mutex::new(100) },
    });
    let other = Arc::clone(&bank);
    let clerk = thread::spawn(move || transfer(&other.checking, &other.savings, 30));

    transfer(&bank.savings, &bank.checking, 10);
    clerk.join().unwrap();
}
