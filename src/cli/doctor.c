#include "cli/doctor.h"

#include "cli/attacks_julia.h"
#include "cli/attacks_pure.h"
#include "cli/attacks_python.h"
#include "cli/attacks_r.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOP_US 100000 /* time of a row that would run for ever */

const cli_attack cli_attacks[CLI_ATTACK_COUNT] = {
    {"read-host-file", "read a file of the host", NULL},
    {"see-processes", "see other processes", NULL},
    {"read-environment", "read the host's environment", NULL},
    {"write-elsewhere", "write outside of /tmp", NULL},
    {"start-process", "start a process", NULL},
    {"start-program", "start a program", NULL},
    {"signal-others", "signal another process", NULL},
    {"reach-network", "reach the network", NULL},
    {"local-socket", "make a local socket", NULL},
    {"become-root", "become root", NULL},
    {"share-memory", "take shared memory", NULL},
    {"exhaust-memory", "exhaust memory", "memory limit of "},
    {"fill-tmp", "fill /tmp",
     "function killed by signal 7 (SIGBUS)"}, /* Julia's compiler maps files there */
    {"run-for-ever", "run for ever", "function timed out after "},
    {"new-namespace", "make a namespace", "function killed by signal "},
    {"import", "call the host", "module imports "},
};

const char *cli_outcome_text(cli_outcome outcome)
{
    static const char *const texts[] = {
        [CLI_NOT_TRIED] = "-",
        [CLI_STOPPED] = "stopped",
        [CLI_GOT_THROUGH] = "GOT THROUGH",
        [CLI_UNCLEAR] = "unclear",
    };
    return texts[outcome];
}

void cli_finding_clear(cli_finding *found)
{
    extfn_text_free(found->path);
    extfn_text_free(found->version);
}

/* ---- What an attack's row says ---- */

static void record(cli_finding *found, size_t attack, cli_outcome outcome, const char *words)
{
    found->outcomes[attack] = outcome;
    const int room = (int)sizeof(found->words[attack]) - 1;
    (void)snprintf(found->words[attack], sizeof(found->words[attack]), "%.*s", room, words);
}

static void judge_error(cli_finding *found, size_t attack, const char *message)
{
    const char *end = cli_attacks[attack].end;
    bool is_ended = end && strncmp(message, end, strlen(end)) == 0;
    record(found, attack, is_ended ? CLI_STOPPED : CLI_UNCLEAR, message);
}

static void judge_text(cli_finding *found, size_t attack, const char *text)
{
    static const char refused[] = "refused";
    if (strncmp(text, refused, strlen(refused)) == 0) {
        const char *why = text + strlen(refused);
        record(found, attack, CLI_STOPPED, *why ? why + strlen(": ") : "");
    } else if (strcmp(text, "absent") == 0) {
        record(found, attack, CLI_NOT_TRIED, "");
    } else {
        bool is_through = strcmp(text, "got through") == 0;
        record(found, attack, is_through ? CLI_GOT_THROUGH : CLI_UNCLEAR, text);
    }
}

static void judge(cli_finding *found, size_t attack, const extfn_value *value)
{
    if (value->type == EXTFN_TEXT)
        judge_text(found, attack, value->as.text.data);
    else if (value->type == EXTFN_ERROR)
        judge_error(found, attack, value->as.error.message);
}

/* ---- Interpreters ---- */

static const struct {
    const char *body;
    bool has_namespaces; /* it can ask for one, at the price of one more start */
} bodies[EXTFN_LANGUAGE_COUNT] = {
    [EXTFN_PYTHON] = {(const char *)attacks_python, true},
    [EXTFN_R] = {(const char *)attacks_r, false},
    [EXTFN_JULIA] = {(const char *)attacks_julia, false},
    [EXTFN_PURE] = {(const char *)attacks_pure, false},
};

#define ARGUMENTS 3 /* of each body: step, memory, port */

typedef struct self_test {
    cli_session *session;
    extfn_language language;
    cli_finding *found;
    bool is_tested;
    int port; /* where the host listens */
} self_test;

/* More than the limit and what any interpreter has beside it. */
static double too_much_memory(const self_test *test)
{
    return 2 * (double)test->session->limits.memory_bytes + 0x1p30;
}

static extfn_status make_function(extfn_language language, const char *body, size_t arg_count,
                                  extfn_type return_type, extfn_function **ret_function,
                                  extfn_error *err)
{
    const extfn_type types[ARGUMENTS] = {EXTFN_NUMBER, EXTFN_NUMBER, EXTFN_NUMBER};
    const char *const names[ARGUMENTS] = {"step", "memory", "port"};
    const extfn_function_options options = {
        .struct_size = sizeof(options),
        .name = "attack",
        .language = language,
        .body = body,
        .body_size = strlen(body),
        .arg_types = types,
        .arg_names = names,
        .arg_count = arg_count,
        .return_type = return_type,
        .is_pure = true,
    };
    return extfn_function_new(&options, ret_function, err);
}

typedef struct arguments {
    extfn_column *columns[ARGUMENTS];
} arguments;

static void arguments_clear(arguments *given)
{
    for (size_t i = 0; i < ARGUMENTS; i++)
        extfn_column_free(given->columns[i]);
}

