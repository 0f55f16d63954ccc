/* The protocol between the host and a worker: two shared maps, control frames over two pipes, the
 * plan that starts the supervisor and the report that it ends with. Also included by guest/; the
 * drivers mirror the numbers. Bump XF_WIRE_VERSION on any change that they see.
 * SPDX-License-Identifier: MIT */
#ifndef XF_WIRE_WIRE_H
#define XF_WIRE_WIRE_H

#include "wire/proof.h"

#include <stddef.h>
#include <stdint.h>

#define XF_WIRE_MAGIC 0x6e667865U /* "exfn" */
#define XF_WIRE_VERSION 1U

/* Descriptors. A worker (interpreter and driver) inherits 0 to 6 and nothing else. */
enum xf_wire_fd {
    XF_FD_STDIN = 0,  /* empty pipe */
    XF_FD_STDOUT = 1, /* what the body prints; never frames */
    XF_FD_STDERR = 2,
    XF_FD_REQUEST_PIPE = 3, /* host's frames, read by the driver */
    XF_FD_REPLY_PIPE = 4,   /* driver's frames */
    XF_FD_REQUEST_MAP = 5,  /* memfd of XF_MAP_SIZE; the worker can only read it */
    XF_FD_REPLY_MAP = 6,    /* memfd of XF_MAP_SIZE; the worker can write but not resize it */
    /* extfn-enter alone: */
    XF_FD_STATUS = 7, /* to the supervisor: one xf_enter_ready, later one xf_enter_exit */
    /* The supervisor alone, beside 0 to 6: */
    XF_FD_REPORT = 7,      /* xf_report: the last one when nothing of the sandbox is left */
    XF_FD_LIFELINE = 8,    /* read end; a byte is an xf_command, end of file: the host is gone */
    XF_FD_HOST_PIDFD = 9,  /* readable when the host process has ended */
    XF_FD_PLAN = 10,       /* memfd with an xf_plan */
    XF_FD_REPLY_PEEK = 11, /* read end of the reply pipe, only polled: an answer stops the clock */
    XF_FD_DATA = 12,       /* first of the plan's files, passed on to the command that it starts */
};

/* ---- Maps ---- */

#define XF_MAP_SIZE (64U << 20)
#define XF_MAP_START 4096U       /* payload begins here, after the header page */
#define XF_ROWS_LIMIT (1U << 20) /* rows of one call frame */
#define XF_ALIGN 64U             /* of each buffer in a map */

static inline uint32_t xf_wire_align(uint32_t offset)
{
    return (offset + XF_ALIGN - 1) / XF_ALIGN * XF_ALIGN;
}

/* First page of the request map: written by the host, read by the supervisor for its clock. */
typedef struct xf_request_header {
    uint32_t magic;
    uint32_t version;
    uint32_t call;      /* number of the call under way; grows by one a call, wraps */
    uint32_t row_count; /* rows of it */
    uint32_t is_active; /* 1 from before a frame is sent until its answer was read */
    uint32_t is_setup;  /* 1: the frame under way is XF_FRAME_SETUP; the start limit applies */
    uint64_t limit_us;  /* of one row (vectorized: of the call) */
} xf_request_header;

/* SETUP payload at XF_MAP_START, then: the arg_count types (u32 each), the arg_count names (each
 * NUL-terminated, empty when it has none), then the body. Sizes are of bytes; a body may hold NULs.
 */
typedef struct xf_setup {
    uint32_t flags;       /* enum xf_setup_flag */
    uint32_t return_type; /* extfn_type */
    uint32_t arg_count;
    uint32_t names_size;
    uint32_t body_size;
    uint32_t reserved;
} xf_setup;

enum xf_setup_flag {
    XF_SETUP_VECTORIZED = 1,
    XF_SETUP_SEAL =
        2, /* seal the process before the body is compiled; if that fails do not go on */
    XF_SETUP_OWN_TMP = 4, /* /tmp is the sandbox's own: what a row leaves there is to be removed */
    /* from XF_PROOF_SHIFT on: enum xf_proof */
};

/* CALL payload at XF_MAP_START: arg_count of these, then the buffers they point to (offsets from
 * the start of the map, multiples of XF_ALIGN). Number: f64. Boolean: u8. DateTime: i64. Enum: u32.
 * Text: row_count + 1 u32 offsets into its bytes. Rows with an Error argument never get here. */
