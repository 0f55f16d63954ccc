/* Any system call, for languages that call C functions with pointers alone (R): an attack gets this
 * library as a text of hexadecimal digits, writes it into a file and loads it.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS 7

__attribute__((visibility("default"))) void gate(const char **texts, const int *count,
                                                 char **ret_answer);

static char zeros[WORDS][1 << 16];
static char answer[64];

static int digit(char sign)
{
    return sign <= '9' ? sign - '0' : sign - 'a' + 10;
}

/* `@text`: a pointer to the text; `xHEX`: to these bytes; `#`: to zeros; else a number. */
static long word_of(const char *text, int position)
{
    char *bytes = zeros[position];
    switch (text[0]) {
    case '@':
        return (long)(text + 1);
    case '#':
        return (long)memset(bytes, 0, sizeof(zeros[0]));
    case 'x':
        for (size_t i = 0; text[1 + 2 * i]; i++)
            bytes[i] = (char)(digit(text[1 + 2 * i]) << 4 | digit(text[2 + 2 * i]));
        return (long)bytes;
    default:
        return strtol(text, NULL, 10);
    }
}

void gate(const char **texts, const int *count, char **ret_answer)
{
    long words[WORDS] = {0};
    for (int i = 0; i < *count && i < WORDS; i++)
        words[i] = word_of(texts[i], i);
    long value = syscall(words[0], words[1], words[2], words[3], words[4], words[5], words[6]);
    if (value < 0)
        (void)snprintf(answer, sizeof(answer), "%s", strerrorname_np(errno));
    else
        (void)snprintf(answer, sizeof(answer), "REACHED %ld", value);
    *ret_answer = answer;
}
