#pragma once

// CPython's headers, which need this first and are not ours to warn about.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <memory>

namespace outrigger::guest {

struct DropReference {
  void operator()(PyObject* object) const { Py_XDECREF(object); }
};
using Reference = std::unique_ptr<PyObject, DropReference>;

}  // namespace outrigger::guest
