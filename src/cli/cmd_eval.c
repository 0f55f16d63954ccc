/* extfn eval: a body of the command line. SPDX-License-Identifier: MIT */
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/io.h"
#include "cli/library.h"
#include "cli/result.h"

#include <string.h>

#define BODY_LIMIT ((size_t)16 << 20)

static bool is_module(const cli_buf *content)
{
    static const char magic[] = {'\0', 'a', 's', 'm'};
    return content->size >= sizeof(magic) && memcmp(content->data, magic, sizeof(magic)) == 0;
}

/* Begins with a parenthesis or a comment. */
static bool is_module_text(const cli_buf *content)
{
    static const char bom[] = "\xef\xbb\xbf";
    const char *text = content->size > 0 ? content->data : "";
    text += strncmp(text, bom, strlen(bom)) == 0 ? strlen(bom) : 0;
    text += strspn(text, " \t\r\n");
    return *text == '(' || *text == ';';
}

static bool is_marked(const cli_buf *content)
{
    static const char *const marks[] = {"wat:", "base64:"};
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        size_t size = strlen(marks[i]);
        if (content->size >= size && memcmp(content->data, marks[i], size) == 0)
            return true;
    }
    return false;
}

/* From what lies in the file to what a body of WebAssembly is: the path of a module, or text with
 * its mark. Anything else would be taken for a path, and be shown. */
static extfn_status convert_module(const cli_input *input, const cli_buf *content,
                                   cli_buf *ret_body, extfn_error *err)
{
    if (is_module(content) && !input->is_owned) {
        return cli_fail(err, EXTFN_EINVAL, "the module on %s is not text; give its file as '@FILE'",
                        input->label);
    }
    if (is_module(content))
        return cli_buf_append_text(ret_body, input->label, err);
    if (is_module_text(content)) {
        CLI_TRY(cli_buf_append_text(ret_body, "wat:", err));
    } else if (!is_marked(content)) {
        return cli_fail(err, EXTFN_EINVAL,
                        "%s is no module of WebAssembly, neither as bytes nor as text",
                        input->label);
    }
    return cli_buf_append(ret_body, content->data, content->size, err);
}

/* The body as the operand gives it: text, `-` or `@FILE`. */
static extfn_status read_body(extfn_language language, const char *operand, cli_buf *ret_body,
                              extfn_error *err)
{
    if (strcmp(operand, "-") != 0 && operand[0] != '@')
        return cli_buf_append_text(ret_body, operand, err);
    CLI_AUTO(cli_input_close) cli_input input = {0};
    CLI_TRY(cli_input_open(operand[0] == '@' ? operand + 1 : operand, &input, err));
    if (language != EXTFN_WASM)
        return cli_input_read_all(&input, BODY_LIMIT, ret_body, err);
    CLI_AUTO(cli_buf_clear) cli_buf content = {0};
    CLI_TRY(cli_input_read_all(&input, BODY_LIMIT, &content, err));
    return convert_module(&input, &content, ret_body, err);
}

static extfn_status make_signature(const cli_options *options, const char *const *words,
                                   size_t count, cli_signature *ret_signature, extfn_error *err)
{
    if (options->types) {
        CLI_TRY(cli_signature_parse(options->types, ret_signature, err));
    } else {
        CLI_TRY(cli_signature_guess(words, count, ret_signature, err));
    }
    if (options->return_type) {
        return cli_type_parse(options->return_type, strlen(options->return_type),
                              &ret_signature->return_type, err);
    }
    if (ret_signature->return_type == EXTFN_NONE)
        ret_signature->return_type = EXTFN_NUMBER;
    return EXTFN_OK;
}

static extfn_status make_function(extfn_language language, const cli_buf *body,
                                  const cli_signature *signature, extfn_function **ret_function,
                                  extfn_error *err)
{
    extfn_function_options description = {.struct_size = sizeof(description),
                                          .name = "eval",
                                          .language = language,
                                          .body = body->data,
                                          .body_size = body->size,
                                          .arg_types = signature->arg_types,
                                          .arg_count = signature->arg_count,
                                          .return_type = signature->return_type};
    return extfn_function_new(&description, ret_function, err);
}

extfn_status cli_cmd_eval(const cli_options *options, extfn_error *err)
{
    if (!options->language)
        return cli_fail(err, EXTFN_EINVAL, "no language given; write '-l python'");
    extfn_language language = EXTFN_PYTHON;
    CLI_TRY(extfn_language_parse(options->language, &language, err));
    const char *const *words = options->operands + 1;
    size_t count = options->operand_count - 1;
    cli_signature signature = {0};
    CLI_TRY(make_signature(options, words, count, &signature, err));

    CLI_AUTO(cli_buf_clear) cli_buf body = {0};
    CLI_TRY(read_body(language, options->operands[0], &body, err));
    CLI_AUTO(cli_function_clear) extfn_function *function = NULL;
    CLI_TRY(make_function(language, &body, &signature, &function, err));
    return cli_result_of_call(options, function, words, count, err);
}
