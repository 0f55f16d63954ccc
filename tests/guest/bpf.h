/* Answers of a system call filter, without loading it. SPDX-License-Identifier: MIT */
#ifndef XF_TESTS_GUEST_BPF_H
#define XF_TESTS_GUEST_BPF_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/* As the kernel does it, for the instructions that our filters use; others fail the test. */
uint32_t bpf_evaluate(const struct sock_filter *code, size_t count,
                      const struct seccomp_data *data);

#endif
