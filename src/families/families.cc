#include "families/families.h"

#include <prometheus/text_serializer.h>

#include <limits>

namespace outrigger::families {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily& begin(Families& families, MetricType type, std::string name, std::string help) {
  MetricFamily& family = families.emplace_back();
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  return family;
}

ClientMetric& add_series(MetricFamily& family, Labels labels) {
  ClientMetric& series = family.metric.emplace_back();
  for (const auto& [name, value] : labels) series.label.push_back({std::string(name), std::string(value)});
  return series;
}

}  // namespace

MetricFamily& begin_counter(Families& families, std::string name, std::string help) {
  return begin(families, MetricType::Counter, std::move(name), std::move(help));
}

MetricFamily& begin_gauge(Families& families, std::string name, std::string help) {
  return begin(families, MetricType::Gauge, std::move(name), std::move(help));
}

MetricFamily& begin_histogram(Families& families, std::string name, std::string help) {
  return begin(families, MetricType::Histogram, std::move(name), std::move(help));
}

void add(MetricFamily& family, Labels labels, double value) {
  ClientMetric& series = add_series(family, labels);
  if (family.type == MetricType::Counter) {
    series.counter.value = value;
  } else {
    series.gauge.value = value;
  }
}

void add(MetricFamily& family, Labels labels, std::uint64_t value) { add(family, labels, static_cast<double>(value)); }

void add(MetricFamily& family, Labels labels, std::span<const double> bounds, std::span<const std::uint64_t> counts,
         std::chrono::microseconds sum) {
  ClientMetric::Histogram& shown = add_series(family, labels).histogram;
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    so_far += counts[i];
    shown.bucket.push_back({so_far, i < bounds.size() ? bounds[i] : std::numeric_limits<double>::infinity()});
  }
  shown.sample_count = so_far;
  shown.sample_sum = std::chrono::duration<double>(sum).count();
}

void add_process(Families& families, const sys::OwnProcess& process, const std::string& whose) {
  const auto seconds = [](std::chrono::microseconds time) { return std::chrono::duration<double>(time).count(); };
  add(begin_gauge(families, "process_start_time_seconds", "When " + whose + " started, in seconds since 1970."), {},
      seconds(process.started_at));
  add(begin_counter(families, "process_cpu_seconds_total",
                    "CPU time of " + whose + ", user and system; not of the jobs."),
      {}, seconds(process.cpu_time));
  add(begin_gauge(families, "process_resident_memory_bytes", "Resident memory of " + whose + "; not of the jobs."), {},
      process.resident_bytes);
  add(begin_gauge(families, "process_open_fds", "File descriptors " + whose + " has open."), {}, process.open_fds);
  add(begin_gauge(families, "process_max_fds", "File descriptors " + whose + " may have open."), {}, process.max_fds);
}

std::string to_text(const Families& families) { return prometheus::TextSerializer().Serialize(families); }

}  // namespace outrigger::families
