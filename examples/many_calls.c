/* many_calls LIBRARY COUNT: COUNT calls of all functions of a library that take two numbers, all
 * under way at once in one poll loop, without a thread.
 *
 *   cc many_calls.c $(pkg-config --cflags --libs extfn) -o many_calls
 *   ./many_calls demo 1000
 *
 * SPDX-License-Identifier: MIT */
#include <extfn/extfn.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct program {
    extfn_host *host;
    extfn_registry *library;
    extfn_queue *queue;
    long succeeded;
    long failed;
} program;

static int takes_two_numbers(const extfn_function *function)
{
    return extfn_function_arity(function) == 2 &&
           extfn_function_arg_type(function, 0) == EXTFN_NUMBER &&
           extfn_function_arg_type(function, 1) == EXTFN_NUMBER;
}

/* A call of each such function in turn, until there are enough. */
static extfn_status submit_all(program *self, long count, extfn_error *err)
{
    size_t functions = extfn_registry_count(self->library);
    long submitted = 0;
    for (size_t i = 0; submitted < count; i++) {
        if (i >= functions && submitted == 0)
            break; /* none takes two numbers */
        extfn_function *function = extfn_registry_at(self->library, i % functions);
        if (!takes_two_numbers(function)) {
            extfn_function_unref(function);
            continue;
        }
        const extfn_value args[] = {extfn_value_number((double)(submitted % 100)),
                                    extfn_value_number(3)};
        extfn_job *job = NULL;
        extfn_status status =
            extfn_queue_submit(self->queue, function, args, 2, NULL, NULL, &job, err);
        extfn_function_unref(function);
        if (status != EXTFN_OK)
            return status;
        submitted++;
    }
    return EXTFN_OK;
}

static void collect(program *self, extfn_job *job)
{
    extfn_value result = {0};
    extfn_error err = {0};
    if (extfn_job_take_value(job, &result, &err) == EXTFN_OK)
        self->succeeded++;
    else
        self->failed++;
    extfn_value_clear(&result);
    extfn_job_free(job);
}

/* A program with an event loop of its own adds the descriptor to that instead. */
static void run(program *self)
{
    while (extfn_queue_count(self->queue) > 0) {
        extfn_job *job = extfn_queue_step(self->queue);
        if (job) {
            collect(self, job);
            continue;
        }
        struct pollfd ready = {.fd = extfn_queue_descriptor(self->queue), .events = POLLIN};
        (void)poll(&ready, 1, -1);
    }
}

int main(int argc, char **argv)
{
    char *end = NULL;
    long count = argc == 3 ? strtol(argv[2], &end, 10) : 0;
    if (count < 1 || *end) {
        (void)fputs("usage: many_calls LIBRARY COUNT\n", stderr);
        return EXIT_FAILURE;
    }
    extfn_error err = {0};
    program self = {0};
    extfn_host_options options = {.struct_size = sizeof(options)};
    extfn_host_options_from_environment(&options);
    extfn_status status = extfn_host_new(&options, &self.host, &err);
    if (status == EXTFN_OK)
        status = extfn_registry_new(&self.library, &err);
    if (status == EXTFN_OK)
        status = extfn_registry_load(self.library, argv[1], NULL, NULL, &err);
    if (status == EXTFN_OK)
        status = extfn_queue_new(self.host, &self.queue, &err);
    if (status == EXTFN_OK)
        status = submit_all(&self, count, &err);
    if (status == EXTFN_OK) {
        run(&self);
        (void)printf("%ld results, %ld errors\n", self.succeeded, self.failed);
    } else {
        (void)fprintf(stderr, "many_calls: %s: %s\n", extfn_status_kind(status), err.message);
    }
    extfn_queue_free(self.queue);
    extfn_registry_free(self.library);
    extfn_host_free(self.host);
    return status == EXTFN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
