// SPDX-License-Identifier: BSD-2-Clause
//
// rust_locks.rs - Rust's standard library waits by atomics and futexes of its own, inside a program
// that is not instrumented.  "opposite" has a deadlock, "lost" an assertion that fails in some
// orders; the others are correct.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Condvar, Mutex, Once, RwLock};
use std::thread;

fn opposite() {
    let a = Arc::new(Mutex::new(0));
    let b = Arc::new(Mutex::new(0));
    let (a2, b2) = (a.clone(), b.clone());
    let t = thread::spawn(move || {
        let _held = a2.lock().unwrap();
        *b2.lock().unwrap() += 1;
    });
    {
        let _held = b.lock().unwrap();
        *a.lock().unwrap() += 1;
    }
    t.join().unwrap();
}

fn mutex() {
    let n = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let n = n.clone();
            thread::spawn(move || *n.lock().unwrap() += 1)
        })
        .collect();
    for t in threads {
        t.join().unwrap();
    }
    assert_eq!(*n.lock().unwrap(), 2);
}

fn channel() {
    let (to, from) = mpsc::channel();
    let t = thread::spawn(move || {
        to.send(Box::new(1)).unwrap();
        to.send(Box::new(2)).unwrap();
    });
    assert_eq!(*from.recv().unwrap() + *from.recv().unwrap(), 3);
    t.join().unwrap();
    assert!(from.recv().is_err());
}

fn once() {
    static START: Once = Once::new();
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let work = || {
        START.call_once(|| {
            RUNS.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(RUNS.load(Ordering::SeqCst), 1);
    };
    let t = thread::spawn(work);
    work();
    t.join().unwrap();
}

fn condition() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = pair.clone();
    let t = thread::spawn(move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let mut ready = pair.0.lock().unwrap();
    while !*ready {
        ready = pair.1.wait(ready).unwrap();
    }
    drop(ready);
    t.join().unwrap();
}

fn rwlock() {
    let n = Arc::new(RwLock::new(1));
    let other = n.clone();
    let t = thread::spawn(move || *other.write().unwrap() += 1);
    let seen = *n.read().unwrap();
    assert!(seen == 1 || seen == 2);
    t.join().unwrap();
    assert_eq!(*n.read().unwrap(), 2);
}

fn scope() {
    let n = Arc::new(AtomicUsize::new(0));
    let other = n.clone();
    let t = thread::spawn(move || {
        thread::yield_now();
        other.fetch_add(1, Ordering::Relaxed)
    });
    n.fetch_add(1, Ordering::Relaxed);
    t.join().unwrap();
    assert_eq!(Arc::try_unwrap(n).unwrap().into_inner(), 2);
}

// Two operations where one is needed.
fn lost() {
    let n = Arc::new(AtomicUsize::new(0));
    let other = n.clone();
    let add = |n: &AtomicUsize| {
        let old = n.fetch_or(0, Ordering::SeqCst);
        n.swap(old + 1, Ordering::SeqCst);
    };
    let t = thread::spawn(move || add(&other));
    add(&n);
    t.join().unwrap();
    assert_eq!(n.load(Ordering::SeqCst), 2);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("opposite") => opposite(),
        Some("channel") => channel(),
        Some("once") => once(),
        Some("condition") => condition(),
        Some("rwlock") => rwlock(),
        Some("scope") => scope(),
        Some("lost") => lost(),
        _ => mutex(),
    }
}
