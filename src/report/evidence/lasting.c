/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lasting.c - names of operations that stay valid when the program is edited. */
#include "report/evidence/lasting.h"

#include <string.h>

#include "model/schedule.h"

const char *hd_lasting_memory(struct hd_symbols *symbols, hd_cname name)
{
    enum hd_region region = hd_cname_region(name);

    if (region == HD_REG_MODULE)
        return hd_symbols_variable(symbols, hd_cname_index(name), hd_cname_offset(name));
    return hd_schedule_lasting(region, "?");
}

/* Returns the row of the object that names the operation; NULL: none does. */
static const struct hd_object_info *object_of(const struct hd_wire *w, const struct hd_event *e)
{
    bool waits = e->kind == HD_EV_COND_WAIT || e->kind == HD_EV_COND_WAKE;
    uint32_t obj = waits && e->obj2 != 0 ? e->obj2 : e->obj;

    if (hd_kind_info[e->kind].props & HD_PROP_NO_OBJECT || obj == 0 || obj >= w->common->nobjects ||
        obj >= HD_MAX_OBJECTS)
        return NULL;
    const struct hd_object_info *o = &w->common->objects[obj];

    /* tokens have the name of their condition or futex, whose row precedes theirs */
    return (o->type == HD_OBJ_COND_TOKENS || o->type == HD_OBJ_FUTEX_TOKENS) && obj > 1 ? o - 1 : o;
}

static const char *function_of(struct hd_symbols *symbols, const struct hd_event *e)
{
    struct hd_frame f[HD_MAX_FRAMES];
    /* the pc of a start is the entry of the function, all others are return addresses */
    uint64_t pc = e->pc + (e->kind == HD_EV_THREAD_START);

    if (e->pc == 0)
        return "";
    const struct hd_frame *own = hd_symbols_own_frame(f, hd_symbols_frames(symbols, pc, true, f, HD_MAX_FRAMES));

    return strcmp(own->function, "?") != 0 ? own->function : "";
}

void hd_lasting_name(const struct hd_wire *w, struct hd_symbols *symbols, const struct hd_event *e,
                     struct hd_lasting *out)
{
    const struct hd_object_info *o = object_of(w, e);

    *out = (struct hd_lasting){ .function = function_of(symbols, e), .object = "", .region = HD_REG_OTHER };
    if (hd_kind_info[e->kind].props & HD_PROP_PEER && e->peer != HD_NO_TID) {
        out->region = HD_REG_THREAD;
        out->object = hd_schedule_lasting(HD_REG_THREAD, "?");
    } else if (o != NULL) {
        out->region = (uint8_t)hd_cname_region(o->name);
        out->object = hd_lasting_memory(symbols, o->name);
    }
}
