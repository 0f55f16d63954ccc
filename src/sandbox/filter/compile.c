#include "sandbox/filter/compile.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the low half of an argument is read at its start"
#endif

#define FIELD(name) ((uint32_t)offsetof(struct seccomp_data, name))

/* The rows about a call, which lie together in the table; none: it is not named there. */
typedef struct answer {
    uint16_t first_row;
    uint16_t count;
} answer;

/* Neighbouring numbers with the same answer. */
typedef struct range {
    uint32_t first;
    answer answer;
} range;

typedef struct plan {
    answer answers[XF_FILTER_NUMBERS];
    range ranges[XF_FILTER_NUMBERS + 1];
    size_t range_count;
} plan;

/* ---- From names to ranges of numbers ---- */

static bool has_tests(const xf_filter_rule *rule)
{
    return rule->tests[0].mask != 0;
}

static bool is_decided(const answer *of)
{
    return of->count > 0 && !has_tests(&xf_filter_rules[of->first_row + of->count - 1]);
}

static const char *add_name(const xf_filter_target *target, const char *name, size_t row,
                            plan *made)
{
    int number = target->number(target, name);
    if (number == XF_FILTER_UNKNOWN)
        return "is unknown to libseccomp";
    if (number < 0)
        return NULL; /* a call of another architecture */
    if (number >= XF_FILTER_NUMBERS)
        return "has too high a number";
    answer *to = &made->answers[number];
    if (is_decided(to))
        return "has a row after its last one";
    if (to->count == 0)
        to->first_row = (uint16_t)row;
    if (to->first_row + to->count != row)
        return "has rows that do not lie together";
    to->count++;
    return NULL;
}

static const char *add_names(const xf_filter_target *target, plan *made, char ret_name[64])
{
    for (size_t row = 0; row < xf_filter_rule_count; row++) {
        for (const char *at = xf_filter_rules[row].calls; *at;) {
            size_t size = strcspn(at, " ");
            if (size == 0 || size > 63)
                return "is no name";
            memcpy(ret_name, at, size);
            ret_name[size] = 0;
            const char *problem = add_name(target, ret_name, row, made);
            if (problem)
                return problem;
            at += size + (at[size] == ' ');
        }
    }
    return NULL;
}

/* Whatever the arguments are. */
static bool is_plain(const answer *of, uint32_t *ret_action)
{
    const xf_filter_rule *rule = &xf_filter_rules[of->first_row];
    *ret_action = of->count > 0 ? rule->action : XF_FILTER_DEFAULT;
    return of->count == 0 || !has_tests(rule);
}

static bool are_equal(const answer *a, const answer *b)
{
    uint32_t of_a;
    uint32_t of_b;
    return is_plain(a, &of_a) && is_plain(b, &of_b) && of_a == of_b;
}

/* Calls past the last number are answered as unknown ones. */
static void find_ranges(plan *made)
{
    const answer unknown = {0};
    for (uint32_t number = 0; number <= XF_FILTER_NUMBERS; number++) {
        const answer *now = number < XF_FILTER_NUMBERS ? &made->answers[number] : &unknown;
        if (number == 0 || !are_equal(now, &made->ranges[made->range_count - 1].answer))
            made->ranges[made->range_count++] = (range){.first = number, .answer = *now};
    }
}

/* ---- From ranges to instructions; what goes beyond the limit is only counted ---- */

static void emit(xf_filter_code *code, uint16_t operation, uint32_t value, size_t if_true,
                 size_t if_false)
{
    if (code->count < XF_FILTER_CODE_LIMIT)
        code->items[code->count] =
            (struct sock_filter)BPF_JUMP(operation, value, (uint8_t)if_true, (uint8_t)if_false);
    code->count++;
}

