#include "guest/enter/loader.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define SEGMENTS_LIMIT 64

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool find_path(int fd, char ret_path[XF_LOADER_SIZE])
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    if (!read_at(fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(segment))
        return false;
    for (unsigned i = 0; i < header.e_phnum && i < SEGMENTS_LIMIT; i++) {
        if (!read_at(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)))
            return false;
        if (segment.p_type != PT_INTERP)
            continue;
        return segment.p_filesz > 0 && segment.p_filesz <= XF_LOADER_SIZE &&
               read_at(fd, ret_path, segment.p_filesz, segment.p_offset) &&
               ret_path[segment.p_filesz - 1] == '\0';
    }
    return false;
}

bool xf_loader_of(const char *program, char ret_path[XF_LOADER_SIZE])
{
    int fd = open(program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool has_one = find_path(fd, ret_path);
    (void)close(fd);
    return has_one;
}
