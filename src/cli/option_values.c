/* Times, sizes, counts and paths of languages. SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <extfn/value.h>

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define WORKERS_HIGHEST 1024

typedef struct unit {
    const char *suffix;
    double factor;
} unit;

/* The number before the suffix times the suffix's factor; false when there is no such number. */
static bool parse_with_unit(const char *text, const unit *units, size_t unit_count,
                            double *ret_number)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < unit_count; i++) {
        size_t suffix = strlen(units[i].suffix);
        if (size <= suffix || strcmp(text + size - suffix, units[i].suffix) != 0)
            continue;
        extfn_value value = {0};
        if (extfn_value_parse(text, size - suffix, EXTFN_NUMBER, &value, NULL) != EXTFN_OK)
            continue;
        *ret_number = value.as.number * units[i].factor;
        return true;
    }
    return false;
}

extfn_status cli_duration_parse(const char *text, int64_t *ret_us, extfn_error *err)
{
    static const unit units[] = {{"us", 1}, {"ms", 1e3}, {"s", 1e6}, {"", 1e6}};
    static const double year = 365.0 * 86400e6;
    double microseconds = 0;
    bool is_number = parse_with_unit(text, units, sizeof(units) / sizeof(units[0]), &microseconds);
    if (!is_number || !(microseconds >= 1 && microseconds <= year))
        return cli_fail(err, EXTFN_EINVAL, "'%s' is no time; write seconds (0.5) or 500ms", text);
    *ret_us = (int64_t)microseconds;
    return EXTFN_OK;
}

static extfn_status parse_size(const char *text, double least, const char *told,
                               uint64_t *ret_bytes, extfn_error *err)
{
    static const unit units[] = {
        {"K", 0x1p10}, {"M", 0x1p20}, {"G", 0x1p30}, {"T", 0x1p40}, {"", 1}};
    double bytes = 0;
    bool is_number = parse_with_unit(text, units, sizeof(units) / sizeof(units[0]), &bytes);
    if (!is_number || !(bytes >= 1 && bytes <= 0x1p53))
        return cli_fail(err, EXTFN_EINVAL, "'%s' is no size; write 512M or 2G", text);
    if (bytes < least)
        return cli_fail(err, EXTFN_EINVAL, "'%s' is less than %s", text, told);
    *ret_bytes = (uint64_t)bytes;
    return EXTFN_OK;
}

extfn_status cli_memory_parse(const char *text, uint64_t *ret_bytes, extfn_error *err)
{
    return parse_size(text, 0x1p24, "16 MiB; write it like 512M", ret_bytes, err);
}

extfn_status cli_memo_parse(const char *text, uint64_t *ret_bytes, extfn_error *err)
{
    return parse_size(text, 0x1p20, "1 MiB; write it like --memo 64M", ret_bytes, err);
}

extfn_status cli_workers_parse(const char *text, size_t *ret_count, extfn_error *err)
{
    extfn_value value = {0};
    bool is_index = extfn_value_parse(text, strlen(text), EXTFN_ENUM, &value, NULL) == EXTFN_OK;
    if (!is_index || value.as.index < 1 || value.as.index > WORKERS_HIGHEST)
        return cli_fail(err, EXTFN_EINVAL, "'%s' is no number of workers; write 1 to %d", text,
                        WORKERS_HIGHEST);
    *ret_count = value.as.index;
    return EXTFN_OK;
}

static extfn_status append_absolute(const char *path, cli_buf *ret_path, extfn_error *err)
{
    char here[PATH_MAX];
    if (path[0] != '/') {
        if (!getcwd(here, sizeof(here)))
            return cli_fail_os(err, errno, "find", ".");
        CLI_TRY(cli_buf_append_text(ret_path, here, err));
        CLI_TRY(cli_buf_append_text(ret_path, "/", err));
    }
    return cli_buf_append_text(ret_path, path, err);
}

extfn_status cli_language_path_parse(const char *text, extfn_language *ret_language,
                                     cli_buf *ret_path, extfn_error *err)
{
    const char *equals = strchr(text, '=');
    char word[16];
    if (!equals || equals[1] == '\0' || (size_t)(equals - text) >= sizeof(word))
        return cli_fail(err, EXTFN_EINVAL, "'%s' is not LANG=PATH; write python=/some/path", text);
    memcpy(word, text, (size_t)(equals - text));
    word[equals - text] = '\0';
    extfn_language language = EXTFN_PYTHON;
    CLI_TRY(extfn_language_parse(word, &language, err));
    CLI_TRY(append_absolute(equals + 1, ret_path, err));
    *ret_language = language;
    return EXTFN_OK;
}
