/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seeded.c - a module of Linux with mistakes: /dev/seeded, /dev/seeded-pipe and /proc/seeded.
 *
 * Each mistake is of a class that was found in real kernels, and has a fix, which SEEDED_FIXED selects.
 *
 *   A  open beside the last close: open has looked for the object before it takes the lock
 *   B  unmount beside the removal of a watch: the lock is dropped between finding a watch and removing it
 *   C  a read of /proc shows a sum that there never was
 *   D  a wrong error: the state is looked at twice
 *   E  a lost update of a size
 *   F  an error path frees what another call frees, too
 *   G  a lost wake-up: the condition is looked at before the task is on the list of those that wait
 *   H  two locks, taken in different orders
 *   I  an interrupt's handler changes a counter between the read and the write of a process
 *   J  what a reader still uses is freed without waiting for the readers (a missing RCU barrier)
 *   K  a lost update of the size of a file, in a file system of this module (seeded_fs.h)
 *   L  a reference is taken to an object whose last reference has been dropped */
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "seeded.h"

static bool fixed;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(other);

#include "seeded_fs.h"

/* ---- A: /dev/seeded-pipe ---------------------------------------------------------------- */

struct seeded_pipe {
    int users;
    char data[64];
};

static struct seeded_pipe *pipe;

static int make_pipe(void)
{
    if (pipe == NULL)
        pipe = kzalloc(sizeof *pipe, GFP_KERNEL);
    return pipe == NULL ? -ENOMEM : 0;
}

static int pipe_open(struct inode *inode, struct file *file)
{
    int error = 0;

    if (fixed) {
        mutex_lock(&lock);
        error = make_pipe();
    } else {
        if (READ_ONCE(pipe) == NULL) {
            mutex_lock(&lock);
            error = make_pipe();
            mutex_unlock(&lock);
        }
        mutex_lock(&lock); /* the last close may have freed it */
    }
    if (error == 0)
        pipe->users++;
    mutex_unlock(&lock);
    return error;
}

static int pipe_release(struct inode *inode, struct file *file)
{
    mutex_lock(&lock);
    if (--pipe->users == 0) {
        kfree(pipe);
        pipe = NULL;
    }
    mutex_unlock(&lock);
    return 0;
}

static const struct file_operations pipe_operations = { .owner = THIS_MODULE, .open = pipe_open, .release = pipe_release };
static struct miscdevice pipe_device = { MISC_DYNAMIC_MINOR, "seeded-pipe", &pipe_operations };

/* ---- B: watches --------------------------------------------------------------------------- */

struct watch {
    struct list_head node;
    long number;
};

static LIST_HEAD(watches);
static long last_watch;

static long add_watch(void)
{
    struct watch *w = kzalloc(sizeof *w, GFP_KERNEL);

    if (w == NULL)
        return -ENOMEM;
    mutex_lock(&lock);
    w->number = ++last_watch;
    list_add_tail(&w->node, &watches);
    mutex_unlock(&lock);
    return w->number;
}

static struct watch *find_watch(long number)
{
    struct watch *w;

    list_for_each_entry(w, &watches, node)
        if (number == 0 || w->number == number)
            return w;
    return NULL;
}

/* number 0: the first one */
static long remove_watch(long number)
{
    struct watch *w;

    mutex_lock(&lock);
    w = find_watch(number);
    if (!fixed) {
        mutex_unlock(&lock);
        mutex_lock(&lock); /* w may be gone */
    }
    if (w != NULL)
        list_del(&w->node);
    mutex_unlock(&lock);
    kfree(w);
    return w == NULL ? -ENOENT : 0;
}

static void unmount(void)
{
    while (remove_watch(0) == 0)
        continue;
}

/* ---- C: /proc/seeded ----------------------------------------------------------------------- */

static long first = 100, second;

static int show_accounts(struct seq_file *m, void *v)
{
    if (fixed)
        mutex_lock(&lock);
    seq_printf(m, "%ld ", READ_ONCE(first));
    seq_printf(m, "%ld\n", READ_ONCE(second));
    if (fixed)
        mutex_unlock(&lock);
    return 0;
}

static void move(long n)
{
    mutex_lock(&lock);
    first -= n;
    second += n;
    mutex_unlock(&lock);
}

/* ---- D: connect ----------------------------------------------------------------------------- */

