/* embed SYMBOL INPUT OUTPUT.s: an assembly file that holds INPUT as bytes (a NUL follows) and its
 * size. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

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
    const char *name = argv[1];
    fputs("    .section .rodata\n", out);
    fprintf(out, "    .globl %s\n    .hidden %s\n    .balign 16\n%s:\n", name, name, name);
    fprintf(out, "    .incbin \"%s\"\n1:  .byte 0\n", argv[2]);
    fprintf(out, "    .globl %s_size\n    .hidden %s_size\n    .balign 8\n", name, name);
    fprintf(out, "%s_size:\n    .quad 1b - %s\n", name, name);
    fputs("    .section .note.GNU-stack,\"\",%progbits\n", out);
    if (fclose(out) != 0) {
        perror(argv[3]);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
