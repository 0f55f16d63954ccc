/* What weighs most. SPDX-License-Identifier: MIT */
#include "cli/tally.h"

static int weight(extfn_status status)
{
    if (status == EXTFN_OK)
        return 0;
    if (status == EXTFN_EUNAVAILABLE)
        return 1;
    return status == EXTFN_ESANDBOX ? 2 : 3;
}

void cli_tally_count(cli_tally *tally, extfn_status status)
{
    extfn_status counted = weight(status) == 3 ? EXTFN_ERUNTIME : status;
    tally->done++;
    tally->failed += status != EXTFN_OK;
    if (weight(counted) > weight(tally->worst))
        tally->worst = counted;
}
