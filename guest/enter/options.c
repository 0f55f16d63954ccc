#include "guest/enter/options.h"

#include <limits.h>
#include <string.h>
#include <sys/resource.h>

static const xf_enter_options defaults = {.limits = {
                                              {.name = "as", .resource = RLIMIT_AS},
                                              {.name = "core", .resource = RLIMIT_CORE},
                                              {.name = "data", .resource = RLIMIT_DATA},
                                              {.name = "fsize", .resource = RLIMIT_FSIZE},
                                              {.name = "memlock", .resource = RLIMIT_MEMLOCK},
                                              {.name = "msgqueue", .resource = RLIMIT_MSGQUEUE},
                                              {.name = "nofile", .resource = RLIMIT_NOFILE},
                                              {.name = "nproc", .resource = RLIMIT_NPROC},
                                              {.name = "sigpending", .resource = RLIMIT_SIGPENDING},
                                              {.name = "stack", .resource = RLIMIT_STACK},
                                          }};

/* Decimal digits and nothing else. */
static bool read_number(const char *text, size_t size, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *ret_value = value;
    return size > 0;
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* One KEY=N. */
static bool read_setting(const char *text, size_t size, xf_enter_options *options)
{
    const char *equals = memchr(text, '=', size);
    if (!equals)
        return false;
    size_t key_size = (size_t)(equals - text);
    uint64_t value;
    if (!read_number(equals + 1, size - key_size - 1, &value))
        return false;
    if (is_word(text, key_size, "trusted")) {
        options->is_trusted = value == 1;
        return value <= 1;
    }
    if (is_word(text, key_size, "net")) {
        options->network = value;
        return true;
    }
    if (is_word(text, key_size, "filter")) {
        options->is_filtered = true;
        options->filter_fd = (int)value;
        return value <= INT_MAX;
    }
    for (size_t i = 0; i < XF_ENTER_LIMITS; i++) {
        xf_enter_limit *limit = &options->limits[i];
        if (is_word(text, key_size, limit->name)) {
            limit->is_set = true;
            limit->value = value;
            return true;
        }
    }
    return false;
}

static bool read_settings(const char *text, xf_enter_options *options)
{
    for (;;) {
        size_t size = strcspn(text, ",");
        if (!read_setting(text, size, options))
            return false;
        if (text[size] == '\0')
            return true;
        text += size + 1;
    }
}

/* The word `--` in argv, or NULL. */
static char **find_end_of_shown(int argc, char **argv)
{
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return argv + i;
        if (argv[i][0] != '/')
            return NULL;
    }
    return NULL;
}

const char *xf_enter_options_read(int argc, char **argv, xf_enter_options *ret_options)
{
    *ret_options = defaults;
    char **end = find_end_of_shown(argc, argv);
    if (!end || !end[1])
        return "usage: extfn-enter KEY=N[,KEY=N...] FIRSTFD [SHOWN...] -- PROGRAM [ARG...]";
    if (!read_settings(argv[1], ret_options))
        return "a setting is unknown or has no number";
    uint64_t first_fd;
    if (!read_number(argv[2], strlen(argv[2]), &first_fd) || first_fd > INT_MAX)
        return "FIRSTFD is not a descriptor";
    ret_options->first_fd = (int)first_fd;
    ret_options->shown = argv + 3;
    ret_options->program = end + 1;
    *end = NULL;
    return NULL;
}

bool xf_is_called(const char *argv0, const char *name)
{
    const char *slash = strrchr(argv0, '/');
    return strcmp(slash ? slash + 1 : argv0, name) == 0;
}
