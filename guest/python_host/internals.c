// Theory of operation
//
// The end of the interpreter: Py_FinalizeEx() takes three milliseconds in a forked process, nearly all of it for taking
// apart modules that the template imported, each write to which copies a page; then the process ends, and the kernel
// frees it all anyway. What a program can see of it is done here in the interpreter's own order: threads are joined,
// pending calls and atexit functions run, the streams are flushed. The rest is left to the kernel, but only where the
// program has made nothing that would speak in it: an object with a finaliser, a weak reference with a callback, a
// thread, a hook. If there is any such thing, Py_FinalizeEx() itself is called, and does all of it.
//
// The interpreter calls Py_FinalizeEx() and Py_Exit() directly, so the first bytes of both are replaced by a jump to
// ours; where the real one is wanted, its bytes are put back.
//
// C, since the interpreter's internal headers are no C++.
#define Py_BUILD_CORE 1
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <internal/pycore_interp.h>
#include <internal/pycore_pystate.h>
#include <internal/pycore_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internals.h"

enum { kJumpBytes = 12 };

static uint8_t finalize_bytes[kJumpBytes];  // those that were Py_FinalizeEx's first
static bool ended_quickly = false;
static PyObject* collector = NULL;  // the module gc; imported in the template, since an import can be seen by a tracer

// A module that has been imported, borrowed; else nothing.
static PyObject* imported(const char* name) { return PyDict_GetItemString(PyImport_GetModuleDict(), name); }

bool outrigger_ended_quickly(void) { return ended_quickly; }

// Two pages, in case the bytes lie over a border.
static bool write_code(void* function, const uint8_t* bytes) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void* start = (void*)((uintptr_t)function & ~(page - 1));
  if (mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  memcpy(function, bytes, kJumpBytes);
  return mprotect(start, 2 * page, PROT_READ | PROT_EXEC) == 0;
}

static bool jump_from(void* function, void* target) {
  uint8_t code[kJumpBytes] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};  // movabs $target, %rax; jmp *%rax
  memcpy(code + 2, &target, sizeof target);
  return write_code(function, code);
}

// The internal structures that are looked at are those of 3.11, where they have not moved since its release.
static bool is_the_one_known(void) {
  PyInterpreterState* interpreter = PyInterpreterState_Main();
  return strncmp(Py_GetVersion(), "3.11.", 5) == 0 && interpreter->threads.head == PyThreadState_Get() &&
         interpreter->audit_hooks == NULL && _PyRuntime.audit_hook_head == NULL;
}

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
static bool any_object_speaks(void) {
  PyObject* objects = PyObject_CallMethod(collector, "get_objects", NULL);
  if (objects == NULL) return true;
  bool speaks = false;
  const Py_ssize_t count = PyList_GET_SIZE(objects);
  for (Py_ssize_t i = 0; i < count && !speaks; ++i) speaks = object_speaks(PyList_GET_ITEM(objects, i));
  Py_DECREF(objects);
  return speaks;
}

static bool collector_is_watched(void) {
  PyObject* callbacks = PyObject_GetAttrString(collector, "callbacks");
  PyObject* debug = PyObject_CallMethod(collector, "get_debug", NULL);
  const bool watched = callbacks == NULL || debug == NULL || PyObject_Size(callbacks) != 0 || PyLong_AsLong(debug) != 0;
  Py_XDECREF(callbacks);
  Py_XDECREF(debug);
  return watched;
}

// Foreign functions may have left anything to be done at the end. A library that the template imported may use them
// too, but not for that.
static const char* const kForeign[] = {"ctypes", "_cffi_backend"};
static bool imported_by_template[sizeof kForeign / sizeof *kForeign];

static bool foreign_functions_were_loaded(void) {
  for (size_t i = 0; i < sizeof kForeign / sizeof *kForeign; ++i) {
    if (!imported_by_template[i] && imported(kForeign[i]) != NULL) return true;
  }
  return false;
}

static bool somebody_can_tell(PyThreadState* thread) {
  PyInterpreterState* interpreter = thread->interp;
  const bool alone = PyInterpreterState_ThreadHead(interpreter) == thread && PyThreadState_Next(thread) == NULL &&
                     PyInterpreterState_Head() == interpreter && PyInterpreterState_Next(interpreter) == NULL;
  const bool hooked = thread->c_tracefunc != NULL || thread->c_profilefunc != NULL ||
                      interpreter->audit_hooks != NULL || _PyRuntime.audit_hook_head != NULL;
  if (!alone || hooked || foreign_functions_were_loaded()) return true;
  const bool told = collector_is_watched() || any_object_speaks();
  PyErr_Clear();
  return told;
}

