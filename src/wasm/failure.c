#include "wasm/failure.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the engine's text that are shown. */
#define TEXT_SIZE 1024
#define NAME_SIZE 80
#define PLACE_SIZE 128

/* On one line: what stands between words becomes one space, and of a text that is too long the
 * beginning stays. */
static void flatten(const char *text, size_t size, char *ret_line, size_t line_size)
{
    size_t used = 0;
    for (size_t i = 0; i < size && used < line_size - 1; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool is_space = byte <= ' ' || byte == 0x7f;
        if (is_space && (used == 0 || ret_line[used - 1] == ' '))
            continue;
        ret_line[used++] = (char)(is_space ? ' ' : byte);
    }
    while (used > 0 && ret_line[used - 1] == ' ')
        used--;
    ret_line[used] = '\0';
    xf_utf8_repair(ret_line, used);
}

extfn_status xf_wasm_fail_words(bool is_quiet, const char *what, const char *text, size_t size,
                                extfn_error *err)
{
    char line[TEXT_SIZE];
    flatten(text, is_quiet ? 0 : size, line, sizeof(line));
    return xf_fail(err, EXTFN_ERUNTIME, "%s%s%s", what, line[0] ? ": " : "", line);
}

extfn_status xf_wasm_fail_error(const xf_wasm_api *wt, bool is_quiet, const char *what,
                                wasmtime_error_t *error, extfn_error *err)
{
    wasm_name_t text;
    wt->wasmtime_error_message(error, &text);
    extfn_status status = xf_wasm_fail_words(is_quiet, what, text.data, text.size, err);
    wt->wasm_byte_vec_delete(&text);
    wt->wasmtime_error_delete(error);
    return status;
}

/* Of `expected `)` --> <anon>:2:30 ...` the line, counted from 1; 0 where there is none. What comes
 * from there on shows the author his own text, and is cut. */
static unsigned long cut_place(const char *text, size_t *size)
{
    static const char mark[] = "--> <anon>:";
    const char *place = memmem(text, *size, mark, sizeof(mark) - 1);
    if (!place)
        return 0;
    const char *end = text + *size;
    unsigned long line = 0;
    for (const char *at = place + sizeof(mark) - 1; at < end && *at >= '0' && *at <= '9'; at++)
        line = line * 10 + (unsigned long)(*at - '0');
    *size = (size_t)(place - text);
    return line;
}

extfn_status xf_wasm_fail_text(const xf_wasm_api *wt, wasmtime_error_t *error, extfn_error *err)
{
    wasm_name_t text;
    wt->wasmtime_error_message(error, &text);
    size_t size = text.size;
    unsigned long line_number = cut_place(text.data, &size);
    char line[TEXT_SIZE];
    flatten(text.data, size, line, sizeof(line));
    wt->wasm_byte_vec_delete(&text);
    wt->wasmtime_error_delete(error);
    if (line_number == 0)
        return xf_fail(err, EXTFN_ERUNTIME, "module text is not valid: %s", line);
    return xf_fail(err, EXTFN_ERUNTIME, "module text is not valid: %s (line %lu)", line,
                   line_number);
}

/* ---- Traps ---- */

static const char *words_of(const xf_wasm_api *wt, const wasm_trap_t *trap)
{
    static const char *const words[] = {
        [WASMTIME_TRAP_CODE_STACK_OVERFLOW] = "call stack exhausted",
        [WASMTIME_TRAP_CODE_MEMORY_OUT_OF_BOUNDS] = "memory access out of bounds",
        [WASMTIME_TRAP_CODE_HEAP_MISALIGNED] = "memory access not aligned",
        [WASMTIME_TRAP_CODE_TABLE_OUT_OF_BOUNDS] = "table access out of bounds",
        [WASMTIME_TRAP_CODE_INDIRECT_CALL_TO_NULL] = "indirect call of an empty table element",
        [WASMTIME_TRAP_CODE_BAD_SIGNATURE] = "indirect call of another type",
        [WASMTIME_TRAP_CODE_INTEGER_OVERFLOW] = "integer overflow",
        [WASMTIME_TRAP_CODE_INTEGER_DIVISION_BY_ZERO] = "integer divide by zero",
        [WASMTIME_TRAP_CODE_BAD_CONVERSION_TO_INTEGER] = "number does not fit into an integer",
        [WASMTIME_TRAP_CODE_UNREACHABLE_CODE_REACHED] = "unreachable code reached",
        [WASMTIME_TRAP_CODE_NULL_REFERENCE] = "call of a null reference",
    };
    wasmtime_trap_code_t code;
    bool is_known = wt->wasmtime_trap_code(trap, &code) &&
                    code < sizeof(words) / sizeof(words[0]) && words[code];
    return is_known ? words[code] : "trap";
}

/* Where it happened: `(function f, byte 0x2f)`. Nothing for a stack that was exhausted: how deep it
 * came depends on the machine. */
static void describe_place(const xf_wasm_api *wt, const wasm_trap_t *trap, char *ret_text,
                           size_t text_size)
{
    wasm_frame_t *frame = wt->wasm_trap_origin(trap);
    if (!frame)
        return;
    const wasm_name_t *name = wt->wasmtime_frame_func_name(frame);
    char shown[NAME_SIZE];
    if (name)
        flatten(name->data, name->size, shown, sizeof(shown));
    else
        (void)snprintf(shown, sizeof(shown), "%" PRIu32, wt->wasm_frame_func_index(frame));
    (void)snprintf(ret_text, text_size, " (function %s, byte 0x%zx)", shown,
                   wt->wasm_frame_module_offset(frame));
    wt->wasm_frame_delete(frame);
}

/* What the engine says after its backtrace. */
static void describe_cause(const xf_wasm_api *wt, const wasm_trap_t *trap, char ret_text[TEXT_SIZE])
{
    static const char mark[] = "wasm trap: ";
    wasm_message_t text;
    wt->wasm_trap_message(trap, &text);
    const char *found = memmem(text.data, text.size, mark, sizeof(mark) - 1);
    size_t skipped = found ? (size_t)(found - text.data) : 0;
    flatten(text.data + skipped, text.size - skipped, ret_text, TEXT_SIZE);
    wt->wasm_byte_vec_delete(&text);
}

extfn_status xf_wasm_fail_trap(const xf_wasm_api *wt, bool is_quiet, wasm_trap_t *trap,
                               extfn_error *err)
{
    char place[PLACE_SIZE] = "";
    char cause[TEXT_SIZE] = "";
    wasmtime_trap_code_t code;
    bool has_place =
        !wt->wasmtime_trap_code(trap, &code) || code != WASMTIME_TRAP_CODE_STACK_OVERFLOW;
    if (has_place && !is_quiet)
        describe_place(wt, trap, place, sizeof(place));
    describe_cause(wt, trap, cause);
    extfn_status status =
        xf_fail(err, EXTFN_ERUNTIME, "%s%s: %s", words_of(wt, trap), place, cause);
    wt->wasm_trap_delete(trap);
    return status;
}
