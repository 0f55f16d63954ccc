#include "guest/supervise/plan.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static bool is_header_valid(const xf_plan *plan, size_t strings_size)
{
    return plan->magic == XF_WIRE_MAGIC && plan->version == XF_WIRE_VERSION &&
           plan->strings_size == strings_size && plan->argc >= 1 &&
           plan->argc <= XF_PLAN_STRINGS_LIMIT &&
           plan->envc <= XF_PLAN_STRINGS_LIMIT - plan->argc &&
           plan->file_count <= XF_PLAN_FILES_LIMIT && plan->has_group <= 1 &&
           (plan->uid_count == 0 ||
            (plan->uid_first > 0 && plan->uid_count < UINT32_MAX - plan->uid_first));
}

/* Points slots[0] to slots[count - 1] to the strings at *bytes, and NULL-terminates them. */
static bool split(char **bytes, size_t *size, uint32_t count, char **slots)
{
    for (uint32_t i = 0; i < count; i++) {
        char *end = memchr(*bytes, '\0', *size);
        if (!end)
            return false;
        slots[i] = *bytes;
        *size -= (size_t)(end + 1 - *bytes);
        *bytes = end + 1;
    }
    slots[count] = NULL;
    return true;
}

int xf_task_read(char *bytes, size_t size, xf_task *ret_task)
{
    if (size < sizeof(xf_plan))
        return EPROTO;
    memcpy(&ret_task->plan, bytes, sizeof(xf_plan));
    char *rest = bytes + sizeof(xf_plan);
    size_t rest_size = size - sizeof(xf_plan);
    const xf_plan *plan = &ret_task->plan;
    if (!is_header_valid(plan, rest_size))
        return EPROTO;
    ret_task->argv = ret_task->strings;
    ret_task->envp = ret_task->strings + plan->argc + 1;
    if (!split(&rest, &rest_size, plan->argc, ret_task->argv) ||
        !split(&rest, &rest_size, plan->envc, ret_task->envp) ||
        !split(&rest, &rest_size, plan->has_group, ret_task->group) || rest_size > 0 ||
        ret_task->argv[0][0] != '/')
        return EPROTO;
    return 0;
}

int xf_task_open(int fd, xf_task *ret_task)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return errno;
    if (info.st_size <= 0 || info.st_size > XF_PLAN_SIZE_LIMIT)
        return EPROTO;
    size_t size = (size_t)info.st_size;
    char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return errno;
    return xf_task_read(bytes, size, ret_task);
}
