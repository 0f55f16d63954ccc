/* A file of descriptors: one, or an array of them. SPDX-License-Identifier: MIT */
#ifndef XF_REGISTRY_DESCRIPTORS_H
#define XF_REGISTRY_DESCRIPTORS_H

#include "registry/function_list.h"

/* Adds what stands in the file. On failure the list may hold a part of it. */
EXTFN_MUST_CHECK extfn_status xf_descriptors_read(const char *path, xf_function_list *list,
                                                  extfn_error *err);

#endif
