/* Prints `struct.member size offset` of the public structs, for layout.rs to compare.
 * SPDX-License-Identifier: MIT */
#include <extfn/extfn.h>

#include <stdio.h>

#define MEMBER(type, member)                                                                       \
    printf("%s.%s %zu %zu\n", #type, #member, sizeof(((type *)0)->member), offsetof(type, member));
#define SIZE(type) printf("%s %zu\n", #type, sizeof(type));
#define CONSTANT(name) printf("%s %d\n", #name, (int)(name));

int main(void)
{
#include "layout.inc"
    return 0;
}
