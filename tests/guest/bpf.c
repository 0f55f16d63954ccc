#include "guest/bpf.h"

#include "support/unit.h"

#include <stdbool.h>
#include <string.h>

static bool holds(uint16_t comparison, uint32_t accumulator, uint32_t value)
{
    switch (comparison) {
    case BPF_JEQ:
        return accumulator == value;
    case BPF_JGE:
        return accumulator >= value;
    case BPF_JSET:
        return (accumulator & value) != 0;
    default:
        fail_msg("comparison %x is not known here", comparison);
        return false;
    }
}

static uint32_t load(const struct sock_filter *now, const struct seccomp_data *data)
{
    uint32_t word = 0;
    assert_int_equal(now->code, BPF_LD | BPF_W | BPF_ABS);
    assert_true(now->k % 4 == 0 && now->k < sizeof(*data));
    memcpy(&word, (const char *)data + now->k, sizeof(word));
    return word;
}

static size_t jump(const struct sock_filter *now, uint32_t accumulator)
{
    if (BPF_OP(now->code) == BPF_JA)
        return now->k;
    return holds(BPF_OP(now->code), accumulator, now->k) ? now->jt : now->jf;
}

uint32_t bpf_evaluate(const struct sock_filter *code, size_t count, const struct seccomp_data *data)
{
    uint32_t accumulator = 0;
    size_t next = 0;
    while (next < count) {
        const struct sock_filter *now = &code[next++];
        switch (BPF_CLASS(now->code)) {
        case BPF_LD:
            accumulator = load(now, data);
            break;
        case BPF_ALU:
            assert_int_equal(now->code, BPF_ALU | BPF_AND | BPF_K);
            accumulator &= now->k;
            break;
        case BPF_JMP:
            next += jump(now, accumulator);
            break;
        case BPF_RET:
            return now->k;
        default:
            fail_msg("instruction %x is not known here", now->code);
        }
    }
    fail_msg("ran off the end of the filter");
    return 0;
}