enum { IDLE, CONNECTED };
static int state;

static long connect(void)
{
    long result = 0;

    mutex_lock(&lock);
    if (state == CONNECTED)
        result = -EISCONN;
    if (result == 0 && !fixed) {
        mutex_unlock(&lock);
        mutex_lock(&lock);
        if (state != IDLE)
            result = -EINVAL; /* another one has connected it meanwhile: wrong error */
    }
    if (result == 0)
        state = CONNECTED;
    mutex_unlock(&lock);
    return result;
}

/* ---- E: size ---------------------------------------------------------------------------------- */

static long size;

static void append(long n)
{
    if (fixed)
        mutex_lock(&lock);
    long before = READ_ONCE(size);

    WRITE_ONCE(size, before + n);
    if (fixed)
        mutex_unlock(&lock);
}

/* ---- F: requests ------------------------------------------------------------------------------- */

struct request {
    long argument;
};

static struct request *pending;

static void give_up(struct request *r)
{
    bool mine;

    mutex_lock(&lock);
    mine = pending == r;
    if (mine)
        pending = NULL;
    mutex_unlock(&lock);
    if (mine || !fixed)
        kfree(r);
}

static long submit(long argument)
{
    struct request *r = kzalloc(sizeof *r, GFP_KERNEL), *before;

    if (r == NULL)
        return -ENOMEM;
    r->argument = argument;
    mutex_lock(&lock);
    before = pending;
    pending = before == NULL ? r : before;
    mutex_unlock(&lock);
    if (before != NULL) {
        kfree(r);
        return -EBUSY;
    }
    if (argument % 2 == 0)
        return 0;
    give_up(r); /* the mistake: somebody may have cancelled it */
    return -EIO;
}

static long cancel(void)
{
    struct request *r;

    mutex_lock(&lock);
    r = pending;
    pending = NULL;
    mutex_unlock(&lock);
    kfree(r);
    return r == NULL ? -ENOENT : 0;
}

/* ---- G: wait and wake ---------------------------------------------------------------------------- */

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int posted;

static void take(void)
{
    if (fixed) {
        wait_event(queue, READ_ONCE(posted) > 0);
    } else if (READ_ONCE(posted) == 0) {
        DEFINE_WAIT(w);

        prepare_to_wait(&queue, &w, TASK_UNINTERRUPTIBLE); /* posted may be 1 by now */
        schedule();
        finish_wait(&queue, &w);
    }
    WRITE_ONCE(posted, 0);
}

static void post(void)
{
    WRITE_ONCE(posted, 1);
    wake_up(&queue);
}

/* ---- H: two locks ----------------------------------------------------------------------------------- */

static void take_both(long order)
{
    struct mutex *a = order == 0 || fixed ? &lock : &other, *b = a == &lock ? &other : &lock;

    mutex_lock(a);
    mutex_lock(b);
    mutex_unlock(b);
    mutex_unlock(a);
}

/* ---- I: a counter, and a handler ---------------------------------------------------------------------- */

static long counted, by_calls, by_handler;

static void handle(struct irq_work *work)
{
    counted++;
    by_handler++;
}

static struct irq_work work;

static void count(void)
{
    unsigned long flags;
    long before;

    mutex_lock(&lock);
    if (fixed)
        local_irq_save(flags);
    before = READ_ONCE(counted);
    WRITE_ONCE(counted, before + 1);
    if (fixed)
        local_irq_restore(flags);
    by_calls++;
    mutex_unlock(&lock);
}

/* ---- J: a setting that is replaced ----------------------------------------------------------------------- */

struct setting {
    int value, old;
    struct rcu_head head;
};

static struct setting __rcu *setting;

static void free_setting(struct rcu_head *head)
{
    kfree(container_of(head, struct setting, head));
}

static long set(void)
{
    struct setting *now = kzalloc(sizeof *now, GFP_KERNEL), *before;

    if (now == NULL)
        return -ENOMEM;
    now->value = 1;
    mutex_lock(&lock);
    before = rcu_dereference_protected(setting, true);
    if (before != NULL)
        WRITE_ONCE(before->old, 1);
    rcu_assign_pointer(setting, now);
    mutex_unlock(&lock);
    if (before != NULL && fixed)
        call_rcu(&before->head, free_setting);
    else
        kfree(before); /* somebody may still read it */
    return 0;
}

