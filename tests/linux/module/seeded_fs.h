/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seeded_fs.h - mistake K of the module: a tiny file system in memory, with one file, `log`, to which every write
 * appends.  Included by seeded.c. */
#ifndef SEEDED_FS_H
#define SEEDED_FS_H

#include <linux/pagemap.h>
#include <linux/uaccess.h>

#define FS_MAGIC 0x68646b66
#define FS_BYTES 256

static char fs_data[FS_BYTES];

static ssize_t fs_read(struct file *file, char __user *to, size_t n, loff_t *at)
{
    return simple_read_from_buffer(to, n, at, fs_data, i_size_read(file_inode(file)));
}

static ssize_t fs_write(struct file *file, const char __user *from, size_t n, loff_t *at)
{
    struct inode *inode = file_inode(file);
    loff_t size = i_size_read(inode);
    ssize_t written = -ENOSPC;

    inode_lock(inode);
    if (fixed)
        size = i_size_read(inode); /* the mistake: another write may have changed it before the lock was taken */
    if (n <= FS_BYTES - size)
        written = copy_from_user(fs_data + size, from, n) == 0 ? n : -EFAULT;
    if (written > 0)
        i_size_write(inode, size + n);
    inode_unlock(inode);
    return written;
}

static const struct file_operations fs_file = { .owner = THIS_MODULE, .read = fs_read, .write = fs_write };

static int fs_fill(struct super_block *s, void *data, int silent)
{
    static const struct tree_descr files[] = { [2] = { "log", &fs_file, 0600 }, { "" } };

    return simple_fill_super(s, FS_MAGIC, files);
}

static struct dentry *fs_mount(struct file_system_type *type, int flags, const char *name, void *data)
{
    return mount_nodev(type, flags, data, fs_fill);
}

static struct file_system_type fs_type = {
    .owner = THIS_MODULE, .name = "seeded", .mount = fs_mount, .kill_sb = kill_litter_super,
};

#endif