static void emit_load(xf_filter_code *code, uint32_t offset)
{
    emit(code, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static void emit_return(xf_filter_code *code, uint32_t action)
{
    emit(code, BPF_RET | BPF_K, action, 0, 0);
}

static size_t size_of_test(const xf_filter_test *test)
{
    return test->mask == UINT32_MAX ? 2 : 3; /* load, mask, compare */
}

static size_t size_of_tests(const xf_filter_rule *rule)
{
    size_t size = 0;
    for (size_t i = 0; i < XF_FILTER_TESTS && rule->tests[i].mask; i++)
        size += size_of_test(&rule->tests[i]);
    return size;
}

static void emit_row(xf_filter_code *code, const xf_filter_rule *rule)
{
    size_t left = size_of_tests(rule);
    for (size_t i = 0; i < XF_FILTER_TESTS && rule->tests[i].mask; i++) {
        const xf_filter_test *test = &rule->tests[i];
        left -= size_of_test(test);
        emit_load(code, FIELD(args) + 8 * test->argument);
        if (test->mask != UINT32_MAX)
            emit(code, BPF_ALU | BPF_AND | BPF_K, test->mask, 0, 0);
        emit(code, BPF_JMP | BPF_JEQ | BPF_K, test->value, 0, left + 1); /* past the return */
    }
    emit_return(code, rule->action);
}

static void emit_answer(xf_filter_code *code, const answer *of)
{
    for (size_t i = 0; i < of->count; i++)
        emit_row(code, &xf_filter_rules[of->first_row + i]);
    if (of->count == 0)
        emit_return(code, XF_FILTER_DEFAULT);
}

static size_t size_of_answer(const answer *of)
{
    size_t size = of->count == 0;
    for (size_t i = 0; i < of->count; i++)
        size += size_of_tests(&xf_filter_rules[of->first_row + i]) + 1;
    return size;
}

/* A conditional jump reaches 255 instructions; one that must go further takes two. */
static size_t size_of_ranges(const range *ranges, size_t count)
{
    if (count == 1)
        return size_of_answer(&ranges[0].answer);
    size_t half = count / 2;
    size_t lower = size_of_ranges(ranges, half);
    return (lower > UINT8_MAX ? 2 : 1) + lower + size_of_ranges(ranges + half, count - half);
}

/* The accumulator holds the number: a search by halves, so that each call is found in few steps. */
static void emit_ranges(xf_filter_code *code, const range *ranges, size_t count)
{
    if (count == 1) {
        emit_answer(code, &ranges[0].answer);
        return;
    }
    size_t half = count / 2;
    size_t lower = size_of_ranges(ranges, half);
    if (lower > UINT8_MAX) {
        emit(code, BPF_JMP | BPF_JGE | BPF_K, ranges[half].first, 0, 1);
        emit(code, BPF_JMP | BPF_JA, (uint32_t)lower, 0, 0);
    } else {
        emit(code, BPF_JMP | BPF_JGE | BPF_K, ranges[half].first, lower, 0);
    }
    emit_ranges(code, ranges, half);
    emit_ranges(code, ranges + half, count - half);
}

static const char *find_undecided(const plan *made, char ret_name[64])
{
    for (size_t i = 0; i < XF_FILTER_NUMBERS; i++) {
        const answer *now = &made->answers[i];
        if (now->count == 0 || is_decided(now))
            continue;
        const char *name = xf_filter_rules[now->first_row].calls;
        memcpy(ret_name, name, strlen(name) + 1);
        return "has no row without tests";
    }
    return NULL;
}

const char *xf_filter_compile(const xf_filter_target *target, xf_filter_code *ret_code,
                              char ret_problem_name[64])
{
    plan made = {0};
    const char *problem = add_names(target, &made, ret_problem_name);
    if (!problem)
        problem = find_undecided(&made, ret_problem_name);
    if (problem)
        return problem;
    find_ranges(&made);
    ret_code->count = 0;
    emit_load(ret_code, FIELD(arch));
    emit(ret_code, BPF_JMP | BPF_JEQ | BPF_K, target->audit_arch, 1, 0);
    emit_return(ret_code, SECCOMP_RET_KILL_PROCESS);
    emit_load(ret_code, FIELD(nr));
    emit_ranges(ret_code, made.ranges, made.range_count);
    ret_problem_name[0] = 0;
    return ret_code->count <= XF_FILTER_CODE_LIMIT ? NULL : "the filter is too long";
}
