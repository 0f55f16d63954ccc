/* SPDX-License-Identifier: MIT */
#include "wasm/binary.h"

#include "wasm/code.h"
#include "wasm/cursor.h"

#include <string.h>

/* ---- Sections ---- */

enum {
    SECTION_CUSTOM = 0,
    SECTION_TYPE = 1,
    SECTION_IMPORT = 2,
    SECTION_FUNCTION = 3,
    SECTION_TABLE = 4,
    SECTION_MEMORY = 5,
    SECTION_GLOBAL = 6,
    SECTION_EXPORT = 7,
    SECTION_START = 8,
    SECTION_CODE = 10,
    SECTION_COUNT = 14,
};

/* What stands in each, without its count; one that the module lacks is empty. */
typedef struct sections {
    xf_wasm_cursor parts[SECTION_COUNT];
    uint32_t counts[SECTION_COUNT]; /* of elements; of the start section: the function */
    bool has[SECTION_COUNT];
    xf_wasm_cursor declaration;
} sections;

static bool is_name(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(name, wanted, size) == 0;
}

static extfn_status read_custom(xf_wasm_cursor *in, sections *all, extfn_error *err)
{
    const char *name = NULL;
    size_t size = 0;
    XF_TRY(xf_wasm_read_name(in, &name, &size, err));
    if (!all->declaration.bytes && is_name(name, size, "extfn"))
        all->declaration = *in;
    return EXTFN_OK;
}

static extfn_status read_section(xf_wasm_cursor *in, sections *all, extfn_error *err)
{
    uint8_t id = 0;
    uint32_t size = 0;
    xf_wasm_cursor part = {0};
    const xf_wasm_cursor start = *in;
    XF_TRY(xf_wasm_read_byte(in, &id, err));
    XF_TRY(xf_wasm_read_u32(in, &size, err));
    XF_TRY(xf_wasm_read_part(in, size, &part, err));
    if (id == SECTION_CUSTOM)
        return read_custom(&part, all, err);
    if (id >= SECTION_COUNT || all->has[id])
        return xf_wasm_broken(&start, err);
    XF_TRY(xf_wasm_read_u32(&part, &all->counts[id], err));
    all->has[id] = true;
    all->parts[id] = part;
    return EXTFN_OK;
}

static extfn_status read_sections(const uint8_t *bytes, size_t size, sections *ret_all,
                                  extfn_error *err)
{
    static const char magic[] = "\0asm\1\0\0";
    xf_wasm_cursor in = {.bytes = bytes, .at = sizeof(magic), .end = size};
    if (size < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0)
        return xf_fail(err, EXTFN_EINVAL, "this is no WebAssembly module (version 1)");
    while (in.at < in.end)
        XF_TRY(read_section(&in, ret_all, err));
    return EXTFN_OK;
}

/* ---- Types ---- */

static void keep(uint8_t *types, size_t limit, size_t position, uint8_t type)
{
    if (position < limit)
        types[position] = type;
}

static extfn_status read_types(xf_wasm_cursor *in, uint8_t *types, size_t limit, size_t *ret_count,
                               extfn_error *err)
{
    uint32_t count = 0;
    XF_TRY(xf_wasm_read_u32(in, &count, err));
    for (uint32_t i = 0; i < count; i++) {
        uint8_t type = 0;
        XF_TRY(xf_wasm_read_type(in, &type, err));
        keep(types, limit, i, type);
    }
    *ret_count = count;
    return EXTFN_OK;
}

