/* SPDX-License-Identifier: MIT */
#include "wasm/binary.h"

#include "base/text.h"

#include <string.h>

/* ---- Reading: a cursor never passes its end. ---- */

typedef struct cursor {
    const uint8_t *bytes; /* of the whole module */
    size_t at;
    size_t end;
} cursor;

static extfn_status broken(const cursor *in, extfn_error *err)
{
    return xf_fail(err, EXTFN_EINVAL, "the WebAssembly module is broken at byte %zu", in->at);
}

static extfn_status read_byte(cursor *in, uint8_t *ret_byte, extfn_error *err)
{
    if (in->at == in->end)
        return broken(in, err);
    *ret_byte = in->bytes[in->at++];
    return EXTFN_OK;
}

static extfn_status skip(cursor *in, size_t size, extfn_error *err)
{
    if (size > in->end - in->at)
        return broken(in, err);
    in->at += size;
    return EXTFN_OK;
}

/* An unsigned number of `bits` bits. */
static extfn_status read_unsigned(cursor *in, unsigned bits, uint64_t *ret_number, extfn_error *err)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < bits; shift += 7) {
        uint8_t byte = 0;
        XF_TRY(read_byte(in, &byte, err));
        uint64_t part = byte & 0x7f;
        if (bits - shift < 7 && part >> (bits - shift))
            return broken(in, err);
        number |= part << shift;
        if (!(byte & 0x80)) {
            *ret_number = number;
            return EXTFN_OK;
        }
    }
    return broken(in, err);
}

static extfn_status read_u32(cursor *in, uint32_t *ret_number, extfn_error *err)
{
    uint64_t number = 0;
    XF_TRY(read_unsigned(in, 32, &number, err));
    *ret_number = (uint32_t)number;
    return EXTFN_OK;
}

static extfn_status skip_signed(cursor *in, extfn_error *err)
{
    uint8_t byte = 0x80;
    for (int i = 0; i < 10 && byte & 0x80; i++)
        XF_TRY(read_byte(in, &byte, err));
    return byte & 0x80 ? broken(in, err) : EXTFN_OK;
}

/* The next `size` bytes as a cursor of their own. */
static extfn_status read_part(cursor *in, size_t size, cursor *ret_part, extfn_error *err)
{
    size_t start = in->at;
    XF_TRY(skip(in, size, err));
    *ret_part = (cursor){.bytes = in->bytes, .at = start, .end = in->at};
    return EXTFN_OK;
}

static extfn_status read_name(cursor *in, const char **ret_name, size_t *ret_size, extfn_error *err)
{
    uint32_t size = 0;
    cursor name = {0};
    XF_TRY(read_u32(in, &size, err));
    XF_TRY(read_part(in, size, &name, err));
    const char *text = (const char *)(in->bytes + name.at);
    if (!xf_utf8_is_valid(text, size))
        return broken(&name, err);
    *ret_name = text;
    *ret_size = size;
    return EXTFN_OK;
}

static extfn_status expect_end(const cursor *in, extfn_error *err)
{
    return in->at == in->end ? EXTFN_OK : broken(in, err);
}

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
    cursor parts[SECTION_COUNT];
    uint32_t counts[SECTION_COUNT]; /* of elements; of the start section: the function */
    bool has[SECTION_COUNT];
} sections;

static extfn_status read_section(cursor *in, sections *all, extfn_error *err)
{
    uint8_t id = 0;
    uint32_t size = 0;
    cursor part = {0};
    const cursor start = *in;
    XF_TRY(read_byte(in, &id, err));
    XF_TRY(read_u32(in, &size, err));
    XF_TRY(read_part(in, size, &part, err));
    if (id == SECTION_CUSTOM)
        return EXTFN_OK;
    if (id >= SECTION_COUNT || all->has[id])
        return broken(&start, err);
    XF_TRY(read_u32(&part, &all->counts[id], err));
    all->has[id] = true;
    all->parts[id] = part;
    return EXTFN_OK;
}