typedef struct xf_wire_column {
    uint32_t values_offset;
    uint32_t bytes_offset; /* Text only */
} xf_wire_column;

/* First page of the reply map. */
typedef struct xf_reply_header {
    uint32_t call; /* written by the driver when it takes up a CALL, before it evaluates anything */
} xf_reply_header;

/* Then the status bytes at XF_MAP_START, the slots, the heap. The host zeroes the status bytes of a
 * call before it sends the frame. The driver writes a row's slot first, its status second. */
enum xf_row_status {
    XF_ROW_NOT_DONE = 0,
    XF_ROW_VALUE = 1,
    XF_ROW_ERROR = 2,  /* the slot is an xf_wire_text: the message, UTF-8 */
    XF_ROW_MEMORY = 3, /* the language's own out-of-memory error */
};

/* A slot has 8 bytes. Number: f64. Boolean: i64 0 or 1. DateTime: i64. Enum: i64. Text:
 * xf_wire_text. */
typedef struct xf_wire_text {
    uint32_t offset; /* from the start of the reply map, in the heap */
    uint32_t size;
} xf_wire_text;

static inline uint32_t xf_wire_slots_offset(uint32_t rows)
{
    return xf_wire_align(XF_MAP_START + rows);
}

static inline uint32_t xf_wire_heap_offset(uint32_t rows)
{
    return xf_wire_align(xf_wire_slots_offset(rows) + 8 * rows);
}

#define XF_VALUE_LIMIT (16U << 20) /* bytes of one text */
#define XF_MESSAGE_LIMIT 1900U     /* bytes of an error message; the driver cuts at a character */
#define XF_OUTPUT_LIMIT (1U << 20) /* bytes of stdout or of stderr */

/* ---- Frames, 24 bytes, little-endian: Python's struct "<IHHIIII" ---- */

enum xf_frame_type {
    /* host to worker */
    XF_FRAME_SETUP = 1,    /* answered by READY or FAILED */
    XF_FRAME_CALL = 2,     /* rows 0 to row_count; answered by DONE or FULL */
    XF_FRAME_CONTINUE = 3, /* the heap was read: go on at first_row with an empty heap */
    XF_FRAME_COMPILE = 4,  /* to one with XF_READY_LAZY: many rows follow; answered by READY */
    /* worker to host */
    XF_FRAME_READY = 16,  /* detail: bits of enum xf_ready_bit */
    XF_FRAME_FAILED = 17, /* detail: enum xf_failure; message: the text slot of a call of one row */
    XF_FRAME_DONE = 18,   /* the rows have their status; detail: enum xf_done */
    XF_FRAME_FULL = 19,   /* rows before first_row are done and the heap is full */
};

typedef struct xf_frame {
    uint32_t magic;
    uint16_t version;
    uint16_t type;
    uint32_t call; /* as in the request header; an answer repeats it */
    uint32_t first_row;
    uint32_t row_count;
    uint32_t detail;
} xf_frame;

enum xf_done {
    XF_DONE_ROWS = 0,
    XF_DONE_REFUSED = 1, /* a vectorized body broke its word: slot 0 says why the batch fails */
    XF_DONE_WORN = 2,    /* the rows from first_row on, and all more, need a new worker */
};

enum xf_ready_bit {
    XF_READY_SEALED = 1,    /* the late filter is in force on every thread */
    XF_READY_EVALUATED = 2, /* the body is evaluated anew for each row */
    XF_READY_LAZY = 4,      /* what serves many rows is compiled when the host asks for it */
    /* from XF_PROOF_SHIFT on: enum xf_proof */
};

enum xf_failure {
    XF_FAILURE_BODY = 1,     /* the body does not compile: a Runtime error of the function */
    XF_FAILURE_LANGUAGE = 2, /* the interpreter lacks what the driver needs */
    XF_FAILURE_SEAL = 3,     /* the process could not be sealed */
};

/* ---- Supervisor ---- */

