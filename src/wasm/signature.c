/* SPDX-License-Identifier: MIT */
#include "wasm/signature.h"

#include <string.h>

typedef struct abi_row {
    uint8_t params[2];
    uint8_t param_count;
    uint8_t result;
} abi_row;

static const abi_row abi[] = {
    [EXTFN_NUMBER] = {{XF_WASM_F64}, 1, XF_WASM_F64},
    [EXTFN_BOOLEAN] = {{XF_WASM_I32}, 1, XF_WASM_I32},
    [EXTFN_TEXT] = {{XF_WASM_I32, XF_WASM_I32}, 2, XF_WASM_I64},
    [EXTFN_DATETIME] = {{XF_WASM_I64}, 1, XF_WASM_I64},
    [EXTFN_ENUM] = {{XF_WASM_I32}, 1, XF_WASM_I32},
};

bool xf_wasm_signature_has_text(const xf_wasm_signature *signature)
{
    for (size_t i = 0; i < signature->arg_count; i++) {
        if (signature->args[i] == EXTFN_TEXT)
            return true;
    }
    return signature->ret == EXTFN_TEXT;
}

xf_wasm_type xf_wasm_signature_type(const xf_wasm_signature *signature)
{
    xf_wasm_type type = {.results = {abi[signature->ret].result}, .result_count = 1};
    for (size_t i = 0; i < signature->arg_count; i++) {
        const abi_row *row = &abi[signature->args[i]];
        for (size_t k = 0; k < row->param_count; k++)
            type.params[type.param_count++] = row->params[k];
    }
    return type;
}

static size_t kept(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

bool xf_wasm_type_is_equal(const xf_wasm_type *a, const xf_wasm_type *b)
{
    return a->param_count == b->param_count && a->result_count == b->result_count &&
           memcmp(a->params, b->params, kept(a->param_count, XF_WASM_PARAM_LIMIT)) == 0 &&
           memcmp(a->results, b->results, kept(a->result_count, XF_WASM_RESULT_LIMIT)) == 0;
}

/* ---- Text ---- */

typedef struct type_text {
    char *data; /* of XF_WASM_TYPE_TEXT_SIZE bytes */
    size_t size;
    bool is_full;
} type_text;

/* What does not fit gives way to `...`, for which there is always room. */
static void put(type_text *text, const char *word)
{
    static const char more[] = "...";
    size_t size = strlen(word);
    if (text->is_full)
        return;
    if (size > XF_WASM_TYPE_TEXT_SIZE - sizeof(more) - text->size) {
        text->is_full = true;
        word = more;
        size = strlen(more);
    }
    memcpy(text->data + text->size, word, size + 1);
    text->size += size;
}

static const char *valtype_text(uint8_t type)
{
    static const struct {
        uint8_t type;
        const char *text;
    } names[] = {{XF_WASM_I32, "i32"}, {XF_WASM_I64, "i64"}, {XF_WASM_F32, "f32"},
                 {XF_WASM_F64, "f64"}, {0x7b, "v128"},       {0x70, "funcref"},
                 {0x6f, "externref"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].type == type)
            return names[i].text;
    }
    return "ref";
}

static void put_list(type_text *text, const uint8_t *types, size_t count, size_t limit)
{
    for (size_t i = 0; i < kept(count, limit); i++) {
        put(text, i ? ", " : "");
        put(text, valtype_text(types[i]));
    }
    put(text, count > limit ? ", ..." : "");
}

const char *xf_wasm_type_text(const xf_wasm_type *type, char ret_text[XF_WASM_TYPE_TEXT_SIZE])
{
    type_text text = {.data = ret_text};
    bool is_single = type->result_count == 1;
    ret_text[0] = '\0';
    put(&text, "(");
    put_list(&text, type->params, type->param_count, XF_WASM_PARAM_LIMIT);
    put(&text, is_single ? ") -> " : ") -> (");
    put_list(&text, type->results, type->result_count, XF_WASM_RESULT_LIMIT);
    put(&text, is_single ? "" : ")");
    return ret_text;
}
