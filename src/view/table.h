#pragma once

#include <string>

#include "view/report.h"

namespace outrigger::view {

struct TableStyle {
  bool colour = false;
  bool history = false;          // a line of the last minute beside each job
  Order order = Order::kMemory;  // whose history that is
  std::size_t max_jobs = 0;      // rows; 0: all
};

// The table for people: a row a job, then the line of all together. Each line ends with a newline.
std::string to_table(const Report& report, const TableStyle& style);

// Whether colours are wanted there: a terminal, and no NO_COLOR (https://no-color.org).
bool wants_colour(int fd);

}  // namespace outrigger::view
