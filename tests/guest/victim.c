/* victim ACT ARGUMENT [MARK]: stands for an interpreter. SPDX-License-Identifier: MIT */
#include "victim.h"

#include <stddef.h>

int main(int argc, char **argv)
{
    victim_act act = argc >= 3 ? victim_find_act(argv[1]) : NULL;
    return act ? act(argv[2]) : 100;
}
