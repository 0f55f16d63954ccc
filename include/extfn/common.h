/* Export and annotation macros shared by every public header. SPDX-License-Identifier: MIT */
#ifndef EXTFN_COMMON_H
#define EXTFN_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXTFN_API __attribute__((visibility("default")))
#define EXTFN_MUST_CHECK __attribute__((warn_unused_result))
#define EXTFN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define EXTFN_OWN /* ownership passes with this pointer */

#ifdef __cplusplus
#define EXTFN_BEGIN extern "C" {
#define EXTFN_END }
#else
#define EXTFN_BEGIN
#define EXTFN_END
#endif

#endif