/* The type at `index` of the type section, of which `from` speaks. */
static extfn_status find_type(const sections *all, const xf_wasm_cursor *from, uint32_t index,
                              xf_wasm_type *ret_type, extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_TYPE];
    if (index >= all->counts[SECTION_TYPE])
        return xf_wasm_broken(from, err);
    xf_wasm_type type = {0};
    for (uint32_t i = 0; i <= index; i++) {
        uint8_t form = 0;
        const xf_wasm_cursor start = in;
        XF_TRY(xf_wasm_read_byte(&in, &form, err));
        if (form != 0x60)
            return xf_wasm_broken(&start, err);
        type = (xf_wasm_type){0};
        XF_TRY(read_types(&in, type.params, XF_WASM_PARAM_LIMIT, &type.param_count, err));
        XF_TRY(read_types(&in, type.results, XF_WASM_RESULT_LIMIT, &type.result_count, err));
    }
    *ret_type = type;
    return EXTFN_OK;
}

static extfn_status find_function_type(const sections *all, const xf_wasm_cursor *from,
                                       uint32_t function, xf_wasm_type *ret_type, extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_FUNCTION];
    uint32_t type = 0;
    if (function >= all->counts[SECTION_FUNCTION])
        return xf_wasm_broken(from, err);
    for (uint32_t i = 0; i <= function; i++)
        XF_TRY(xf_wasm_read_u32(&in, &type, err));
    return find_type(all, &in, type, ret_type, err);
}

/* ---- Imports, memories, tables, globals ---- */

static extfn_status summarize_imports(const sections *all, xf_wasm_summary *summary,
                                      extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_IMPORT];
    summary->import_count = all->counts[SECTION_IMPORT];
    if (!summary->import_count)
        return EXTFN_OK;
    XF_TRY(xf_wasm_read_name(&in, &summary->import_module, &summary->import_module_size, err));
    return xf_wasm_read_name(&in, &summary->import_field, &summary->import_field_size, err);
}

/* Adds the least size to the sum, which stays at its largest. */
static extfn_status add_limits(xf_wasm_cursor *in, uint64_t *sum, extfn_error *err)
{
    enum { HAS_MAXIMUM = 1, KNOWN = 7 };
    uint8_t flags = 0;
    uint64_t least = 0;
    uint64_t most = 0;
    const xf_wasm_cursor start = *in;
    XF_TRY(xf_wasm_read_byte(in, &flags, err));
    if (flags & ~KNOWN)
        return xf_wasm_broken(&start, err);
    XF_TRY(xf_wasm_read_unsigned(in, 64, &least, err));
    if (flags & HAS_MAXIMUM)
        XF_TRY(xf_wasm_read_unsigned(in, 64, &most, err));
    if (__builtin_add_overflow(*sum, least, sum))
        *sum = UINT64_MAX;
    return EXTFN_OK;
}

static extfn_status summarize_memories(const sections *all, xf_wasm_summary *summary,
                                       extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_MEMORY];
    summary->memory_count = all->counts[SECTION_MEMORY];
    for (uint32_t i = 0; i < summary->memory_count; i++)
        XF_TRY(add_limits(&in, &summary->memory_pages, err));
    return xf_wasm_expect_end(&in, err);
}

/* What follows the opcode of a constant expression. */
static extfn_status skip_operand(xf_wasm_cursor *in, uint8_t opcode, extfn_error *err)
{
    enum { I32 = 0x41, I64 = 0x42, F32 = 0x43, F64 = 0x44, VECTOR = 0xfd, VECTOR_CONST = 0x0c };
    enum { GLOBAL_GET = 0x23, REF_NULL = 0xd0, REF_FUNC = 0xd2 };
    uint32_t number = 0;
    switch (opcode) {
    case I32:
    case I64:
        return xf_wasm_skip_signed(in, err);
    case F32:
        return xf_wasm_skip(in, 4, err);
    case F64:
        return xf_wasm_skip(in, 8, err);
    case VECTOR:
        XF_TRY(xf_wasm_read_u32(in, &number, err));
        return number == VECTOR_CONST ? xf_wasm_skip(in, 16, err) : xf_wasm_broken(in, err);
    case GLOBAL_GET:
    case REF_NULL:
    case REF_FUNC:
        return xf_wasm_read_u32(in, &number, err);
    default: { /* sums, differences and products have none */
        bool is_sum = (opcode >= 0x6a && opcode <= 0x6c) || (opcode >= 0x7c && opcode <= 0x7e);
        return is_sum ? EXTFN_OK : xf_wasm_broken(in, err);
    }
    }
}

