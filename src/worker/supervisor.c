#include "worker/supervisor.h"

#include "base/clock.h"
#include "os/end.h"

enum { KILLED_NONE, KILLED_SECOND, KILLED_BOTH };

void xf_supervisor_expect(xf_worker *worker)
{
    if (worker->answer_us == 0)
        worker->answer_us = xf_clock_now() + XF_ANSWER_LIMIT_US;
}

void xf_supervisor_excuse(xf_worker *worker)
{
    worker->answer_us = 0;
}

void xf_supervisor_judge(xf_worker *worker, int64_t now_us)
{
    if (worker->answer_us == 0 || now_us < worker->answer_us)
        return;
    if (worker->kills == KILLED_NONE)
        xf_child_kill_children(worker->supervisor, worker->supervisor_fd);
    else if (worker->kills == KILLED_SECOND)
        xf_child_kill(worker->supervisor_fd);
    worker->answer_us = worker->kills < KILLED_BOTH ? now_us + XF_ANSWER_LIMIT_US : 0;
    worker->kills++;
}
