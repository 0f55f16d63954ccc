/* SPDX-License-Identifier: MIT */
#include "wasm/code.h"

typedef enum operand {
    WRITES = 0, /* or is not known */
    NOTHING,
    INDEX,
    TWO_INDICES,
    SIGNED,
    BLOCK_TYPE,
    BYTES_4,
    BYTES_8,
    PLACE, /* in a memory: alignment, offset */
    TYPES,
    LABELS,
    MORE, /* the instruction is one of the numbered ones */
} operand;

static const struct {
    uint8_t first, last;
    operand kind;
} opcodes[] = {
    {0x20, 0x23, INDEX},       /* local.get, .set, .tee, global.get */
    {0x45, 0xc4, NOTHING},     /* comparisons, arithmetic, conversions */
    {0x41, 0x42, SIGNED},      /* i32.const, i64.const */
    {0x28, 0x35, PLACE},       /* loads */
    {0x00, 0x01, NOTHING},     /* unreachable, nop */
    {0x02, 0x04, BLOCK_TYPE},  /* block, loop, if */
    {0x05, 0x05, NOTHING},     /* else */
    {0x0b, 0x0b, NOTHING},     /* end */
    {0x0c, 0x0d, INDEX},       /* br, br_if */
    {0x0e, 0x0e, LABELS},      /* br_table */
    {0x0f, 0x0f, NOTHING},     /* return */
    {0x10, 0x10, INDEX},       /* call */
    {0x11, 0x11, TWO_INDICES}, /* call_indirect */
    {0x12, 0x12, INDEX},       /* return_call */
    {0x13, 0x13, TWO_INDICES}, /* return_call_indirect */
    {0x1a, 0x1b, NOTHING},     /* drop, select */
    {0x1c, 0x1c, TYPES},       /* select with its type */
    {0x25, 0x25, INDEX},       /* table.get */
    {0x3f, 0x3f, INDEX},       /* memory.size */
    {0x43, 0x43, BYTES_4},     /* f32.const */
    {0x44, 0x44, BYTES_8},     /* f64.const */
    {0xd0, 0xd0, BLOCK_TYPE},  /* ref.null */
    {0xd1, 0xd1, NOTHING},     /* ref.is_null */
    {0xd2, 0xd2, INDEX},       /* ref.func */
    {0xfc, 0xfc, MORE},
};

static operand operand_of(uint8_t opcode)
{
    for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++) {
        if (opcode >= opcodes[i].first && opcode <= opcodes[i].last)
            return opcodes[i].kind;
    }
    return WRITES;
}

static bool skip_indices(xf_wasm_cursor *in, uint32_t count)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (xf_wasm_read_u32(in, &index, NULL) != EXTFN_OK)
            return false;
    }
    return true;
}

static bool skip_place(xf_wasm_cursor *in)
{
    uint64_t offset = 0;
    return skip_indices(in, 1) && xf_wasm_read_unsigned(in, 64, &offset, NULL) == EXTFN_OK;
}

/* A count, that many labels, and the one of all other cases. */
static bool skip_labels(xf_wasm_cursor *in)
{
    uint32_t count = 0;
    return xf_wasm_read_u32(in, &count, NULL) == EXTFN_OK && skip_indices(in, count) &&
           skip_indices(in, 1);
}

/* Conversions that saturate, and the size of a table; all others change something. */
static bool skip_numbered(xf_wasm_cursor *in)
{
    enum { LAST_CONVERSION = 7, TABLE_SIZE = 16 };
    uint32_t number = 0;
    if (xf_wasm_read_u32(in, &number, NULL) != EXTFN_OK)
        return false;
    return number == TABLE_SIZE ? skip_indices(in, 1) : number <= LAST_CONVERSION;
}

/* A type, or the number of one of the module's. */
static bool skip_block_type(xf_wasm_cursor *in)
{
    uint8_t type = 0;
    xf_wasm_cursor first = *in;
    return xf_wasm_read_type(&first, &type, NULL) == EXTFN_OK &&
           xf_wasm_skip_signed(in, NULL) == EXTFN_OK;
}

/* As many types as the count says. */
static bool skip_types(xf_wasm_cursor *in)
{
    uint32_t count = 0;
    if (xf_wasm_read_u32(in, &count, NULL) != EXTFN_OK)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!skip_block_type(in))
            return false;
    }
    return true;
}

static bool skip_operand(xf_wasm_cursor *in, operand kind)
{
    switch (kind) {
    case NOTHING:
        return true;
    case INDEX:
        return skip_indices(in, 1);
    case TWO_INDICES:
        return skip_indices(in, 2);
    case BLOCK_TYPE:
        return skip_block_type(in);
    case SIGNED:
        return xf_wasm_skip_signed(in, NULL) == EXTFN_OK;
    case BYTES_4:
        return xf_wasm_skip(in, 4, NULL) == EXTFN_OK;
    case BYTES_8:
        return xf_wasm_skip(in, 8, NULL) == EXTFN_OK;
    case PLACE:
        return skip_place(in);
    case TYPES:
        return skip_types(in);
    case LABELS:
        return skip_labels(in);
    case MORE:
        return skip_numbered(in);
    case WRITES:
    default:
        return false;
    }
}

bool xf_wasm_code_may_write(xf_wasm_cursor body)
{
    while (body.at < body.end) {
        uint8_t opcode = body.bytes[body.at++];
        if (!skip_operand(&body, operand_of(opcode)))
            return true;
    }
    return false;
}
