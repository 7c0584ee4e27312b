/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plugin.c - the entry point of the plugin, and the functions that QEMU calls for every instruction of the kernel.
 *
 * QEMU runs with one instruction in each translated block, so an interrupt that is raised in the
 * callback of an instruction is taken right after it. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/plugin/qemu.h"
#include "kernel/plugin/state.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = HD_QEMU_PLUGIN_VERSION;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

struct hd_kplugin hd_kp;
static struct hd_insn *insns; /* by address - code_low; kept when QEMU discards its translations */

static void begin_execution(void)
{
    struct hd_klink *l = hd_kp.link;

    hd_guest_meet();
    l->command = HD_KC_NONE;
    l->window = 0;
    hd_kp.last = NULL;
    hd_kp.due = false;
    hd_contexts_begin();
    hd_memory_begin();
    hd_choose_begin();
}

/* True if control has come to `to` by a call.  A loop may also lead to the first instruction of a function. */
static bool is_call(const struct hd_insn *from, const struct hd_insn *to)
{
    enum hd_k_role role = (enum hd_k_role)hd_kp.link->function[to->entry - 1].role;

    if (role == HD_KR_TIMER || role == HD_KR_INTERRUPT || role == HD_KR_FAULT)
        return true;
    return from != NULL && (from->op == HD_OP_CALL || hd_kp_function(from->address) != hd_kp_function(to->address));
}

static void on_instruction(unsigned vcpu, void *data)
{
    struct hd_insn *i = data;
    struct hd_klink *l = hd_kp.link;

    (void)vcpu;
    if (__atomic_load_n(&l->command, __ATOMIC_ACQUIRE) == HD_KC_RUN)
        begin_execution();
    if (l->phase != HD_KP_RUNNING)
        return;
    hd_contexts_follow(i);
    bool entered = i->entry != 0 && is_call(hd_kp.last, i);

    if (hd_kp.due && hd_kp_role(i->address) != HD_KR_TIMER && hd_kp_role(i->address) != HD_KR_FAULT)
        l->total.late++;
    hd_kp.due = false;
    l->instructions++;
    l->alive++;
    l->hash = hd_hash_mix(l->hash, i->address ^ (uint64_t)hd_kp.current << 32);
    l->context[hd_kp.current].pc = i->address;
    if (entered)
        hd_contexts_enter(i);
    if (l->phase == HD_KP_RUNNING && l->instructions > l->max_instructions)
        hd_choose_end(HD_KE_HANG, 0);
    if (l->phase == HD_KP_RUNNING && i->op == HD_OP_HLT)
        hd_explore_halt(i);
    else if (l->phase == HD_KP_RUNNING)
        hd_explore_point(i, entered);
    hd_kp.last = i;
    hd_kp.loads = hd_kp.stores = false;
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    bool store = qemu_plugin_mem_is_store(info);
    uint32_t at = (uint32_t)address;

    (void)vcpu;
    if (hd_kp.link->phase != HD_KP_RUNNING)
        return;
    if (store) {
        hd_kp.store = at;
        hd_kp.stores = true;
    } else if (!hd_kp.loads) { /* iret loads descriptors after the stack */
        hd_kp.load = at;
        hd_kp.loads = true;
    }
    hd_memory_access(data, at, 1u << qemu_plugin_mem_size_shift(info), store);
}

static struct hd_insn *insn_at(uint32_t address, const uint8_t *bytes, unsigned size)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_insn *i = &insns[address - l->code_low];
    const struct hd_k_function *f = hd_kp_function(address);

    hd_insn_decode(i, address, bytes, size);
    i->entry = f != NULL && f->address == address && f->role != HD_KR_NONE
                   ? l->function_of[address - l->code_low] : 0;
    return i;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    struct hd_klink *l = hd_kp.link;
    size_t n = qemu_plugin_tb_n_insns(tb);

    (void)id;
    if (l->is_linux) {
        hd_linux_translate(tb);
        return;
    }
    if (l->phase == HD_KP_BOOT && l->command != HD_KC_RUN)
        return; /* nothing is observed before the snapshot; loading the snapshot makes QEMU translate the code again */
    for (size_t k = 0; k < n; k++) {
        struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, k);
        uint64_t address = qemu_plugin_insn_vaddr(q);

        if (address < l->code_low || address >= l->code_high)
            continue;
        struct hd_insn *i = insn_at((uint32_t)address, qemu_plugin_insn_data(q), (unsigned)qemu_plugin_insn_size(q));

        qemu_plugin_register_vcpu_insn_exec_cb(q, on_instruction, QEMU_PLUGIN_CB_NO_REGS, i);
        qemu_plugin_register_vcpu_mem_cb(q, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, i);
    }
}

static bool map_link(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *at = fd == -1 ? MAP_FAILED
                        : mmap((void *)HD_KLINK_ADDRESS, sizeof(struct hd_klink), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);

    if (fd != -1)
        close(fd);
    if (at != (void *)HD_KLINK_ADDRESS)
        return false;
    hd_kp.link = at;
    return hd_kp.link->magic == HD_KLINK_MAGIC;
}

/* Arguments: link=PATH.  QEMU has not created the RAM yet; the plugin maps it in the first execution. */
int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    if (argc != 1 || strncmp(argv[0], "link=", 5) != 0 || !map_link(argv[0] + 5))
        return 1;
    insns = calloc(hd_kp.link->code_high - hd_kp.link->code_low + 1, sizeof *insns);
    if (insns == NULL)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
