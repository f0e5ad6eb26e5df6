#include "metrics/families.h"

#include <prometheus/text_serializer.h>

#include <limits>

namespace outrigger::metrics {
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

void add(MetricFamily& family, Labels labels, const pool::Histogram& histogram) {
  ClientMetric::Histogram& shown = add_series(family, labels).histogram;
  const auto bounds = histogram.bounds();
  const auto counts = histogram.counts();
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    so_far += counts[i];
    shown.bucket.push_back({so_far, i < bounds.size() ? bounds[i] : std::numeric_limits<double>::infinity()});
  }
  shown.sample_count = so_far;
  shown.sample_sum = std::chrono::duration<double>(histogram.sum()).count();
}

std::string to_text(const Families& families) { return prometheus::TextSerializer().Serialize(families); }

}  // namespace outrigger::metrics
