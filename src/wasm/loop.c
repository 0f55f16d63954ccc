/* SPDX-License-Identifier: MIT */
#include "wasm/loop.h"

#include <string.h>

/* Measured over 10,000,000 rows of two Numbers: what fits into a core's first cache, 1,024 or 2,048
 * rows, takes a quarter less time than 512 rows or 4,096 and more. */
#define ROWS_LIMIT 4096U
#define BYTES_WANTED (48U << 10)
#define ROWS_LEAST 256U

#define PAGE_SIZE 65536U
#define ALIGNMENT 64U

/* Rows a turn of the loop: 4 are a tenth faster than 1, 8 are no better. */
#define UNROLLED 4U

enum opcode {
    OP_BLOCK = 0x02,
    OP_LOOP = 0x03,
    OP_END = 0x0b,
    OP_BR = 0x0c,
    OP_BR_IF = 0x0d,
    OP_CALL = 0x10,
    OP_LOCAL_GET = 0x20,
    OP_LOCAL_SET = 0x21,
    OP_GLOBAL_SET = 0x24,
    OP_I32_LOAD = 0x28,
    OP_I64_LOAD = 0x29,
    OP_F64_LOAD = 0x2b,
    OP_I32_LOAD8_U = 0x2d,
    OP_I32_STORE = 0x36,
    OP_I64_STORE = 0x37,
    OP_F64_STORE = 0x39,
    OP_I32_CONST = 0x41,
    OP_I32_GT_U = 0x4b,
    OP_I32_ADD = 0x6a,
    OP_I32_SHL = 0x74,
};

enum section {
    SECTION_TYPE = 1,
    SECTION_IMPORT = 2,
    SECTION_FUNCTION = 3,
    SECTION_MEMORY = 5,
    SECTION_GLOBAL = 6,
    SECTION_EXPORT = 7,
    SECTION_CODE = 10,
};

enum {
    KIND_FUNCTION = 0,
    KIND_MEMORY = 2,
    KIND_GLOBAL = 3,
    TYPE_FUNCTION = 0x60,
    TYPE_EMPTY = 0x40,
    HAS_MAXIMUM = 1,
    IS_MUTABLE = 1,
    CALL_TYPE = 0, /* indices */
    RUN_TYPE = 1,
    CALL_FUNCTION = 0,
    RUN_FUNCTION = 1,
    ROW_GLOBAL = 0,
    FIRST_LOCAL = 0, /* counts up to the end */
    END_LOCAL = 1,
};

typedef struct element {
    uint8_t load;
    uint8_t shift; /* 2^shift bytes each */
    uint8_t store; /* of a result */
    uint8_t ret_shift;
} element;

static const element elements[] = {
    [EXTFN_NUMBER] = {OP_F64_LOAD, 3, OP_F64_STORE, 3},
    [EXTFN_BOOLEAN] = {OP_I32_LOAD8_U, 0, OP_I32_STORE, 2},
    [EXTFN_DATETIME] = {OP_I64_LOAD, 3, OP_I64_STORE, 3},
    [EXTFN_ENUM] = {OP_I32_LOAD, 2, OP_I32_STORE, 2},
};

/* ---- Layout ---- */

size_t xf_wasm_loop_ret_width(extfn_type ret)
{
    return (size_t)1 << elements[ret].ret_shift;
}

static uint32_t row_width(const xf_wasm_signature *signature)
{
    uint32_t width = 1U << elements[signature->ret].ret_shift;
    for (size_t i = 0; i < signature->arg_count; i++)
        width += 1U << elements[signature->args[i]].shift;
    return width;
}

/* One line more than the column needs: columns that lie a multiple of 4 KiB apart push each other
 * out of the cache. */
