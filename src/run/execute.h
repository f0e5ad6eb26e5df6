#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <vector>

#include "jailer/client.h"
#include "model/job.h"
#include "model/outcome.h"
#include "model/runtime.h"
#include "run/attendance.h"

namespace outrigger::run {

// Runs one job in a fresh jail to its end: hands the program over, feeds and drains, watches the limits, the filter and
// the caller, and returns when nothing of the jail lives any more and its counters were read for the last time. The
// jail's groups are still there; the caller destroys the jail afterwards. Everything by reference must outlive the
// call.
//
// `listener`: that of a jail primed before (run/prime.h), whose time and CPU count from now; invalid for a jail that is
// still building itself, whose count begins when it says that it is ready.
//
// `handed_over` is called once, when the program has been written to the jail: time for what need not delay it.
boost::asio::awaitable<model::Outcome> execute(jailer::Client& jailer, jailer::Jail jail, base::UniqueFd listener,
                                               const model::Job& job, const model::Runtime& runtime,
                                               Attendance attendance, std::function<void()> handed_over);

// What a job gets of the files it asked for where no jail could be had for it: of each that it is lost.
std::vector<model::CollectedFile> lost_files(const model::Job& job);

}  // namespace outrigger::run
