#include "wasm/source.h"

#include "base/auto.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "\0asm"
#define MAGIC_SIZE 4
#define CHUNK_SIZE 8192

static const char byte_order_mark[] = "\xef\xbb\xbf";

static const struct {
    const char *prefix;
    xf_wasm_form form;
} forms[] = {{"wat:", XF_WASM_TEXT}, {"base64:", XF_WASM_BYTES}, {"", XF_WASM_FILE}};

static bool skip(const char **data, size_t *size, const char *prefix)
{
    size_t prefix_size = strlen(prefix);
    if (*size < prefix_size || memcmp(*data, prefix, prefix_size) != 0)
        return false;
    *data += prefix_size;
    *size -= prefix_size;
    return true;
}

/* What follows the prefix. */
static xf_wasm_form split(const xf_wasm_source *source, const char **ret_data, size_t *ret_size)
{
    const char *data = source->body;
    size_t size = source->body_size;
    (void)skip(&data, &size, byte_order_mark);
    size_t i = 0;
    while (!skip(&data, &size, forms[i].prefix))
        i++;
    (void)skip(&data, &size, byte_order_mark);
    *ret_data = data;
    *ret_size = size;
    return forms[i].form;
}

xf_wasm_form xf_wasm_source_form(const xf_wasm_source *source)
{
    const char *data;
    size_t size;
    return split(source, &data, &size);
}

/* ---- base64 ---- */

static int digit_of(char character)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = character ? strchr(digits, character) : NULL;
    return found ? (int)(found - digits) : -1;
}

