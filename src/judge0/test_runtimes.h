#pragma once

#include <vector>

#include "model/runtime.h"

namespace outrigger::judge0 {

inline std::vector<model::InstalledRuntime> test_runtimes() {
  model::InstalledRuntime python;
  python.runtime.name = "python";
  python.runtime.source_file = "main.py";
  python.runtime.command = {"/usr/bin/python3", "main.py"};
  python.image_path = "/images/standard";
  python.version = "3.11.2-1+b1";
  model::InstalledRuntime node;
  node.runtime.name = "node";
  node.runtime.source_file = "main.js";
  node.image_path = "/images/standard";
  node.version = "18.20.4+dfsg-1";
  model::InstalledRuntime cpp;
  cpp.runtime.name = "cpp";
  return {python, node, cpp};
}

}  // namespace outrigger::judge0