static extfn_status read_sections(const uint8_t *bytes, size_t size, sections *ret_all,
                                  extfn_error *err)
{
    static const char magic[] = "\0asm\1\0\0";
    cursor in = {.bytes = bytes, .at = sizeof(magic), .end = size};
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

static extfn_status read_types(cursor *in, uint8_t *types, size_t limit, size_t *ret_count,
                               extfn_error *err)
{
    uint32_t count = 0;
    XF_TRY(read_u32(in, &count, err));
    for (uint32_t i = 0; i < count; i++) {
        uint8_t type = 0;
        XF_TRY(read_byte(in, &type, err));
        keep(types, limit, i, type);
    }
    *ret_count = count;
    return EXTFN_OK;
}

/* The type at `index` of the type section, of which `from` speaks. */
static extfn_status find_type(const sections *all, const cursor *from, uint32_t index,
                              xf_wasm_type *ret_type, extfn_error *err)
{
    cursor in = all->parts[SECTION_TYPE];
    if (index >= all->counts[SECTION_TYPE])
        return broken(from, err);
    xf_wasm_type type = {0};
    for (uint32_t i = 0; i <= index; i++) {
        uint8_t form = 0;
        const cursor start = in;
        XF_TRY(read_byte(&in, &form, err));
        if (form != 0x60)
            return broken(&start, err);
        type = (xf_wasm_type){0};
        XF_TRY(read_types(&in, type.params, XF_WASM_PARAM_LIMIT, &type.param_count, err));
        XF_TRY(read_types(&in, type.results, XF_WASM_RESULT_LIMIT, &type.result_count, err));
    }
    *ret_type = type;
    return EXTFN_OK;
}

static extfn_status find_function_type(const sections *all, const cursor *from, uint32_t function,
                                       xf_wasm_type *ret_type, extfn_error *err)
{
    cursor in = all->parts[SECTION_FUNCTION];
    uint32_t type = 0;
    if (function >= all->counts[SECTION_FUNCTION])
        return broken(from, err);
    for (uint32_t i = 0; i <= function; i++)
        XF_TRY(read_u32(&in, &type, err));
    return find_type(all, &in, type, ret_type, err);
}

/* ---- Imports, memories, tables, globals ---- */

static extfn_status summarize_imports(const sections *all, xf_wasm_summary *summary,
                                      extfn_error *err)
{
    cursor in = all->parts[SECTION_IMPORT];
    summary->import_count = all->counts[SECTION_IMPORT];
    if (!summary->import_count)
        return EXTFN_OK;
    XF_TRY(read_name(&in, &summary->import_module, &summary->import_module_size, err));
    return read_name(&in, &summary->import_field, &summary->import_field_size, err);
}

/* Adds the least size to the sum, which stays at its largest. */
static extfn_status add_limits(cursor *in, uint64_t *sum, extfn_error *err)
{
    enum { HAS_MAXIMUM = 1, KNOWN = 7 };
    uint8_t flags = 0;
    uint64_t least = 0;
    uint64_t most = 0;
    const cursor start = *in;
    XF_TRY(read_byte(in, &flags, err));
    if (flags & ~KNOWN)
        return broken(&start, err);
    XF_TRY(read_unsigned(in, 64, &least, err));
    if (flags & HAS_MAXIMUM)
        XF_TRY(read_unsigned(in, 64, &most, err));
    if (__builtin_add_overflow(*sum, least, sum))
        *sum = UINT64_MAX;
    return EXTFN_OK;
}

static extfn_status summarize_memories(const sections *all, xf_wasm_summary *summary,
                                       extfn_error *err)
{
    cursor in = all->parts[SECTION_MEMORY];
    summary->memory_count = all->counts[SECTION_MEMORY];
    for (uint32_t i = 0; i < summary->memory_count; i++)
        XF_TRY(add_limits(&in, &summary->memory_pages, err));
    return expect_end(&in, err);
}

static extfn_status skip_constant(cursor *in, extfn_error *err)
{
    enum { I32 = 0x41, I64 = 0x42, F32 = 0x43, F64 = 0x44, VECTOR = 0xfd, VECTOR_CONST = 0x0c };
    enum { GLOBAL_GET = 0x23, REF_NULL = 0xd0, REF_FUNC = 0xd2, END = 0x0b };
    for (;;) {
        uint8_t opcode = 0;
        uint32_t number = 0;
        const cursor start = *in;
        XF_TRY(read_byte(in, &opcode, err));
        switch (opcode) {
        case END:
            return EXTFN_OK;
        case I32:
        case I64:
            XF_TRY(skip_signed(in, err));
            break;
        case F32:
            XF_TRY(skip(in, 4, err));
            break;
        case F64:
            XF_TRY(skip(in, 8, err));
            break;
        case VECTOR:
            XF_TRY(read_u32(in, &number, err));
            if (number != VECTOR_CONST)
                return broken(&start, err);
            XF_TRY(skip(in, 16, err));
            break;
        case GLOBAL_GET:
        case REF_NULL:
        case REF_FUNC:
            XF_TRY(read_u32(in, &number, err));
            break;
        default: /* sums, differences, products, which have no operand of their own */
            if (!((opcode >= 0x6a && opcode <= 0x6c) || (opcode >= 0x7c && opcode <= 0x7e)))
                return broken(&start, err);
        }
    }
}

static extfn_status summarize_tables(const sections *all, xf_wasm_summary *summary,
                                     extfn_error *err)
{
    enum { HAS_INIT = 0x40 };
    cursor in = all->parts[SECTION_TABLE];
    summary->table_count = all->counts[SECTION_TABLE];
    for (uint32_t i = 0; i < summary->table_count; i++) {
        uint8_t type = 0;
        XF_TRY(read_byte(&in, &type, err));
        bool has_init = type == HAS_INIT;
        if (has_init)
            XF_TRY(skip(&in, 2, err)); /* a zero, the type */
        XF_TRY(add_limits(&in, &summary->table_elements, err));
        if (has_init)
            XF_TRY(skip_constant(&in, err));
    }
    return expect_end(&in, err);
}

static extfn_status summarize_globals(const sections *all, xf_wasm_summary *summary,
                                      extfn_error *err)
{
    cursor in = all->parts[SECTION_GLOBAL];
    summary->global_count = all->counts[SECTION_GLOBAL];
    for (uint32_t i = 0; i < summary->global_count; i++) {
        uint8_t is_mutable = 0;
        XF_TRY(skip(&in, 1, err)); /* the type */
        XF_TRY(read_byte(&in, &is_mutable, err));
        if (is_mutable)
            summary->mutable_global_count++;
        XF_TRY(skip_constant(&in, err));
    }
    return expect_end(&in, err);
}

/* ---- Exports and code ---- */

static bool is_name(const char *name, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(name, wanted, size) == 0;
}

/* Reads the kind and the index that follow the name. */
static extfn_status read_export(const sections *all, cursor *in, xf_wasm_export *ret_export,
                                extfn_error *err)
{
    enum { FUNCTION = 0, MEMORY = 2 };
    uint8_t kind = 0;
    uint32_t index = 0;
    const cursor start = *in;
    XF_TRY(read_byte(in, &kind, err));
    XF_TRY(read_u32(in, &index, err));
    if (kind != FUNCTION) {
        ret_export->kind = kind == MEMORY ? XF_WASM_EXPORT_MEMORY : XF_WASM_EXPORT_OTHER;
        return EXTFN_OK;
    }
    ret_export->kind = XF_WASM_EXPORT_FUNCTION;
    return find_function_type(all, &start, index, &ret_export->type, err);
}

static extfn_status summarize_exports(const sections *all, xf_wasm_summary *summary,
                                      extfn_error *err)
{
    cursor in = all->parts[SECTION_EXPORT];
    if (summary->import_count)
        return EXTFN_OK;
    for (uint32_t i = 0; i < all->counts[SECTION_EXPORT]; i++) {
        const char *name = NULL;
        size_t size = 0;
        xf_wasm_export found = {0};
        XF_TRY(read_name(&in, &name, &size, err));
        XF_TRY(read_export(all, &in, &found, err));
        if (is_name(name, size, "memory"))
            summary->is_memory_exported = found.kind == XF_WASM_EXPORT_MEMORY;
        else if (is_name(name, size, "improv_call"))
            summary->call = found;
        else if (is_name(name, size, "improv_alloc"))
            summary->alloc = found;
    }
    return expect_end(&in, err);
}

static extfn_status count_locals(cursor *in, uint32_t *ret_count, extfn_error *err)
{
    uint32_t groups = 0;
    uint32_t sum = 0;
    XF_TRY(read_u32(in, &groups, err));
    for (uint32_t i = 0; i < groups; i++) {
        uint32_t count = 0;
        XF_TRY(read_u32(in, &count, err));
        XF_TRY(skip(in, 1, err)); /* the type */
        if (__builtin_add_overflow(sum, count, &sum))
            sum = UINT32_MAX;
    }
    *ret_count = sum;
    return EXTFN_OK;
}

static extfn_status summarize_code(const sections *all, xf_wasm_summary *summary, extfn_error *err)
{
    cursor in = all->parts[SECTION_CODE];
    summary->function_count = all->counts[SECTION_CODE];
    for (uint32_t i = 0; i < summary->function_count; i++) {
        uint32_t size = 0;
        uint32_t locals = 0;
        cursor body = {0};
        XF_TRY(read_u32(&in, &size, err));
        XF_TRY(read_part(&in, size, &body, err));
        XF_TRY(count_locals(&body, &locals, err));
        if (size > summary->largest_body)
            summary->largest_body = size;
        if (locals > summary->largest_locals)
            summary->largest_locals = locals;
    }
    return expect_end(&in, err);
}

/* ---- All of it ---- */

bool xf_wasm_summary_has_state(const xf_wasm_summary *summary)
{
    return summary->memory_count || summary->table_count || summary->mutable_global_count;
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
    *ret_summary = summary;
    return EXTFN_OK;
}