/* All that end neither the worker nor its time: one call. */
static extfn_status try_many(self_test *test, extfn_function *function, extfn_error *err)
{
    double values[ARGUMENTS][CLI_ATTACK_LOOP];
    for (size_t i = 0; i < CLI_ATTACK_LOOP; i++) {
        values[0][i] = (double)i;
        values[1][i] = too_much_memory(test);
        values[2][i] = test->port;
    }
    CLI_AUTO(arguments_clear) arguments given = {{NULL}};
    for (size_t i = 0; i < ARGUMENTS; i++)
        CLI_TRY(extfn_column_new_numbers(values[i], CLI_ATTACK_LOOP, &given.columns[i], err));
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .cancel = test->session->cancel};
    extfn_column *results = NULL;
    CLI_TRY(extfn_host_apply(test->session->host, function,
                             (const extfn_column *const *)given.columns, ARGUMENTS, CLI_ATTACK_LOOP,
                             &options, &results, err));
    extfn_status status = EXTFN_OK;
    for (size_t i = 0; i < CLI_ATTACK_LOOP && status == EXTFN_OK; i++) {
        extfn_value value = {0};
        status = extfn_column_get(results, (int64_t)i, &value, err);
        judge(test->found, i, &value);
        extfn_value_clear(&value);
    }
    extfn_column_free(results);
    return status;
}

static void try_one(self_test *test, extfn_function *function, size_t attack, int64_t timeout_us)
{
    extfn_value args[ARGUMENTS] = {
        {.type = EXTFN_NUMBER, .as.number = (double)attack},
        {.type = EXTFN_NUMBER, .as.number = too_much_memory(test)},
        {.type = EXTFN_NUMBER, .as.number = test->port},
    };
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = timeout_us,
                                        .cancel = test->session->cancel};
    extfn_value value = {0};
    extfn_error failure = {0};
    if (extfn_host_eval(test->session->host, function, args, ARGUMENTS, &options, &value,
                        &failure) == EXTFN_OK)
        judge(test->found, attack, &value);
    else
        judge_error(test->found, attack, failure.message);
    extfn_value_clear(&value);
}

static extfn_status test_interpreter(self_test *test, extfn_error *err)
{
    extfn_function *function = NULL;
    CLI_TRY(make_function(test->language, bodies[test->language].body, ARGUMENTS, EXTFN_TEXT,
                          &function, err));
    extfn_status status = try_many(test, function, err);
    if (status == EXTFN_OK) {
        try_one(test, function, CLI_ATTACK_LOOP, LOOP_US);
        if (bodies[test->language].has_namespaces)
            try_one(test, function, CLI_ATTACK_NAMESPACE, 0);
    }
    extfn_function_unref(function);
    return status;
}

/* ---- WebAssembly ---- */

static const struct {
    cli_attack_id attack;
    const char *body; /* of a function without arguments; -1 is what it gives when it was refused */
} modules[] = {
    {CLI_ATTACK_MEMORY, "wat:(module (memory 1) (func (export \"improv_call\") (result f64)"
                        " (f64.convert_i32_s (memory.grow (i32.const 65535)))))"},
    {CLI_ATTACK_LOOP, "wat:(module (func (export \"improv_call\") (result f64)"
                      " (loop (br 0)) (unreachable)))"},
    {CLI_ATTACK_IMPORT, "wat:(module (import \"env\" \"system\" (func)) (func (export"
                        " \"improv_call\") (result f64) (f64.const 0)))"},
};

static extfn_status test_module(self_test *test, size_t i, extfn_error *err)
{
    extfn_function *function = NULL;
    CLI_TRY(make_function(EXTFN_WASM, modules[i].body, 0, EXTFN_NUMBER, &function, err));
    const extfn_call_options options = {.struct_size = sizeof(options),
                                        .timeout_us = LOOP_US,
                                        .cancel = test->session->cancel};
    extfn_value value = {0};
    extfn_error failure = {0};
    extfn_status status =
        extfn_host_eval(test->session->host, function, NULL, 0, &options, &value, &failure);
    extfn_function_unref(function);
    if (status != EXTFN_OK)
        judge_error(test->found, modules[i].attack, failure.message);
    else
        judge_text(test->found, modules[i].attack,
                   value.as.number == -1 ? "refused" : "got through");
    extfn_value_clear(&value);
    return EXTFN_OK;
}

static extfn_status test_modules(self_test *test, extfn_error *err)
{
    for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
        CLI_TRY(test_module(test, i, err));
    return EXTFN_OK;
}

/* ---- All of them ---- */

static void *examine(void *context)
{
    self_test *test = context;
    cli_finding *found = test->found;
    found->failure.status =
        extfn_host_probe_language(test->session->host, test->language, &found->path,
                                  &found->version, &found->failure);
    if (found->failure.status != EXTFN_OK || !test->is_tested)
        return NULL;
    found->untested.status = test->language == EXTFN_WASM
                                 ? test_modules(test, &found->untested)
                                 : test_interpreter(test, &found->untested);
    return NULL;
}

/* What a body would reach if it had a network. */
static int listen_locally(int *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_open = fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 &&
                   listen(fd, EXTFN_LANGUAGE_COUNT) == 0 &&
                   getsockname(fd, (struct sockaddr *)&address, &size) == 0;
    *ret_port = is_open ? ntohs(address.sin_port) : 1;
    return fd;
}

void cli_doctor_find(cli_session *session, bool is_tested,
                     cli_finding ret_findings[EXTFN_LANGUAGE_COUNT])
{
    int port;
    int listener = listen_locally(&port);
    self_test tests[EXTFN_LANGUAGE_COUNT];
    pthread_t threads[EXTFN_LANGUAGE_COUNT];
    bool has_thread[EXTFN_LANGUAGE_COUNT];
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        tests[i] = (self_test){session, (extfn_language)i, &ret_findings[i], is_tested, port};
        has_thread[i] = pthread_create(&threads[i], NULL, examine, &tests[i]) == 0;
        if (!has_thread[i])
            (void)examine(&tests[i]);
    }
    for (size_t i = 0; i < EXTFN_LANGUAGE_COUNT; i++) {
        if (has_thread[i])
            (void)pthread_join(threads[i], NULL);
    }
    if (listener >= 0)
        (void)close(listener);
}
