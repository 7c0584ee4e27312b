/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guest.c - decodes the instructions that matter to the plugin, reads the guest's memory, injects interrupts.
 *
 * It examines only the length and the first bytes of an instruction, because QEMU has decoded the instruction
 * already. */
#include "kernel/plugin/guest.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "kernel/plugin/state.h"

static bool is_prefix(uint8_t b)
{
    return b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3 || b == 0x2e || b == 0x36 ||
           b == 0x3e || b == 0x26 || b == 0x64 || b == 0x65;
}

static enum hd_k_op group_ff(uint8_t modrm)
{
    unsigned which = modrm >> 3 & 7;

    return which == 2 || which == 3 ? HD_OP_CALL : which == 6 ? HD_OP_PUSH : HD_OP_OTHER;
}

static enum hd_k_op op_of(const uint8_t *b, unsigned n)
{
    switch (b[0]) {
    case 0xfa: return HD_OP_CLI;
    case 0xfb: return HD_OP_STI;
    case 0x9d: return HD_OP_POPF;
    case 0xcf: return HD_OP_IRET;
    case 0xf4: return HD_OP_HLT;
    case 0xe8: return HD_OP_CALL;
    case 0xc2: case 0xc3: return HD_OP_RET;
    case 0xff: return n > 1 ? group_ff(b[1]) : HD_OP_OTHER;
    case 0x06: case 0x0e: case 0x16: case 0x1e: case 0x60: case 0x68: case 0x6a: case 0x9c: return HD_OP_PUSH;
    case 0x07: case 0x17: case 0x1f: case 0x61: case 0x8f: case 0xc9: return HD_OP_POP;
    default:
        if (b[0] >= 0x50 && b[0] <= 0x5f)
            return b[0] < 0x58 ? HD_OP_PUSH : HD_OP_POP;
        return HD_OP_OTHER;
    }
}

/* Returns the distance of a direct jump or call, whose displacement is at its end; 0 for other instructions. */
static int32_t distance(const uint8_t *b, unsigned n)
{
    bool near = b[0] == 0xe8 || b[0] == 0xe9 || (b[0] == 0x0f && n == 6 && b[1] >= 0x80 && b[1] <= 0x8f);
    int32_t wide;

    if ((b[0] == 0xeb || (b[0] >= 0x70 && b[0] <= 0x7f)) && n == 2)
        return (int8_t)b[1];
    if (!near || n < 5)
        return 0;
    memcpy(&wide, b + n - 4, sizeof wide);
    return wide;
}

/* xchg with memory is atomic without a prefix.  In 64-bit code a REX prefix may precede it. */
static bool is_exchange(const uint8_t *b, unsigned n)
{
    if (n > 1 && b[0] >= 0x40 && b[0] <= 0x4f)
        b++, n--;
    return n > 1 && (b[0] == 0x86 || b[0] == 0x87) && b[1] < 0xc0;
}

void hd_insn_decode(struct hd_insn *i, uint32_t address, const uint8_t *bytes, unsigned size)
{
    unsigned skip = 0;

    while (skip + 1 < size && is_prefix(bytes[skip]))
        skip++;
    i->address = address;
    i->size = (uint8_t)size;
    /* Linux writes 0x3e over the prefix 0xf0 if there is one processor only */
    i->atomic = memchr(bytes, 0xf0, skip) != NULL || memchr(bytes, 0x3e, skip) != NULL || is_exchange(bytes + skip, size - skip);
    i->next = address + size;
    i->op = (uint8_t)op_of(bytes + skip, size - skip);
    int32_t away = distance(bytes + skip, size - skip);

    i->target = away != 0 ? i->next + (uint32_t)away : 0;
}

uint32_t hd_guest_word(const struct hd_klink *link, const uint8_t *ram, uint32_t address)
{
    uint64_t at = (uint64_t)address - link->offset;
    uint32_t word;

    if (address < link->offset || at + sizeof word > link->ram_size)
        return 0;
    memcpy(&word, ram + at, sizeof word);
    return word;
}

static int fd = -1;

static bool connect_qtest(const struct hd_klink *link)
{
    struct sockaddr_un to = { .sun_family = AF_UNIX };

    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memcpy(to.sun_path, link->qtest_path, strnlen(link->qtest_path, sizeof to.sun_path - 1));
    return fd != -1 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0;
}

void hd_guest_meet(void)
{
    if (hd_kp.ram != NULL)
        return;
    int file = open(hd_kp.link->ram_path, O_RDONLY | O_CLOEXEC);
    void *at = file == -1 ? MAP_FAILED : mmap(NULL, hd_kp.link->ram_size, PROT_READ, MAP_SHARED, file, 0);

    HD_INVARIANT(at != MAP_FAILED, "the memory of the guest cannot be mapped");
    close(file);
    hd_kp.ram = at;
    HD_INVARIANT(connect_qtest(hd_kp.link), "QEMU does not listen on -qtest");
}

/* Reads three answers, of one line each. */
static bool answered(void)
{
    char text[256];
    unsigned lines = 0;

    while (lines < 3) {
        ssize_t n = read(fd, text, sizeof text);

        if (n <= 0)
            return false;
        for (ssize_t i = 0; i < n; i++)
            lines += text[i] == '\n';
    }
    return true;
}

/* The controller reacts to a rising edge, and the output of the timer's chip is mostly high: lower the line
 * first. */
bool hd_guest_tick(const struct hd_klink *link)
{
    char command[768];
    const char *at = link->pic_path;
    int n = snprintf(command, sizeof command,
                     "set_irq_in %s unnamed-gpio-in 0 0\nset_irq_in %s unnamed-gpio-in 0 1\n"
                     "set_irq_in %s unnamed-gpio-in 0 0\n", at, at, at);

    return write(fd, command, (size_t)n) == n && answered();
}
