/* embed LIBRARY NAME NUMBER...: evaluates one function of a library of function files.
 *
 *   cc embed.c $(pkg-config --cflags --libs extfn) -o embed
 *   ./embed demo unit_price 80.87 3
 *
 * SPDX-License-Identifier: MIT */
#include <extfn/extfn.h>

#include <stdio.h>
#include <stdlib.h>

#define ARGUMENT_LIMIT 8

static extfn_status evaluate(extfn_host *host, extfn_registry *library, char **argv, int argc,
                             extfn_error *err)
{
    extfn_status status = extfn_registry_load(library, argv[1], NULL, NULL, err);
    if (status != EXTFN_OK)
        return status;

    extfn_value args[ARGUMENT_LIMIT] = {{0}};
    size_t count = 0;
    for (int i = 3; i < argc && count < ARGUMENT_LIMIT; i++)
        args[count++] = extfn_value_number(strtod(argv[i], NULL));

    extfn_value result = {0};
    status = extfn_registry_eval(library, host, argv[2], args, count, NULL, &result, err);
    if (status != EXTFN_OK)
        return status;

    char *json = NULL;
    status = extfn_value_to_json(&result, &json, err);
    extfn_value_clear(&result);
    if (status == EXTFN_OK)
        (void)puts(json);
    extfn_text_free(json);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fputs("usage: embed LIBRARY NAME NUMBER...\n", stderr);
        return EXIT_FAILURE;
    }
    extfn_error err = {0};
    extfn_host_options options = {.struct_size = sizeof(options)};
    extfn_host_options_from_environment(&options); /* what the operator has to say */
    extfn_host *host = NULL;
    extfn_registry *library = NULL;
    extfn_status status = extfn_host_new(&options, &host, &err);
    if (status == EXTFN_OK)
        status = extfn_registry_new(&library, &err);
    if (status == EXTFN_OK)
        status = evaluate(host, library, argv, argc, &err);
    if (status != EXTFN_OK)
        (void)fprintf(stderr, "embed: %s: %s\n", extfn_status_kind(status), err.message);
    extfn_registry_free(library);
    extfn_host_free(host); /* ends the workers */
    return status == EXTFN_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
