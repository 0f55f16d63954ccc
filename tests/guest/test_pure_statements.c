/* The cutter of Pure's bodies, without Pure. SPDX-License-Identifier: MIT */
#include "guest/lib/pure_statements.h"
#include "support/unit.h"

#include <stdio.h>
#include <string.h>

/* Kinds as letters (R rules, L let, E expression, P pattern), each with its line and text. */
static void describe(const char *text, char *ret_words, size_t size)
{
    static const char letters[] = "RLEP";
    xf_pure_scanner scanner = {text, strlen(text), 0, 0, 0};
    xf_pure_statement statement;
    size_t used = 0;
    ret_words[0] = 0;
    while (xf_pure_cut(&scanner, &statement)) {
        used += (size_t)snprintf(ret_words + used, size - used, "%c%zu<%.*s>",
                                 letters[statement.kind], statement.line,
                                 (int)(statement.end - statement.start), text + statement.start);
        if (statement.kind == XF_PURE_LET)
            used += (size_t)snprintf(ret_words + used, size - used,
                                     "%.*s:", (int)statement.name_size, text + statement.name);
    }
}

static void assert_cut(const char *text, const char *expected)
{
    char words[1024];
    describe(text, words, sizeof(words));
    assert_string_equal(words, expected);
}

static void statements_end_at_semicolons_of_their_own(void **state)
{
    (void)state;
    assert_cut("", "");
    assert_cut(" ;; \n;", "");
    assert_cut("let result = args!0 + 1;", "L1<let result = args!0 + 1>result:");
    assert_cut("let y = 1; let z = y", "L1<let y = 1>y:L1<let z = y>z:");
    assert_cut("let a = {1,2;3,4};b;", "L1<let a = {1,2;3,4}>a:E1<b>");
    assert_cut("let a = f x with f x = y when y = 1; z = 2 end; g = 3 end;\nb;",
               "L1<let a = f x with f x = y when y = 1; z = 2 end; g = 3 end>a:E2<b>");
    assert_cut("case x of 1 = 2; _ = 3 end;b", "E1<case x of 1 = 2; _ = 3 end>E1<b>");
    assert_cut("(a;b);[c;d];e", "E1<(a;b)>E1<[c;d]>E1<e>");
    assert_cut("interface i with f x; g x; end;b;", "R1<interface i with f x; g x; end>E1<b>");
    assert_cut("a) ; end ; b", "E1<a)>E1<end>E1<b>");
}

static void texts_and_comments_hold_no_statements(void **state)
{
    (void)state;
    assert_cut("a \";\" ; b", "E1<a \";\">E1<b>");
    assert_cut("a \"\\\";\" ; b", "E1<a \"\\\";\">E1<b>");
    assert_cut("a \"x\\\ny;\" ; b", "E1<a \"x\\\ny;\">E2<b>");
    assert_cut("a \"open ; \n; b", "E1<a \"open ; >E2<b>");
    assert_cut("// ;a\n/* ; \n*/ b /* c */; // d", "E3<b>");
    assert_cut("a+//;\nb;c", "E1<a+//;\nb>E2<c>");
    assert_cut("a /* open ; b", "E1<a>");
    assert_cut("#!/usr/bin/pure ; x\na; b #! c", "E2<a>E2<b #! c>");
}

static void kinds_are_told_by_their_looks(void **state)
{
    (void)state;
    assert_cut("f x = 1 if x; = 2 otherwise;", "R1<f x = 1 if x>R1<= 2 otherwise>");
    assert_cut("x == y; x === y; x <= y; x ~= y; a => b; x >= y;",
               "E1<x == y>E1<x === y>E1<x <= y>E1<x ~= y>E1<a => b>E1<x >= y>");
    assert_cut("x = =1;x=-1;", "R1<x = =1>R1<x=-1>");
    assert_cut("let a,b = 1,2; let x::int = 1; let (c) = 2; let d; let div = 3;",
               "P1<let a,b = 1,2>P1<let x::int = 1>P1<let (c) = 2>P1<let d>P1<let div = 3>");
    assert_cut("let _ = f 1; let __ = 2;", "E1<let _ = f 1>L1<let __ = 2>__:");
    assert_cut("let a == b; let if = 1; let def = 1;",
               "P1<let a == b>P1<let if = 1>P1<let def = 1>");
    assert_cut(
        "extern int puts(char*); using math; infixl 10 <+>; const c = 1; def a = b; type t x = y;",
        "R1<extern int puts(char*)>R1<using math>R1<infixl 10 <+>>R1<const c = 1>R1<def a = b>"
        "R1<type t x = y>");
    assert_cut("letter = 1; let\n\tx\n=\n1", "R1<letter = 1>L1<let\n\tx\n=\n1>x:");
    assert_cut("let \xc3\xa9 = 1;", "L1<let \xc3\xa9 = 1>\xc3\xa9:");
}

