/* An interpreter that is none: it is found and started as Pure is, reads frames and answers what it
 * should not. The body is the seed of all that it does: with an even one the rows that it calls
 * done hold the right result, and those that it does not hold a wrong one. SPDX-License-Identifier:
 * MIT */
#include "wire/wire.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* extfn_type */
#define NUMBER 1
#define BOOLEAN 2
#define TEXT 3

static struct {
    const char *request;
    char *reply;
    uint64_t seed;
    uint32_t return_type;
    bool is_liar; /* an odd seed: what it calls done may be anything */
} self;

/* splitmix64 */
static uint64_t draw(void)
{
    self.seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = (self.seed ^ (self.seed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

static uint32_t draw_below(uint32_t bound)
{
    return (uint32_t)(draw() % bound);
}

static void wait_ms(long ms)
{
    const struct timespec wait = {.tv_nsec = ms * 1000000};
    (void)nanosleep(&wait, NULL);
}

static void say(const void *data, size_t size)
{
    if (write(XF_FD_REPLY_PIPE, data, size) < 0)
        _exit(3);
}

/* ---- Rows ---- */

static uint64_t right_slot(uint32_t row)
{
    xf_wire_column column;
    memcpy(&column, self.request + XF_MAP_START, sizeof(column));
    double x;
    memcpy(&x, self.request + column.values_offset + row * sizeof(x), sizeof(x));
    x *= 2;
    uint64_t slot = self.return_type == BOOLEAN ? 1 : 7;
    if (self.return_type == NUMBER)
        memcpy(&slot, &x, sizeof(slot));
    return slot;
}

static uint64_t text_slot(uint32_t rows, const char *text)
{
    xf_wire_text place = {.offset = xf_wire_heap_offset(rows), .size = (uint32_t)strlen(text)};
    memcpy(self.reply + place.offset, text, place.size);
    uint64_t slot;
    memcpy(&slot, &place, sizeof(slot));
    return slot;
}

static uint64_t wrong_slot(void)
{
    const double number = 666;
    uint64_t slot;
    memcpy(&slot, &number, sizeof(slot));
    return slot;
}

static void put(uint32_t rows, uint32_t row, uint64_t slot, unsigned char status)
{
    memcpy(self.reply + xf_wire_slots_offset(rows) + row * sizeof(slot), &slot, sizeof(slot));
    self.reply[XF_MAP_START + row] = (char)status;
}

static void fill_row(uint32_t rows, uint32_t row, bool is_honest)
{
    uint32_t kind = is_honest ? 9 : draw_below(12);
    if (self.is_liar && kind > 5)
        put(rows, row, draw(), XF_ROW_VALUE);
    else if (kind == 0)
        put(rows, row, wrong_slot(), XF_ROW_NOT_DONE);
    else if (kind == 1)
        put(rows, row, draw(), XF_ROW_ERROR);
    else if (kind == 2)
        put(rows, row, draw(), XF_ROW_MEMORY);
    else if (kind == 3)
        put(rows, row, wrong_slot(), (unsigned char)(4 + draw_below(252)));
    else
        put(rows, row, self.return_type == TEXT ? text_slot(rows, "right") : right_slot(row),
            XF_ROW_VALUE);
}

static void fill(const xf_frame *heard, bool is_honest)
{
    for (uint32_t row = heard->first_row; row < heard->row_count; row++)
        fill_row(heard->row_count, row, is_honest);
}

/* ---- Answers ---- */

static xf_frame right_answer(const xf_frame *heard)
{
    xf_frame answer = *heard;
    answer.type = heard->type == XF_FRAME_SETUP ? XF_FRAME_READY : XF_FRAME_DONE;
    answer.detail = heard->type == XF_FRAME_SETUP ? UINT32_MAX : 0; /* sealed, all proven: a lie */
    return answer;
}

static void answer_rightly(const xf_frame *heard)
{
    fill(heard, true);
    xf_frame answer = right_answer(heard);
    say(&answer, sizeof(answer));
}

static void answer_for_some_rows(const xf_frame *heard)
{
    fill(heard, false);
    xf_frame answer = right_answer(heard);
    say(&answer, sizeof(answer));
}

static void forge(const xf_frame *heard)
{
    fill(heard, false);
    xf_frame answer = right_answer(heard);
    char *field = (char *)&answer + 4 * draw_below(sizeof(answer) / 4);
    const uint32_t values[] = {0, 1, 2, 3, 16, 17, 18, 19, 0x7fffffff, 0x80000000, 0xffffffff};
    uint32_t value = values[draw_below(sizeof(values) / sizeof(values[0]))];
    memcpy(field, &value, sizeof(value));
    say(&answer, sizeof(answer));
}

static void truncate_answer(const xf_frame *heard)
{
    fill(heard, false);
    xf_frame answer = right_answer(heard);
    say(&answer, draw_below(sizeof(answer)));
    if (draw_below(2))
        _exit(0);
    (void)pause();
}

static void say_noise(const xf_frame *heard)
{
    (void)heard;
    char noise[4096];
    for (size_t i = 0; i < sizeof(noise); i++)
        noise[i] = (char)draw();
    for (uint32_t i = draw_below(40); i-- > 0;)
        say(noise, sizeof(noise));
}

static void repeat(const xf_frame *heard)
{
    fill(heard, false);
    xf_frame answer = right_answer(heard);
    for (uint32_t i = 2 + draw_below(100); i-- > 0;) {
        say(&answer, sizeof(answer));
        answer.call += draw_below(2);
    }
}

static void answer_late(const xf_frame *heard)
{
    wait_ms(40 + (long)draw_below(200));
    answer_rightly(heard);
}

static void be_full(const xf_frame *heard)
{
    xf_frame answer = right_answer(heard);
    answer.type = XF_FRAME_FULL;
    answer.first_row = heard->first_row + draw_below(3);
    for (uint32_t row = heard->first_row; row < heard->row_count; row++)
        fill_row(heard->row_count, row, row < answer.first_row && draw_below(4) > 0);
    say(&answer, sizeof(answer));
}

static void refuse(const xf_frame *heard)
{
    xf_frame answer = right_answer(heard);
    put(1, 0, draw_below(2) ? text_slot(1, "refused \xff") : draw(), XF_ROW_ERROR);
    answer.type = heard->type == XF_FRAME_SETUP ? XF_FRAME_FAILED : XF_FRAME_DONE;
    answer.detail = draw_below(5);
    say(&answer, sizeof(answer));
}

static void end(const xf_frame *heard)
{
    fill(heard, false);
    if (draw_below(2))
        _exit((int)draw_below(256));
    (void)raise((int)draw_below(31) + 1);
}

static void hang(const xf_frame *heard)
{
    fill(heard, false);
    (void)close(draw_below(2) ? XF_FD_REPLY_PIPE : XF_FD_STDOUT);
    (void)pause();
}

static void flood(const xf_frame *heard)
{
    char noise[4096] = "noise";
    for (int i = 0; i < 600; i++)
        (void)!write(1 + (int)draw_below(2), noise, sizeof(noise));
    answer_rightly(heard);
}

static _Noreturn void *write_for_ever(void *context)
{
    const xf_frame *heard = context;
    uint32_t end_of_slots = xf_wire_heap_offset(heard->row_count);
    for (uint64_t i = 0;; i++)
        self.reply[i % end_of_slots] = (char)(i * 7 + i / end_of_slots);
}

static void write_while_it_is_read(const xf_frame *heard)
{
    static xf_frame kept;
    pthread_t thread;
    kept = *heard;
    if (self.is_liar)
        (void)pthread_create(&thread, NULL, write_for_ever, &kept);
    answer_rightly(heard);
}

static void (*const answers[])(const xf_frame *) = {
    answer_rightly,
    answer_for_some_rows,
    forge,
    forge,
    truncate_answer,
    say_noise,
    repeat,
    answer_late,
    end,
    hang,
    be_full,
    be_full,
    refuse,
    flood,
    write_while_it_is_read,
};

/* ---- Life ---- */

static void take_seed(void)
{
    xf_setup setup;
    const char *next = self.request + XF_MAP_START;
    memcpy(&setup, next, sizeof(setup));
    next += sizeof(setup) + setup.arg_count * sizeof(uint32_t) + setup.names_size;
    char body[32] = "";
    memcpy(body, next, setup.body_size < sizeof(body) ? setup.body_size : sizeof(body) - 1);
    self.seed = strtoull(body, NULL, 10);
    self.is_liar = self.seed % 2 == 1;
    self.return_type = setup.return_type;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("Pure 0.68 (a hostile program for tests, which is no Pure)");
        return 0;
    }
    self.request = mmap(NULL, XF_MAP_SIZE, PROT_READ, MAP_SHARED, XF_FD_REQUEST_MAP, 0);
    self.reply = mmap(NULL, XF_MAP_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, XF_FD_REPLY_MAP, 0);
    xf_frame heard;
    while (read(XF_FD_REQUEST_PIPE, &heard, sizeof(heard)) == sizeof(heard)) {
        if (heard.type == XF_FRAME_SETUP)
            take_seed();
        else
            memcpy(self.reply, &heard.call, sizeof(heard.call));
        bool is_setup_fine = heard.type == XF_FRAME_SETUP && draw_below(8) > 0;
        uint32_t which = is_setup_fine ? 0 : draw_below(sizeof(answers) / sizeof(answers[0]));
        answers[which](&heard);
    }
    return 0;
}
