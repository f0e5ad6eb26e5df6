#pragma once

#include <prometheus/metric_family.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sys/own_process.h"

// A page of metrics being written, from top to bottom.
namespace outrigger::families {

using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// A new family, still without series. The reference holds until the next one is begun.
prometheus::MetricFamily& begin_counter(Families& families, std::string name, std::string help);
prometheus::MetricFamily& begin_gauge(Families& families, std::string name, std::string help);
prometheus::MetricFamily& begin_histogram(Families& families, std::string name, std::string help);

// A series of a counter or a gauge. Exact up to 2^53.
void add(prometheus::MetricFamily& family, Labels labels, double value);
void add(prometheus::MetricFamily& family, Labels labels, std::uint64_t value);
// A series of a histogram of seconds. counts[i]: values up to bounds[i], that one included; the last: above all bounds.
void add(prometheus::MetricFamily& family, Labels labels, std::span<const double> bounds,
         std::span<const std::uint64_t> counts, std::chrono::microseconds sum);

// The program's own process, by the names that every client library gives them, so that ready-made dashboards find
// them. `whose`: "the daemon", as it stands in their help.
void add_process(Families& families, const sys::OwnProcess& process, const std::string& whose);

std::string to_text(const Families& families);

}  // namespace outrigger::families
