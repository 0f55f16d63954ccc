/* What the host does about a supervisor that does not answer: it may be stopped by an administrator
 * or a debugger, and what it should end would go on for ever. SPDX-License-Identifier: MIT */
#ifndef XF_WORKER_SUPERVISOR_H
#define XF_WORKER_SUPERVISOR_H

#include "worker/worker.h"

/* A supervisor answers in less than a millisecond, and ends a worker in some. */
#define XF_ANSWER_LIMIT_US 10000000

/* An answer is due from now on; one that is due already is due as before. */
void xf_supervisor_expect(xf_worker *worker);

/* It has answered. */
void xf_supervisor_excuse(xf_worker *worker);

/* Where no answer has come in time, the second supervisor is killed, which the first sees, ends
 * everything and reports; does that not do so either, it is killed as well. The kernel then ends
 * the sandbox, but nobody proves it. */
void xf_supervisor_judge(xf_worker *worker, int64_t now_us);

#endif