/* Bytes on the lifeline. */
enum xf_command {
    XF_COMMAND_STOP = 'K',    /* kill everything, report */
    XF_COMMAND_LOOK = 'W',    /* a call is taking long: look at the clock more often from now on */
    XF_COMMAND_MEASURE = 'M', /* answered by an xf_report with XF_CAUSE_LIVES, so is: */
    XF_COMMAND_SETTLE = 'S',  /* from now on it keeps to idle_memory between calls */
};

/* The plan: this header, then argc + envc + has_group NUL-terminated strings. argv[0] is executed.
 * The command inherits 0 to 6, XF_FD_STATUS and XF_FD_DATA to XF_FD_DATA + file_count - 1. */
typedef struct xf_plan {
    uint32_t magic;
    uint32_t version;
    uint32_t uid_first; /* with uid_count 0 the supervisor keeps its uid */
    uint32_t uid_count;
    uint32_t argc;
    uint32_t envc;
    uint32_t strings_size;
    uint32_t file_count;
    uint64_t start_limit_us; /* until the answer to SETUP */
    uint64_t memory_limit;   /* bytes of its own that all its processes may have; 0: not watched */
    uint32_t tmp_file_limit; /* files in the sandbox's own /tmp; 0: it has none */
    uint32_t has_group;      /* 1: the last string is the folder to make the sandbox's cgroup in */
    uint64_t group_memory;   /* bytes that all in it may have, the kernel's for it included */
    uint32_t group_tasks;
    uint32_t reserved;
    uint64_t idle_limit_us;  /* so long without a call, and it is ended; 0: never */
    uint64_t spare_limit_us; /* until SETUP comes and start_limit_us begins; 0: it begins at once */
} xf_plan;

/* The next two and the report cross between programs that are embedded together. */
typedef struct xf_enter_ready {
    uint32_t magic;
    uint32_t version;
    uint32_t layers; /* bits of enum xf_layer */
    uint32_t reserved;
} xf_enter_ready;

typedef struct xf_enter_exit {
    uint32_t magic;
    int32_t wait_status; /* raw, of the interpreter; or -1: it could not be executed */
    int32_t os_errno;    /* of that failure */
    uint32_t reserved;
    uint64_t peak_memory; /* bytes, largest resident set */
    uint64_t cpu_us;
} xf_enter_exit;

/* Why a worker ended, as seen by the supervisor. */
enum xf_cause {
    XF_CAUSE_EXITED = 1,        /* the interpreter ended by itself: see wait_status */
    XF_CAUSE_STOPPED = 2,       /* the host asked for it */
    XF_CAUSE_ROW_TIMEOUT = 3,   /* a row did not move on for its limit */
    XF_CAUSE_START_TIMEOUT = 4, /* nor a start */
    XF_CAUSE_NO_SANDBOX = 5, /* the command ended before extfn-enter was ready; stderr says why */
    XF_CAUSE_NO_INTERPRETER = 6, /* extfn-enter could not execute it: os_errno */
    XF_CAUSE_NO_UID = 7,         /* root could not drop to a free uid: os_errno */
    XF_CAUSE_BROKEN = 8,         /* the supervisor itself failed: os_errno */
    XF_CAUSE_RESTLESS = 9,       /* it computed while no call was under way */
    XF_CAUSE_LOST = 10,   /* something of ours was killed, which no body can: see wait_status */
    XF_CAUSE_MEMORY = 11, /* it had more memory than the plan allows */
    XF_CAUSE_FILES = 12,  /* it had more files in /tmp than the plan allows */
    XF_CAUSE_IDLE = 13,   /* it had nothing to do for long, or had kept much memory */
    XF_CAUSE_LIVES = 14,  /* it did not: what its processes have used until now was asked for */
};

/* Sent when no process of the sandbox is left, and before that for each XF_COMMAND_MEASURE. */
typedef struct xf_report {
    uint32_t magic;
    uint32_t version;
    uint32_t cause; /* enum xf_cause */
    int32_t wait_status;
    int32_t os_errno;
    uint32_t call; /* under way when it ended */
    uint32_t layers;
    uint32_t is_ready;    /* extfn-enter has said so: before that nothing of ours ran */
    uint32_t is_tmp_full; /* nothing could be written there any more */
    uint32_t reserved;
    uint64_t peak_memory;
    uint64_t cpu_us;
    uint64_t idle_memory; /* bytes: one that has more between calls is ended; 0: not settled */
} xf_report;

#endif