static bool is_space(char character)
{
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

typedef struct bits {
    uint32_t value;
    unsigned digits; /* of the group of four under way */
    unsigned padding;
} bits;

/* Takes one more character; false where it cannot stand there. */
static bool take(bits *group, char character)
{
    if (character == '=' && group->digits >= 2 && group->digits + group->padding < 4) {
        group->padding++;
        return true;
    }
    int digit = digit_of(character);
    if (digit < 0 || group->padding > 0)
        return false;
    group->value = group->value << 6 | (uint32_t)digit;
    group->digits++;
    return true;
}

/* Bytes of a group that is full; the bits that its last digit has too many must be zero. */
static bool finish(bits *group, unsigned char ret_bytes[3], size_t *ret_size)
{
    uint32_t value = group->value << (6 * group->padding);
    *ret_size = 3 - group->padding;
    for (size_t i = 0; i < 3; i++)
        ret_bytes[i] = (unsigned char)(value >> (16 - 8 * i));
    return (value & ((UINT32_C(1) << (8 * group->padding)) - 1)) == 0;
}

static extfn_status decode_base64(const char *data, size_t size, xf_buf *out, extfn_error *err)
{
    bits group = {0};
    bool has_ended = false;
    for (size_t i = 0; i < size; i++) {
        if (is_space(data[i]))
            continue;
        bool is_good = !has_ended && take(&group, data[i]);
        if (is_good && group.digits + group.padding == 4) {
            unsigned char bytes[3];
            size_t count;
            is_good = finish(&group, bytes, &count);
            has_ended = group.padding > 0;
            XF_TRY(xf_buf_append(out, bytes, count, err));
            group = (bits){0};
        }
        if (!is_good)
            return xf_fail(err, EXTFN_ERUNTIME, "body is not valid base64 at byte %zu of it", i);
    }
    if (group.digits > 0)
        return xf_fail(err, EXTFN_ERUNTIME, "body is not valid base64: it ends too early");
    return EXTFN_OK;
}

/* ---- Files ---- */

/* One sentence for all that can be wrong, so that a body cannot find out what the host has. */
static extfn_status fail_file(const char *path, size_t size, extfn_error *err)
{
    char quoted[XF_QUOTE_SIZE];
    return xf_fail(err, EXTFN_ERUNTIME,
                   "module file %s cannot be used: it must be a readable regular file of at most "
                   "%zu MiB that begins with \\0asm%s",
                   xf_text_quote(path, size, quoted), XF_WASM_MODULE_LIMIT >> 20,
                   size > 0 && path[0] == '(' ? "; a body of text begins with wat:" : "");
}

/* False: it is too long, or holds a NUL. */
static bool resolve(const xf_wasm_source *source, const char *path, size_t size,
                    char ret_path[PATH_MAX])
{
    const char *slash = source->library_path ? strrchr(source->library_path, '/') : NULL;
    size_t folder = slash && path[0] != '/' ? (size_t)(slash - source->library_path) + 1 : 0;
    if (memchr(path, '\0', size) || folder >= PATH_MAX || size >= PATH_MAX - folder)
        return false;
    if (folder > 0)
        memcpy(ret_path, source->library_path, folder);
    memcpy(ret_path + folder, path, size);
    ret_path[folder + size] = '\0';
    return true;
}

/* A device may do something when it is opened, so that it is looked at before. */
static int open_regular(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

static int64_t nanoseconds(const struct timespec *time)
{
    return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

static xf_wasm_stamp stamp_of(const struct stat *info)
{
    return (xf_wasm_stamp){
        .device = info->st_dev,
        .inode = info->st_ino,
        .size = info->st_size,
        .modified_ns = nanoseconds(&info->st_mtim),
        .changed_ns = nanoseconds(&info->st_ctim),
    };
}

static xf_wasm_stamp stamp_of_open(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 ? stamp_of(&info) : XF_WASM_NO_STAMP;
}

static extfn_status read_all(int fd, xf_buf *out, bool *ret_is_good, extfn_error *err)
{
    size_t start = out->size;
    char chunk[CHUNK_SIZE];
    ssize_t got = 1;
    while (got != 0 && out->size - start <= XF_WASM_MODULE_LIMIT) {
        got = read(fd, chunk, sizeof(chunk));
        if (got < 0 && errno != EINTR)
            return EXTFN_OK;
        if (got > 0)
            XF_TRY(xf_buf_append(out, chunk, (size_t)got, err));
    }
    size_t size = out->size - start;
    *ret_is_good = size >= MAGIC_SIZE && size <= XF_WASM_MODULE_LIMIT &&
                   memcmp(out->data + start, MAGIC, MAGIC_SIZE) == 0;
    return EXTFN_OK;
}

static extfn_status read_file(const xf_wasm_source *source, const char *path, size_t size,
                              xf_buf *out, xf_wasm_stamp *ret_stamp, extfn_error *err)
{
    if (source->are_paths_forbidden) {
        return xf_fail(
            err, EXTFN_ERUNTIME,
            "this host takes no modules from files; a body of text begins with wat:, one "
            "of bytes with base64:");
    }
    char resolved[PATH_MAX];
    XF_AUTO_CLOSE int fd = resolve(source, path, size, resolved) ? open_regular(resolved) : -1;
    bool is_good = false;
    if (fd >= 0) {
        const xf_wasm_stamp before = stamp_of_open(fd);
        XF_TRY(read_all(fd, out, &is_good, err));
        *ret_stamp = stamp_of_open(fd);
        if (!xf_wasm_stamp_is_equal(&before, ret_stamp))
            *ret_stamp = XF_WASM_NO_STAMP;
    }
    return is_good ? EXTFN_OK : fail_file(path, size, err);
}

extfn_status xf_wasm_source_read(const xf_wasm_source *source, xf_buf *ret_bytes,
                                 xf_wasm_stamp *ret_stamp, extfn_error *err)
{
    xf_wasm_stamp unwanted;
    ret_stamp = ret_stamp ? ret_stamp : &unwanted;
    *ret_stamp = (xf_wasm_stamp){0};
    const char *data;
    size_t size;
    xf_wasm_form form = split(source, &data, &size);
    if (size == 0)
        return xf_fail(err, EXTFN_ERUNTIME, "function body is empty");
    switch (form) {
    case XF_WASM_TEXT:
        return xf_buf_append(ret_bytes, data, size, err);
    case XF_WASM_BYTES:
        return decode_base64(data, size, ret_bytes, err);
    case XF_WASM_FILE:
    default:
        return read_file(source, data, size, ret_bytes, ret_stamp, err);
    }
}

xf_wasm_stamp xf_wasm_source_stamp(const xf_wasm_source *source)
{
    const char *data;
    size_t size;
    char resolved[PATH_MAX];
    struct stat info;
    if (split(source, &data, &size) != XF_WASM_FILE || !resolve(source, data, size, resolved) ||
        stat(resolved, &info) != 0)
        return (xf_wasm_stamp){0};
    return stamp_of(&info);
}

bool xf_wasm_stamp_is_equal(const xf_wasm_stamp *a, const xf_wasm_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified_ns == b->modified_ns && a->changed_ns == b->changed_ns;
}
