#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>

/* Drops the zeros that `text` ends with after its decimal point, and the point after no digit. */
static size_t trim_decimals(const char *text, size_t size)
{
    while (text[size - 1] == '0')
        size--;
    return text[size - 1] == '.' ? size - 1 : size;
}

size_t xf_duration_write(int64_t microseconds, char ret_text[XF_NUMBER_SIZE])
{
    static const struct {
        uint64_t unit;
        int decimals;
        const char *name;
    } units[] = {{1000000, 6, "s"}, {1000, 3, "ms"}, {1, 0, "us"}};
    uint64_t count = microseconds < 0 ? -(uint64_t)microseconds : (uint64_t)microseconds;
    size_t i = count >= 1000000 || count == 0 ? 0 : count >= 1000 ? 1 : 2;
    size_t size = (size_t)snprintf(ret_text, XF_NUMBER_SIZE, "%s%" PRIu64 ".%0*" PRIu64,
                                   microseconds < 0 ? "-" : "", count / units[i].unit,
                                   units[i].decimals, count % units[i].unit);
    size = trim_decimals(ret_text, size);
    return size + (size_t)snprintf(ret_text + size, XF_NUMBER_SIZE - size, "%s", units[i].name);
}

size_t xf_size_write(uint64_t bytes, char ret_text[XF_NUMBER_SIZE])
{
    static const char *const names[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        return (size_t)snprintf(ret_text, XF_NUMBER_SIZE, "%" PRIu64 " byte%s", bytes,
                                bytes == 1 ? "" : "s");
    }
    size_t i = 0;
    while (i < 5 && bytes >> (10 * (i + 2)))
        i++;
    uint64_t thousandths = bytes >> (10 * i); /* 1,024ths of the unit */
    size_t size = (size_t)snprintf(ret_text, XF_NUMBER_SIZE, "%" PRIu64 ".%" PRIu64,
                                   thousandths / 1024, thousandths % 1024 * 10 / 1024);
    size = trim_decimals(ret_text, size);
    return size + (size_t)snprintf(ret_text + size, XF_NUMBER_SIZE - size, " %s", names[i]);
}
