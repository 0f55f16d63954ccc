/* JSON requests and replies, one object a line, as `extfn rpc` has them. SPDX-License-Identifier:
 * MIT
 */
#ifndef EXTFN_RPC_H
#define EXTFN_RPC_H

#include <extfn/registry.h>

EXTFN_BEGIN

/* A longer request is refused without being read. */
#define EXTFN_RPC_LINE_LIMIT (64U << 20)

/* Answers one request. Every request has a reply, also one that is not JSON: `id` is null where it
 * cannot be told. `registry` may be NULL, `options` too. The time limit is the request's, else that
 * of the options, else for a `call` the registry's, else the host's; what the body prints, and
 * the receipt if the request has `"cost":true`, go into the reply, not to where the options say.
 * The reply is one line without a newline, freed by extfn_text_free. Fails only with EXTFN_ENOMEM.
 */
EXTFN_API EXTFN_MUST_CHECK extfn_status extfn_rpc_answer(extfn_host *host,
                                                         const extfn_registry *registry,
                                                         const char *line, size_t size,
                                                         const extfn_call_options *options,
                                                         EXTFN_OWN char **ret_reply,
                                                         size_t *ret_size, extfn_error *err);

EXTFN_END

#endif