static void assert_needs(const char *text, unsigned expected)
{
    static const char *const names[] = {"x", NULL, ""};
    unsigned needs = xf_pure_needs(text, strlen(text), names, 3);
    if (needs != expected)
        fail_msg("%s: needs %u, not %u", text, needs, expected);
}

#define TEXT (XF_PURE_NEEDS_TEXT | XF_PURE_NEEDS_RESTORE)

static void most_bodies_need_nothing(void **state)
{
    (void)state;
    assert_needs("let result = args!0+x;", 0);
    assert_needs("let y = x; let z = y+1; let result = z;", 0);
    assert_needs("f 0 = 1; f n = n*f (n-1);\nlet result = f x;", 0);
    assert_needs("let k = 2;\ng 0 = k;\ng n = n*k;\nlet result = g x;", 0);
    assert_needs("let x = x+1; let args = [x]; let result = x;", 0);
    assert_needs("f z@(a:b) y::int = z; let result = 1; g z@(a:b) y::int = z;", 0);
    assert_needs("#! a comment on line one\nresult = x;", 0);
}

static void what_a_row_could_see_of_another_is_taken_back(void **state)
{
    (void)state;
    assert_needs("let result = z; let z = x;", XF_PURE_NEEDS_RESTORE);
    assert_needs("let z = z+1; let result = z;", XF_PURE_NEEDS_RESTORE);
    assert_needs("f y = y+z; let z = x; let result = f 1;", XF_PURE_NEEDS_RESTORE);
    assert_needs("let a,b = x,1; let result = a;", XF_PURE_NEEDS_RESTORE);
    assert_needs("del_vardef ('y); let result = 1;", XF_PURE_NEEDS_RESTORE);
    assert_needs("let \xc3\xa9 = 1;", XF_PURE_NEEDS_RESTORE);
    assert_needs("let result = eval \"1\";", XF_PURE_NEEDS_RESTORE | XF_PURE_NEEDS_WORLD);
    assert_needs("using math; let result = x;", XF_PURE_NEEDS_RESTORE | XF_PURE_NEEDS_WORLD);
    assert_needs("extern int fork(); let result = x;", XF_PURE_NEEDS_RESTORE | XF_PURE_NEEDS_WORLD);
}

static void what_depends_on_order_is_evaluated_by_its_text(void **state)
{
    (void)state;
    assert_needs("const k = x; let result = k;", TEXT);
    assert_needs("namespace foo; let result = x;", TEXT);
    assert_needs("let result = f 1; f y = y;", TEXT);
    assert_needs("let y = 1; a <+> b = 1; let result = y;", TEXT);
    assert_needs("let y = 1; f a | g a = 1; let result = y;", TEXT);
    assert_needs("let y = 1; def f z = z; let result = y;", TEXT);
    assert_needs("let y = 1; using math; let result = y;", TEXT | XF_PURE_NEEDS_WORLD);
    assert_needs("infixl 2200 plus; let y = 1; a plus b = a; let result = y;", TEXT);
    assert_needs("infix 1800 =:=; let result = x;", TEXT | XF_PURE_IS_UNCLEAR);
    assert_needs("let y = 1;\n#! --nofoo\nlet result = y;", TEXT);
    assert_needs("%< int f(void); %> let result = x;", TEXT);
}

/* `let a1 = 1; let a2 = 1; ...`: each would be looked for in all that stands before it. */
static void a_long_body_is_not_looked_at_forever(void **state)
{
    (void)state;
    enum { COUNT = 20000, SIZE = 24 };
    static char text[COUNT * SIZE + 1];
    size_t used = 0;
    for (int i = 0; i < COUNT; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "let a%d = 1;\n", i);
    assert_int_equal(xf_pure_needs(text, used, NULL, 0), TEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_end_at_semicolons_of_their_own),
        cmocka_unit_test(texts_and_comments_hold_no_statements),
        cmocka_unit_test(kinds_are_told_by_their_looks),
        cmocka_unit_test(most_bodies_need_nothing),
        cmocka_unit_test(what_a_row_could_see_of_another_is_taken_back),
        cmocka_unit_test(what_depends_on_order_is_evaluated_by_its_text),
        cmocka_unit_test(a_long_body_is_not_looked_at_forever),
    };
    return cmocka_run_group_tests_name("pure_statements", tests, NULL, NULL);
}
