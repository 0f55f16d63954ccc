#include "base/layers.h"

#include <stdint.h>

#ifdef XF_LAYER_SWITCHES
typedef struct layer_switches {
    char mark[28];
    uint32_t off;
} layer_switches;

/* A test writes `off` into a copy of the program's file, found by the mark: so no input that a
 * running program has can switch anything. */
static const volatile layer_switches switches = {.mark = "extfn layers that are off"};

bool xf_has_layer(xf_optional_layer layer)
{
    return layer == XF_WITH_ALWAYS || (switches.off & (UINT32_C(1) << layer)) == 0;
}
#endif
