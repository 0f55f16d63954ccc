#include <extfn/extfn.h>

const char *extfn_version(void)
{
    return EXTFN_VERSION;
}