static extfn_status skip_constant(xf_wasm_cursor *in, extfn_error *err)
{
    enum { END = 0x0b };
    for (;;) {
        uint8_t opcode = 0;
        XF_TRY(xf_wasm_read_byte(in, &opcode, err));
        if (opcode == END)
            return EXTFN_OK;
        XF_TRY(skip_operand(in, opcode, err));
    }
}

static extfn_status summarize_tables(const sections *all, xf_wasm_summary *summary,
                                     extfn_error *err)
{
    enum { HAS_INIT = 0x40 };
    xf_wasm_cursor in = all->parts[SECTION_TABLE];
    summary->table_count = all->counts[SECTION_TABLE];
    for (uint32_t i = 0; i < summary->table_count; i++) {
        uint8_t type = 0;
        XF_TRY(xf_wasm_read_type(&in, &type, err));
        bool has_init = type == HAS_INIT;
        if (has_init) {
            XF_TRY(xf_wasm_skip(&in, 1, err)); /* a zero */
            XF_TRY(xf_wasm_read_type(&in, &type, err));
        }
        XF_TRY(add_limits(&in, &summary->table_elements, err));
        if (has_init)
            XF_TRY(skip_constant(&in, err));
    }
    return xf_wasm_expect_end(&in, err);
}

static extfn_status summarize_globals(const sections *all, xf_wasm_summary *summary,
                                      extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_GLOBAL];
    summary->global_count = all->counts[SECTION_GLOBAL];
    for (uint32_t i = 0; i < summary->global_count; i++) {
        uint8_t type = 0;
        uint8_t is_mutable = 0;
        XF_TRY(xf_wasm_read_type(&in, &type, err));
        XF_TRY(xf_wasm_read_byte(&in, &is_mutable, err));
        if (is_mutable)
            summary->mutable_global_count++;
        XF_TRY(skip_constant(&in, err));
    }
    return xf_wasm_expect_end(&in, err);
}

/* ---- Exports and code ---- */

typedef struct export_entry {
    uint8_t kind;
    uint32_t index;
    bool is_there;
    xf_wasm_cursor from; /* where it stands */
} export_entry;

enum { KIND_FUNCTION = 0, KIND_MEMORY = 2 };

static extfn_status read_entry(xf_wasm_cursor *in, export_entry *ret_entry, extfn_error *err)
{
    export_entry entry = {.is_there = true, .from = *in};
    XF_TRY(xf_wasm_read_byte(in, &entry.kind, err));
    XF_TRY(xf_wasm_read_u32(in, &entry.index, err));
    *ret_entry = entry;
    return EXTFN_OK;
}

static extfn_status note_export(const sections *all, const export_entry *entry,
                                xf_wasm_export *ret_export, extfn_error *err)
{
    if (!entry->is_there)
        return EXTFN_OK;
    if (entry->kind != KIND_FUNCTION) {
        ret_export->kind = XF_WASM_EXPORT_OTHER;
        return EXTFN_OK;
    }
    ret_export->kind = XF_WASM_EXPORT_FUNCTION;
    return find_function_type(all, &entry->from, entry->index, &ret_export->type, err);
}

/* A type is looked up once for each name that matters, not for each export: that would take the
 * square of the module's size. */
