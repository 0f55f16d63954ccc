#include "wasm/memory.h"

#include "base/alloc.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct memory {
    const xf_wasm_memory_rule *rule;
    xf_wasm_memory_note *note;
    uint8_t *data;
    size_t size;
    size_t capacity;
} memory;

/* The engine calls the creator in the middle of making an instance and says nothing of whose it is;
 * it does so on the thread that asked for the instance. */
static _Thread_local xf_wasm_memory_note *current_note;

void xf_wasm_memory_tell(xf_wasm_memory_note *note)
{
    current_note = note;
}

static wasmtime_error_t *refuse_limit(const xf_wasm_memory_rule *rule, xf_wasm_memory_note *note)
{
    note->is_limit_reached = true;
    return rule->api->wasmtime_error_new("memory limit reached");
}

static wasmtime_error_t *refuse_system(const xf_wasm_memory_rule *rule, xf_wasm_memory_note *note)
{
    note->is_system_out = true;
    return rule->api->wasmtime_error_new("out of memory");
}

static uint8_t *get(void *env, size_t *ret_size, size_t *ret_capacity)
{
    const memory *it = env;
    *ret_size = it->size;
    *ret_capacity = it->capacity;
    return it->data;
}

static wasmtime_error_t *grow(void *env, size_t size)
{
    memory *it = env;
    if (!it->note->is_unlimited && size > it->rule->limit)
        return refuse_limit(it->rule, it->note);
    if (size > it->capacity) {
        void *data = mremap(it->data, it->capacity, size, MREMAP_MAYMOVE);
        if (data == MAP_FAILED)
            return refuse_system(it->rule, it->note);
        it->data = data;
        it->capacity = size;
    }
    it->size = size;
    return NULL;
}

static void clear(void *env)
{
    memory *it = env;
    (void)munmap(it->data, it->capacity);
    xf_free(it);
}

static wasmtime_error_t *make(void *env, const wasm_memorytype_t *type, size_t minimum,
                              size_t maximum, size_t reserved, size_t guard,
                              wasmtime_linear_memory_t *ret_memory)
{
    (void)type;
    (void)maximum;
    (void)reserved;
    (void)guard;
    const xf_wasm_memory_rule *rule = env;
    if (!current_note->is_unlimited && minimum > rule->limit)
        return refuse_limit(rule, current_note);
    memory *it = xf_alloc(sizeof(*it));
    if (!it)
        return refuse_system(rule, current_note);
    size_t capacity = minimum > 0 ? minimum : (size_t)sysconf(_SC_PAGESIZE);
    void *data = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) {
        xf_free(it);
        return refuse_system(rule, current_note);
    }
    *it = (memory){
        .rule = rule, .note = current_note, .data = data, .size = minimum, .capacity = capacity};
    *ret_memory = (wasmtime_linear_memory_t){.env = it,
                                             .get_memory = get,
                                             .grow_memory = grow,
                                             .finalizer = clear};
    return NULL;
}

wasmtime_memory_creator_t xf_wasm_memory_creator(const xf_wasm_memory_rule *rule)
{
    void *env;
    memcpy(&env, &rule, sizeof(env)); /* read only; the engine's struct has no const */
    return (wasmtime_memory_creator_t){.env = env, .new_memory = make};
}