static uint32_t next_start(uint32_t start, uint32_t rows, uint8_t shift)
{
    return (start + (rows << shift) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
}

xf_wasm_loop xf_wasm_loop_plan(const xf_wasm_signature *signature)
{
    xf_wasm_loop loop = {.rows = ROWS_LIMIT};
    while (loop.rows > ROWS_LEAST && loop.rows * row_width(signature) > BYTES_WANTED)
        loop.rows /= 2;
    uint32_t start = 0;
    for (size_t i = 0; i < signature->arg_count; i++) {
        loop.arg_starts[i] = start;
        start = next_start(start, loop.rows, elements[signature->args[i]].shift);
    }
    loop.ret_start = start;
    start = next_start(start, loop.rows, elements[signature->ret].ret_shift);
    loop.pages = (start + PAGE_SIZE - 1) / PAGE_SIZE;
    return loop;
}

/* ---- Writing: the first failure stays, and what follows it does nothing. ---- */

typedef struct writer {
    xf_buf *module;
    extfn_status status;
    extfn_error *err;
} writer;

static void put_bytes(writer *out, const void *bytes, size_t size)
{
    if (out->status == EXTFN_OK)
        out->status = xf_buf_append(out->module, bytes, size, out->err);
}

static void put_byte(writer *out, uint8_t byte)
{
    put_bytes(out, &byte, 1);
}

static void put_u32(writer *out, uint32_t number)
{
    for (; number >= 0x80; number >>= 7)
        put_byte(out, (uint8_t)(number | 0x80));
    put_byte(out, (uint8_t)number);
}

/* A number that is not negative, as the signed form writes it. */
static void put_const(writer *out, uint32_t number)
{
    put_byte(out, OP_I32_CONST);
    for (; number >= 0x40; number >>= 7)
        put_byte(out, (uint8_t)(number | 0x80));
    put_byte(out, (uint8_t)number);
}

static void put_name(writer *out, const char *name)
{
    put_u32(out, (uint32_t)strlen(name));
    put_bytes(out, name, strlen(name));
}

#define SIZE_BYTES 5 /* of a number that is filled in later, at its longest form */

/* Returns what close_sized has to be given. */
static size_t open_sized(writer *out)
{
    put_bytes(out, (const uint8_t[SIZE_BYTES]){0}, SIZE_BYTES);
    return out->module->size;
}

static size_t open_section(writer *out, enum section section)
{
    put_byte(out, (uint8_t)section);
    return open_sized(out);
}

static void close_sized(writer *out, size_t start)
{
    if (out->status != EXTFN_OK)
        return;
    size_t size = out->module->size - start;
    for (int i = 0; i < SIZE_BYTES; i++) {
        uint8_t more = i < SIZE_BYTES - 1 ? 0x80 : 0;
        out->module->data[start - SIZE_BYTES + (size_t)i] =
            (char)(((size >> (7 * i)) & 0x7f) | more);
    }
}

/* ---- Code ---- */

static void put_op(writer *out, enum opcode opcode, uint32_t index)
{
    put_byte(out, (uint8_t)opcode);
    put_u32(out, index);
}

/* Of the element of 2^shift bytes in the row that FIRST_LOCAL counts. */
static void put_address(writer *out, uint8_t shift)
{
    put_op(out, OP_LOCAL_GET, FIRST_LOCAL);
    if (!shift)
        return;
    put_const(out, shift);
    put_byte(out, OP_I32_SHL);
}

static void put_access(writer *out, uint8_t opcode, uint8_t shift, uint32_t start)
{
    put_byte(out, opcode);
    put_u32(out, shift); /* its alignment */
    put_u32(out, start);
}

/* FIRST_LOCAL plus a constant. */
static void put_sum(writer *out, uint32_t number)
{
    put_op(out, OP_LOCAL_GET, FIRST_LOCAL);
    if (!number)
        return;
    put_const(out, number);
    put_byte(out, OP_I32_ADD);
}

/* row = first + ahead; results[row] = call(columns[row] ...) */
static void put_row(writer *out, const xf_wasm_signature *signature, const xf_wasm_loop *loop,
                    uint32_t ahead)
{
    const element *ret = &elements[signature->ret];
    put_sum(out, ahead);
    put_op(out, OP_GLOBAL_SET, ROW_GLOBAL);
    put_address(out, ret->ret_shift);
    for (size_t i = 0; i < signature->arg_count; i++) {
        const element *arg = &elements[signature->args[i]];
        put_address(out, arg->shift);
        put_access(out, arg->load, arg->shift, loop->arg_starts[i] + (ahead << arg->shift));
    }
    put_op(out, OP_CALL, CALL_FUNCTION);
    put_access(out, ret->store, ret->ret_shift, loop->ret_start + (ahead << ret->ret_shift));
}

/* while (first + count <= end) { count rows; first += count; } */
static void put_loop(writer *out, const xf_wasm_signature *signature, const xf_wasm_loop *loop,
                     uint32_t count)
{
    put_op(out, OP_BLOCK, TYPE_EMPTY);
    put_op(out, OP_LOOP, TYPE_EMPTY);
    put_sum(out, count);
    put_op(out, OP_LOCAL_GET, END_LOCAL);
    put_byte(out, OP_I32_GT_U);
    put_op(out, OP_BR_IF, 1);
    for (uint32_t ahead = 0; ahead < count; ahead++)
        put_row(out, signature, loop, ahead);
    put_sum(out, count);
    put_op(out, OP_LOCAL_SET, FIRST_LOCAL);
    put_op(out, OP_BR, 0);
    put_byte(out, OP_END);
    put_byte(out, OP_END);
}

static void put_code(writer *out, const xf_wasm_signature *signature, const xf_wasm_loop *loop)
{
    size_t section = open_section(out, SECTION_CODE);
    put_u32(out, 1);
    size_t body = open_sized(out);
    put_u32(out, 0); /* locals */
    put_loop(out, signature, loop, UNROLLED);
    put_loop(out, signature, loop, 1);
    put_byte(out, OP_END);
    close_sized(out, body);
    close_sized(out, section);
}

/* ---- The other sections ---- */

static void put_types(writer *out, const xf_wasm_signature *signature)
{
    const xf_wasm_type call = xf_wasm_signature_type(signature);
    size_t section = open_section(out, SECTION_TYPE);
    put_u32(out, 2);
    put_byte(out, TYPE_FUNCTION);
    put_u32(out, (uint32_t)call.param_count);
    put_bytes(out, call.params, call.param_count);
    put_u32(out, (uint32_t)call.result_count);
    put_bytes(out, call.results, call.result_count);
    put_byte(out, TYPE_FUNCTION);
    put_u32(out, 2);
    put_byte(out, XF_WASM_I32);
    put_byte(out, XF_WASM_I32);
    put_u32(out, 0);
    close_sized(out, section);
}

static void put_import(writer *out)
{
    size_t section = open_section(out, SECTION_IMPORT);
    put_u32(out, 1);
    put_name(out, XF_WASM_LOOP_IMPORT_MODULE);
    put_name(out, XF_WASM_LOOP_IMPORT_FIELD);
    put_byte(out, KIND_FUNCTION);
    put_u32(out, CALL_TYPE);
    close_sized(out, section);
}

static void put_functions(writer *out)
{
    size_t section = open_section(out, SECTION_FUNCTION);
    put_u32(out, 1);
    put_u32(out, RUN_TYPE);
    close_sized(out, section);
}

static void put_memory(writer *out, const xf_wasm_loop *loop)
{
    size_t section = open_section(out, SECTION_MEMORY);
    put_u32(out, 1);
    put_byte(out, HAS_MAXIMUM);
    put_u32(out, loop->pages);
    put_u32(out, loop->pages);
    close_sized(out, section);
}

static void put_global(writer *out)
{
    size_t section = open_section(out, SECTION_GLOBAL);
    put_u32(out, 1);
    put_byte(out, XF_WASM_I32);
    put_byte(out, IS_MUTABLE);
    put_const(out, 0);
    put_byte(out, OP_END);
    close_sized(out, section);
}

static void put_exports(writer *out)
{
    static const struct {
        const char *name;
        uint8_t kind;
        uint32_t index;
    } exports[] = {{XF_WASM_LOOP_MEMORY, KIND_MEMORY, 0},
                   {XF_WASM_LOOP_ROW, KIND_GLOBAL, ROW_GLOBAL},
                   {XF_WASM_LOOP_RUN, KIND_FUNCTION, RUN_FUNCTION}};
    const uint32_t count = sizeof(exports) / sizeof(exports[0]);
    size_t section = open_section(out, SECTION_EXPORT);
    put_u32(out, count);
    for (size_t i = 0; i < count; i++) {
        put_name(out, exports[i].name);
        put_byte(out, exports[i].kind);
        put_u32(out, exports[i].index);
    }
    close_sized(out, section);
}

extfn_status xf_wasm_loop_write(const xf_wasm_signature *signature, const xf_wasm_loop *loop,
                                xf_buf *module, extfn_error *err)
{
    writer out = {.module = module, .err = err};
    put_bytes(&out, "\0asm\1\0\0\0", 8);
    put_types(&out, signature);
    put_import(&out);
    put_functions(&out);
    put_memory(&out, loop);
    put_global(&out);
    put_exports(&out);
    put_code(&out, signature, loop);
    return out.status;
}