// wait_for_thread_shutdown() of Python/pylifecycle.c.
static void join_threads(void) {
  PyObject* threading = imported("threading");
  if (threading == NULL) return;
  Py_INCREF(threading);  // what it joins may remove it
  PyObject* joined = PyObject_CallMethod(threading, "_shutdown", NULL);
  if (joined == NULL) PyErr_WriteUnraisable(threading);
  Py_XDECREF(joined);
  Py_DECREF(threading);
}

static void run_exit_functions(void) {
  PyObject* atexit = imported("atexit");
  if (atexit == NULL) return;
  PyObject* run = PyObject_CallMethod(atexit, "_run_exitfuncs", NULL);
  if (run == NULL) PyErr_Clear();
  Py_XDECREF(run);
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
static int finalize(void) {
  PyThreadState* thread = PyThreadState_Get();
  join_threads();
  (void)Py_MakePendingCalls();
  run_exit_functions();
  if (!somebody_can_tell(thread)) {
    ended_quickly = true;
    return flush_streams();
  }
  // The collector finds what is left in the main module's names only if it may look at them.
  Py_XDECREF(PyObject_CallMethod(collector, "unfreeze", NULL));
  PyErr_Clear();
  if (!write_code((void*)Py_FinalizeEx, finalize_bytes)) abort();
  return Py_FinalizeEx();
}

static _Noreturn void finalize_and_exit(int status) {
  if (Py_FinalizeEx() < 0) status = 120;
  if (!ended_quickly) exit(status);
  fflush(NULL);
  _exit(status);
}

bool outrigger_freeze_objects(void) {
  const bool was_imported = imported("gc") != NULL;
  collector = PyImport_ImportModule("gc");
  if (collector == NULL) return false;
  if (!was_imported) (void)PyDict_DelItemString(PyImport_GetModuleDict(), "gc");
  PyObject* collected = PyObject_CallMethod(collector, "collect", NULL);
  PyObject* frozen = collected == NULL ? NULL : PyObject_CallMethod(collector, "freeze", NULL);
  Py_XDECREF(collected);
  Py_XDECREF(frozen);
  return frozen != NULL;
}

bool outrigger_finalize_quickly(void) {
  if (collector == NULL || !is_the_one_known()) return false;
  for (size_t i = 0; i < sizeof kForeign / sizeof *kForeign; ++i)
    imported_by_template[i] = imported(kForeign[i]) != NULL;
  memcpy(finalize_bytes, (const void*)Py_FinalizeEx, kJumpBytes);
  return jump_from((void*)Py_FinalizeEx, (void*)finalize) && jump_from((void*)Py_Exit, (void*)finalize_and_exit);
}

static bool is_of(PyObject* function, const char* module) {
  PyObject* name = PyObject_GetAttrString(function, "__module__");
  const bool same = name != NULL && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, module) == 0;
  Py_XDECREF(name);
  PyErr_Clear();
  return same;
}

// threading.main_thread().native_id is that of the template's.
static void renew_native_id(void) {
  PyObject* threading = imported("threading");
  if (threading == NULL) return;
  PyObject* thread = PyObject_CallMethod(threading, "main_thread", NULL);
  PyObject* done = thread == NULL ? NULL : PyObject_CallMethod(thread, "_set_native_id", NULL);
  if (done == NULL) PyErr_WriteUnraisable(threading);
  Py_XDECREF(done);
  Py_XDECREF(thread);
}

void outrigger_after_fork(void) {
  PyObject* functions = is_the_one_known() ? PyInterpreterState_Main()->after_forkers_child : NULL;
  if (functions == NULL || !PyList_Check(functions)) return PyOS_AfterFork_Child();
  renew_native_id();
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(functions); ++i) {
    PyObject* function = PyList_GET_ITEM(functions, i);
    if (is_of(function, "threading") || is_of(function, "logging")) continue;
    PyObject* result = PyObject_CallNoArgs(function);
    if (result == NULL) PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
  }
}
