// The end of the interpreter. Py_FinalizeEx() takes three milliseconds in a forked process, nearly all of it for taking
// apart modules that the template imported, each write to which copies a page; then the process ends, and the kernel
// frees it all anyway. What a program can see of it is done here in the interpreter's own order: threads are joined,
// pending calls and atexit functions run, the streams are flushed. The rest is left to the kernel, but only where the
// program has made nothing that would speak in it: an object with a finaliser, a weak reference with a callback, a
// thread, a hook. If there is any such thing, Py_FinalizeEx() itself is called, and does all of it.
//
// Both functions are reached through the linker's --wrap. C, since the interpreter's internal headers are no C++.
#define Py_BUILD_CORE 1
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_runtime.h>
#include <stdbool.h>
#include <stdlib.h>

#include "finalize.h"

int __real_Py_FinalizeEx(void);
int __wrap_Py_FinalizeEx(void);
_Noreturn void __wrap_Py_Exit(int status);
// In no header of 3.11: Modules/atexitmodule.c, Python/ceval.c.
void _PyAtExit_Call(PyInterpreterState* interpreter);
void _Py_FinishPendingCalls(PyThreadState* thread);

static bool quickly = false;

void outrigger_finalize_quickly(void) { quickly = true; }

// A type whose objects run code when they go: the program's, or the library's own that can be seen (files are written,
// `finally` runs in generators, warnings are given).
static bool type_speaks(const PyTypeObject* type) { return type->tp_finalize != NULL || type->tp_del != NULL; }

static bool object_speaks(PyObject* object) {
  if (type_speaks(Py_TYPE(object))) return true;
  // An object of a class with empty __slots__ is not known to the collector, but its class is.
  if (PyType_Check(object)) return type_speaks((PyTypeObject*)object);
  if (!PyWeakref_Check(object)) return false;
  // Weak references of the abstract base classes' caches call back into C, and say nothing.
  PyObject* callback = ((PyWeakReference*)object)->wr_callback;
  return callback != NULL && !PyCFunction_Check(callback);
}

// All containers that the program has made: the template's own are frozen, and not in this list.
static bool any_object_speaks(PyObject* gc) {
  PyObject* objects = PyObject_CallMethod(gc, "get_objects", NULL);
  if (objects == NULL) return true;
  bool speaks = false;
  const Py_ssize_t count = PyList_GET_SIZE(objects);
  for (Py_ssize_t i = 0; i < count && !speaks; ++i) speaks = object_speaks(PyList_GET_ITEM(objects, i));
  Py_DECREF(objects);
  return speaks;
}

static bool collector_is_watched(PyObject* gc) {
  PyObject* callbacks = PyObject_GetAttrString(gc, "callbacks");
  PyObject* debug = PyObject_CallMethod(gc, "get_debug", NULL);
  const bool watched = callbacks == NULL || debug == NULL || PyObject_Size(callbacks) != 0 || PyLong_AsLong(debug) != 0;
  Py_XDECREF(callbacks);
  Py_XDECREF(debug);
  return watched;
}

static bool somebody_can_tell(PyThreadState* thread) {
  PyInterpreterState* interpreter = thread->interp;
  const bool alone = interpreter->threads.head == thread && thread->next == NULL &&
                     PyInterpreterState_Head() == interpreter && PyInterpreterState_Next(interpreter) == NULL;
  const bool hooked = thread->c_tracefunc != NULL || thread->c_profilefunc != NULL ||
                      interpreter->audit_hooks != NULL || _PyRuntime.audit_hook_head != NULL;
  if (!alone || hooked) return true;
  PyObject* gc = PyImport_ImportModule("gc");
  const bool told = gc == NULL || collector_is_watched(gc) || any_object_speaks(gc);
  Py_XDECREF(gc);
  PyErr_Clear();
  return told;
}

// wait_for_thread_shutdown() of Python/pylifecycle.c.
static void join_threads(void) {
  PyObject* name = PyUnicode_FromString("threading");
  PyObject* threading = name == NULL ? NULL : PyImport_GetModule(name);
  Py_XDECREF(name);
  if (threading == NULL) {
    PyErr_Clear();
    return;
  }
  PyObject* joined = PyObject_CallMethod(threading, "_shutdown", NULL);
  if (joined == NULL) PyErr_WriteUnraisable(threading);
  Py_XDECREF(joined);
  Py_DECREF(threading);
}

static bool is_open(PyObject* file) {
  if (file == NULL || file == Py_None) return false;
  PyObject* closed = PyObject_GetAttrString(file, "closed");
  const int truth = closed == NULL ? -1 : PyObject_IsTrue(closed);
  if (truth < 0) PyErr_Clear();
  Py_XDECREF(closed);
  return truth <= 0;
}

// flush_std_files() of Python/pylifecycle.c: what stdout can't write is said, what stderr can't is not.
static int flush_streams(void) {
  int status = 0;
  PyObject* out = PySys_GetObject("stdout");
  if (is_open(out)) {
    PyObject* flushed = PyObject_CallMethod(out, "flush", NULL);
    if (flushed == NULL) {
      PyErr_WriteUnraisable(out);
      status = -1;
    }
    Py_XDECREF(flushed);
  }
  PyObject* err = PySys_GetObject("stderr");
  if (is_open(err)) {
    PyObject* flushed = PyObject_CallMethod(err, "flush", NULL);
    if (flushed == NULL) {
      PyErr_Clear();
      status = -1;
    }
    Py_XDECREF(flushed);
  }
  return status;
}

// What has run here is not run again by the real one: it finds no thread, no pending call and no function left.
int __wrap_Py_FinalizeEx(void) {
  if (!quickly || !Py_IsInitialized()) return __real_Py_FinalizeEx();
  PyThreadState* thread = PyThreadState_Get();
  join_threads();
  _Py_FinishPendingCalls(thread);
  _PyAtExit_Call(thread->interp);
  if (somebody_can_tell(thread)) return __real_Py_FinalizeEx();
  return flush_streams();
}

void __wrap_Py_Exit(int status) {
  if (__wrap_Py_FinalizeEx() < 0) status = 120;
  exit(status);
}