static long get(void)
{
    struct setting *s;
    long value;

    rcu_read_lock();
    s = rcu_dereference(setting);
    value = READ_ONCE(s->value);
    rcu_read_unlock();
    return value;
}

/* ---- L: a named object ------------------------------------------------------------------------------------ */

struct object {
    struct list_head node;
    atomic_t references;
    int value;
};

static LIST_HEAD(objects);

static long name_object(void)
{
    struct object *o = kzalloc(sizeof *o, GFP_KERNEL);

    if (o == NULL)
        return -ENOMEM;
    atomic_set(&o->references, 1);
    o->value = SEEDED_OBJECT;
    mutex_lock(&lock);
    list_add(&o->node, &objects);
    mutex_unlock(&lock);
    return 0;
}

static struct object *find_object(void)
{
    struct object *o;

    mutex_lock(&lock);
    o = list_first_entry_or_null(&objects, struct object, node);
    if (o != NULL && !fixed)
        atomic_inc(&o->references); /* the last one may have been dropped already */
    else if (o != NULL && !atomic_inc_not_zero(&o->references))
        o = NULL;
    mutex_unlock(&lock);
    return o;
}

static void drop(struct object *o)
{
    if (!atomic_dec_and_test(&o->references))
        return;
    mutex_lock(&lock);
    list_del(&o->node);
    mutex_unlock(&lock);
    kfree(o);
}

static long use_object(void)
{
    struct object *o = find_object();
    long value;

    if (o == NULL)
        return -ENOENT;
    value = READ_ONCE(o->value);
    drop(o);
    return value;
}

static long drop_named(void)
{
    struct object *o = list_first_entry_or_null(&objects, struct object, node);

    if (o != NULL)
        drop(o);
    return 0;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

static void reset(void)
{
    unmount();
    cancel();
    first = 100;
    second = 0;
    state = IDLE;
    size = 0;
    posted = 0;
    counted = by_calls + by_handler;
}

static long call(struct file *file, unsigned int command, unsigned long argument)
{
    switch (command) {
    case SEEDED_FIXED: fixed = argument != 0; return 0;
    case SEEDED_RESET: reset(); return 0;
    case SEEDED_WATCH: return add_watch();
    case SEEDED_UNWATCH: return remove_watch(argument);
    case SEEDED_UNMOUNT: unmount(); return 0;
    case SEEDED_MOVE: move(argument); return 0;
    case SEEDED_CONNECT: return connect();
    case SEEDED_APPEND: append(argument); return 0;
    case SEEDED_SIZE: return size;
    case SEEDED_SUBMIT: return submit(argument);
    case SEEDED_CANCEL: return cancel();
    case SEEDED_POST: post(); return 0;
    case SEEDED_TAKE: take(); return 0;
    case SEEDED_BOTH: take_both(argument); return 0;
    case SEEDED_ARM: irq_work_queue(&work); return 0;
    case SEEDED_ADD: count(); return 0;
    case SEEDED_TOTAL: return by_calls + by_handler - counted;
    case SEEDED_SET: return set();
    case SEEDED_GET: return get();
    case SEEDED_NAME: return name_object();
    case SEEDED_DROP: return drop_named();
    case SEEDED_USE: return use_object();
    default: return -ENOTTY;
    }
}

static const struct file_operations operations = { .owner = THIS_MODULE, .unlocked_ioctl = call };
static struct miscdevice device = { MISC_DYNAMIC_MINOR, "seeded", &operations };

static int __init begin(void)
{
    int error = misc_register(&device);

    init_irq_work(&work, handle);
    if (error == 0)
        error = misc_register(&pipe_device);
    if (error == 0)
        error = register_filesystem(&fs_type);
    if (error == 0)
        error = set() != 0 ? -ENOMEM : 0;
    if (error == 0 && proc_create_single("seeded", 0444, NULL, show_accounts) == NULL)
        error = -ENOMEM;
    return error;
}

static void __exit end(void)
{
    remove_proc_entry("seeded", NULL);
    unregister_filesystem(&fs_type);
    irq_work_sync(&work);
    rcu_barrier();
    kfree(rcu_dereference_protected(setting, true));
    misc_deregister(&pipe_device);
    misc_deregister(&device);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("mistakes for tests of Heddle");
