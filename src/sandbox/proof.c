#include "sandbox/proof.h"

#include "base/layers.h"

/* Who makes the layer, which tells when it is promised and what to do without it. */
typedef enum maker {
    BUBBLEWRAP,
    LIMITS,
    FILTERS,
    LANDLOCK,
} maker;

static const char *const advice[] = {
    [BUBBLEWRAP] = "use the bubblewrap of the system's package, without a wrapper around it",
    [LIMITS] = "use a kernel that keeps RLIMIT_DATA (Linux 4.7 or newer)",
    [FILTERS] = "use a kernel with seccomp filters, and the bubblewrap of the system's package",
    [LANDLOCK] = "use a kernel whose Landlock works, or boot it without Landlock",
};

static const struct {
    uint32_t bit;
    maker made_by;
    xf_optional_layer layer;
    const char *name;
    const char *seen;
} proofs[] = {
    {XF_PROOF_VIEW, BUBBLEWRAP, XF_WITH_MOUNTS, "the view of files",
     "a file of the host could be seen"},
    {XF_PROOF_READ_ONLY, BUBBLEWRAP, XF_WITH_READ_ONLY_ROOT, "the read-only root",
     "/ could be written"},
    {XF_PROOF_TMP, BUBBLEWRAP, XF_WITH_TMPFS_SIZE, "the size of /tmp", "it has none"},
    {XF_PROOF_PROCESSES, BUBBLEWRAP, XF_WITH_PID_NAMESPACE, "the process namespace",
     "it is not a new one"},
    {XF_PROOF_SESSION, BUBBLEWRAP, XF_WITH_SESSION, "the session", "it is not a new one"},
    {XF_PROOF_USER, BUBBLEWRAP, XF_WITH_ALWAYS, "the user namespace",
     "the worker had another user or a privilege"},
    {XF_PROOF_CONNECT, FILTERS, XF_WITH_FILTER, "the first system call filter",
     "a connection could be tried"},
    {XF_PROOF_LOCAL_SOCKET, FILTERS, XF_WITH_FILTER, "the first system call filter",
     "a local socket could be made"},
    {XF_PROOF_TERMINAL, FILTERS, XF_WITH_FILTER, "the first system call filter",
     "a terminal could be typed into"},
    {XF_PROOF_FORK, FILTERS, XF_WITH_SEAL, "the late system call filter",
     "a process could be started"},
    {XF_PROOF_EXECUTE, FILTERS, XF_WITH_SEAL, "the late system call filter",
     "a program could be started"},
    {XF_PROOF_SIGNAL, FILTERS, XF_WITH_SEAL, "the late system call filter",
     "a signal could be sent"},
    {XF_PROOF_CHANGE, FILTERS, XF_WITH_SEAL, "the late system call filter",
     "the confinement could be changed"},
    {XF_PROOF_SHARED_MEMORY, FILTERS, XF_WITH_SEAL, "the late system call filter",
     "memory could be had that no limit counts"},
    {XF_PROOF_MEMORY, LIMITS, XF_WITH_RLIMITS, "the memory limit", "any amount could be had"},
    {XF_PROOF_FILES, LANDLOCK, XF_WITH_LANDLOCK, "Landlock", "/ could be listed"},
    {XF_PROOF_SCOPES, LANDLOCK, XF_WITH_LANDLOCK, "Landlock", "a signal could be sent"},
};
#define PROOF_COUNT (sizeof(proofs) / sizeof(proofs[0]))

#define MEMORY_OF_THE_ATTEMPT (UINT64_C(1) << 46)

static bool is_promised(const xf_policy *policy, size_t i)
{
    if (proofs[i].bit == XF_PROOF_FILES)
        return (policy->landlock & XF_LAYER_FILES) && policy->confinement == XF_CONFINED;
    if (proofs[i].bit == XF_PROOF_SCOPES)
        return policy->landlock & XF_LAYER_SCOPES;
    if (proofs[i].bit == XF_PROOF_TMP && policy->tmp_bytes == 0)
        return false;
    if (proofs[i].bit == XF_PROOF_MEMORY)
        return policy->memory_bytes < MEMORY_OF_THE_ATTEMPT / 2;
    return proofs[i].made_by != BUBBLEWRAP || policy->confinement == XF_CONFINED;
}

/* Some attempts measure one layer by the marks of another. */
static bool can_be_tried(size_t i)
{
    if (proofs[i].bit == XF_PROOF_TMP && !xf_has_layer(XF_WITH_RLIMITS))
        return false;
    if (proofs[i].bit == XF_PROOF_SESSION && !xf_has_layer(XF_WITH_PID_NAMESPACE))
        return false;
    return xf_has_layer(proofs[i].layer);
}

uint32_t xf_proof_promise(const xf_policy *policy)
{
    uint32_t promised = 0;
    if (policy->confinement == XF_TRUSTED || !xf_has_layer(XF_WITH_SEAL))
        return promised; /* nobody tries */
    for (size_t i = 0; i < PROOF_COUNT; i++) {
        if (can_be_tried(i) && is_promised(policy, i))
            promised |= proofs[i].bit;
    }
    return promised;
}

extfn_status xf_proof_missing(uint32_t missing, extfn_error *err)
{
    size_t i = 0;
    while (i < PROOF_COUNT - 1 && !(missing & proofs[i].bit))
        i++;
    return xf_fail(err, EXTFN_ESANDBOX, "sandbox unavailable: %s does not hold here: %s; %s",
                   proofs[i].name, proofs[i].seen, advice[proofs[i].made_by]);
}
