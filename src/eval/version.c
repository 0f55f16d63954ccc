#include <extfn/extfn.h>

const char *extfn_version(void)
{
#ifdef XF_LAYER_SWITCHES
    return EXTFN_VERSION " with layer switches: for tests only";
#else
    return EXTFN_VERSION;
#endif
}