static extfn_status summarize_exports(const sections *all, xf_wasm_summary *summary,
                                      extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_EXPORT];
    export_entry call = {0};
    export_entry alloc = {0};
    if (summary->import_count)
        return EXTFN_OK;
    for (uint32_t i = 0; i < all->counts[SECTION_EXPORT]; i++) {
        const char *name = NULL;
        size_t size = 0;
        export_entry entry = {0};
        XF_TRY(xf_wasm_read_name(&in, &name, &size, err));
        XF_TRY(read_entry(&in, &entry, err));
        if (is_name(name, size, "memory"))
            summary->is_memory_exported = entry.kind == KIND_MEMORY;
        else if (is_name(name, size, "improv_call"))
            call = entry;
        else if (is_name(name, size, "improv_alloc"))
            alloc = entry;
    }
    XF_TRY(note_export(all, &call, &summary->call, err));
    XF_TRY(note_export(all, &alloc, &summary->alloc, err));
    return xf_wasm_expect_end(&in, err);
}

static extfn_status count_locals(xf_wasm_cursor *in, uint32_t *ret_count, extfn_error *err)
{
    uint32_t groups = 0;
    uint32_t sum = 0;
    uint8_t type = 0;
    XF_TRY(xf_wasm_read_u32(in, &groups, err));
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t count = 0;
        XF_TRY(xf_wasm_read_u32(in, &count, err));
        XF_TRY(xf_wasm_read_type(in, &type, err));
        if (__builtin_add_overflow(sum, count, &sum))
            sum = UINT32_MAX;
    }
    *ret_count = sum;
    return EXTFN_OK;
}

static extfn_status summarize_code(const sections *all, xf_wasm_summary *summary, extfn_error *err)
{
    xf_wasm_cursor in = all->parts[SECTION_CODE];
    summary->function_count = all->counts[SECTION_CODE];
    for (uint32_t i = 0; i < summary->function_count; i++) {
        uint32_t size = 0;
        uint32_t locals = 0;
        xf_wasm_cursor body = {0};
        XF_TRY(xf_wasm_read_u32(&in, &size, err));
        XF_TRY(xf_wasm_read_part(&in, size, &body, err));
        XF_TRY(count_locals(&body, &locals, err));
        summary->is_written = summary->is_written || xf_wasm_code_may_write(body);
        if (size > summary->largest_body)
            summary->largest_body = size;
        if (locals > summary->largest_locals)
            summary->largest_locals = locals;
    }
    return xf_wasm_expect_end(&in, err);
}

/* ---- All of it ---- */

bool xf_wasm_summary_has_state(const xf_wasm_summary *summary)
{
    bool is_there = summary->memory_count || summary->table_count || summary->mutable_global_count;
    return summary->has_start || (is_there && summary->is_written);
}

bool xf_wasm_summary_is_numeric(const xf_wasm_summary *summary)
{
    const xf_wasm_type *type = &summary->call.type;
    xf_wasm_signature signature = {.arg_count = type->param_count, .ret = EXTFN_NUMBER};
    if (summary->call.kind != XF_WASM_EXPORT_FUNCTION || type->param_count > EXTFN_ARGUMENT_LIMIT)
        return false;
    for (size_t i = 0; i < signature.arg_count; i++)
        signature.args[i] = EXTFN_NUMBER;
    const xf_wasm_type numeric = xf_wasm_signature_type(&signature);
    return xf_wasm_type_is_equal(type, &numeric);
}

extfn_status xf_wasm_binary_read(const void *bytes, size_t size, xf_wasm_summary *ret_summary,
                                 extfn_error *err)
{
    sections all = {0};
    xf_wasm_summary summary = {0};
    XF_TRY(read_sections(bytes, size, &all, err));
    XF_TRY(summarize_imports(&all, &summary, err));
    XF_TRY(summarize_memories(&all, &summary, err));
    XF_TRY(summarize_tables(&all, &summary, err));
    XF_TRY(summarize_globals(&all, &summary, err));
    XF_TRY(summarize_exports(&all, &summary, err));
    XF_TRY(summarize_code(&all, &summary, err));
    summary.has_start = all.has[SECTION_START];
    if (all.declaration.bytes) {
        summary.declaration = (const char *)all.declaration.bytes + all.declaration.at;
        summary.declaration_size = all.declaration.end - all.declaration.at;
    }
    *ret_summary = summary;
    return EXTFN_OK;
}
