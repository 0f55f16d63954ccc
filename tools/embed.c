/* embed SYMBOL INPUT OUTPUT: INPUT as bytes (a NUL follows). OUTPUT.s is assembly with the bytes
 * and their size, for large files; OUTPUT.h a C array, whose size is known to the compiler.
 * SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_assembly(FILE *out, const char *name, const char *input)
{
    fputs("    .section .rodata\n", out);
    fprintf(out, "    .globl %s\n    .hidden %s\n    .balign 16\n%s:\n", name, name, name);
    fprintf(out, "    .incbin \"%s\"\n1:  .byte 0\n", input);
    fprintf(out, "    .globl %s_size\n    .hidden %s_size\n    .balign 8\n", name, name);
    fprintf(out, "%s_size:\n    .quad 1b - %s\n", name, name);
    fputs("    .section .note.GNU-stack,\"\",%progbits\n", out);
}

static bool write_array(FILE *out, const char *name, const char *input)
{
    FILE *in = fopen(input, "re");
    if (!in)
        return false;
    fprintf(out, "static const unsigned char %s[] = {", name);
    for (int byte = fgetc(in); byte != EOF; byte = fgetc(in))
        fprintf(out, "%d,", byte);
    fputs("0};\n", out);
    bool is_read = !ferror(in);
    return fclose(in) == 0 && is_read;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: embed SYMBOL INPUT OUTPUT\n", stderr);
        return EXIT_FAILURE;
    }
    FILE *out = fopen(argv[3], "we");
    if (!out) {
        perror(argv[3]);
        return EXIT_FAILURE;
    }
    bool is_header = strcmp(argv[3] + strlen(argv[3]) - 2, ".h") == 0;
    bool is_done = !is_header || write_array(out, argv[1], argv[2]);
    if (!is_header)
        write_assembly(out, argv[1], argv[2]);
    if (fclose(out) != 0 || !is_done) {
        perror(argv[3]);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
