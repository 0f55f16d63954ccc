/* What confines a worker, as reported from outside and from inside. SPDX-License-Identifier: MIT */
#ifndef XF_WIRE_PROOF_H
#define XF_WIRE_PROOF_H

#include <stdbool.h>
#include <stdint.h>

/* What confines a worker where the kernel has it, and the machine lets us. */
enum xf_layer {
    XF_LAYER_FILES = 1,         /* Landlock: files are read where shown, written in /tmp alone */
    XF_LAYER_NETWORK = 2,       /* Landlock: no TCP */
    XF_LAYER_SCOPES = 4,        /* Landlock: no signal, no abstract socket to the outside */
    XF_LAYER_GROUP = 8,         /* a cgroup of its own */
    XF_LAYER_GROUP_MEMORY = 16, /* that bounds its memory, the kernel's for it included */
    XF_LAYER_GROUP_TASKS = 32,  /* and how many threads and processes it has */
};

#define XF_LANDLOCK_NETWORK 4
#define XF_LANDLOCK_SCOPES 6

/* What each version of Landlock can restrict, as enum xf_layer. */
static inline uint32_t xf_landlock_layers(int version, bool is_for_files)
{
    uint32_t layers = is_for_files && version >= 1 ? XF_LAYER_FILES : 0;
    layers |= version >= XF_LANDLOCK_NETWORK ? XF_LAYER_NETWORK : 0;
    return layers | (version >= XF_LANDLOCK_SCOPES ? XF_LAYER_SCOPES : 0);
}

/* What the guest library tries from inside when it seals the process, before any body: a bit is set
 * where the attempt failed as it does only when that layer holds. */
enum xf_proof {
    XF_PROOF_SCOPES = 1 << 0,         /* Landlock: a signal to extfn-enter, tried before the seal */
    XF_PROOF_FILES = 1 << 1,          /* Landlock: a list of / */
    XF_PROOF_VIEW = 1 << 2,           /* bubblewrap: a file that every host has */
    XF_PROOF_READ_ONLY = 1 << 3,      /* bubblewrap: write in / */
    XF_PROOF_TMP = 1 << 4,            /* bubblewrap: a /tmp without a size */
    XF_PROOF_PROCESSES = 1 << 5,      /* bubblewrap: processes beside its own */
    XF_PROOF_SESSION = 1 << 6,        /* bubblewrap: a session of the host */
    XF_PROOF_USER = 1 << 7,           /* bubblewrap: another user, or a privilege */
    XF_PROOF_MEMORY = 1 << 8,         /* limits: more memory than any machine has */
    XF_PROOF_CONNECT = 1 << 9,        /* first filter: the network */
    XF_PROOF_LOCAL_SOCKET = 1 << 10,  /* first filter: a local socket */
    XF_PROOF_TERMINAL = 1 << 11,      /* first filter: typing into a terminal */
    XF_PROOF_FORK = 1 << 12,          /* late filter: a process */
    XF_PROOF_EXECUTE = 1 << 13,       /* late filter: a program */
    XF_PROOF_SIGNAL = 1 << 14,        /* late filter: a signal, even to itself */
    XF_PROOF_CHANGE = 1 << 15,        /* late filter: a hand on what confines it */
    XF_PROOF_SHARED_MEMORY = 1 << 16, /* both filters: memory that no limit counts */
};
/* They lie from this bit on in the flags of SETUP, what has to hold, and in the detail of READY,
 * what does. */
#define XF_PROOF_SHIFT 8U

#endif
