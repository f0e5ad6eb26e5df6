#pragma once

#include <prometheus/metric_family.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pool/job_counters.h"

// A page of metrics being written, from top to bottom.
namespace outrigger::metrics {

using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// A new family, still without series. The reference holds until the next one is begun.
prometheus::MetricFamily& begin_counter(Families& families, std::string name, std::string help);
prometheus::MetricFamily& begin_gauge(Families& families, std::string name, std::string help);
prometheus::MetricFamily& begin_histogram(Families& families, std::string name, std::string help);

// A series of a counter or a gauge. Exact up to 2^53.
void add(prometheus::MetricFamily& family, Labels labels, double value);
void add(prometheus::MetricFamily& family, Labels labels, std::uint64_t value);
// A series of a histogram of seconds.
void add(prometheus::MetricFamily& family, Labels labels, const pool::Histogram& histogram);

std::string to_text(const Families& families);

}  // namespace outrigger::metrics
