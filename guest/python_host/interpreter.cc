#include "interpreter.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>

#include "internals.h"
#include "jail/template.h"
#include "python.h"
#include "report.h"

extern char** environ;

namespace outrigger::guest {
namespace {

// What the interpreter says of its own failure goes to its stderr, which is a pipe here (main.cc).
[[noreturn]] void give_up(int log_fd, std::string_view what) {
  if (PyErr_Occurred() != nullptr) PyErr_Print();
  std::string text = "python_host: " + std::string(what) + "\n";
  (void)!::write(log_fd, text.data(), text.size());
  ::_exit(1);
}

std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at) all.emplace_back(*at);
  return all;
}

std::vector<std::string> module_names() {
  std::vector<std::string> names;
  PyObject* modules = PyImport_GetModuleDict();
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  for (Py_ssize_t at = 0; PyDict_Next(modules, &at, &key, &value) != 0;) {
    const char* name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : nullptr;
    if (name != nullptr) names.emplace_back(name);
  }
  PyErr_Clear();
  return names;
}

std::string top_level(const std::string& name) { return name.substr(0, name.find('.')); }

// Calls "package.module:function" or "module:object.method", without arguments.
bool call(const std::string& what) {
  const std::size_t colon = what.find(':');
  if (colon == std::string::npos) return false;
  Reference at(PyImport_ImportModule(what.substr(0, colon).c_str()));
  for (std::size_t from = colon + 1; at && from <= what.size();) {
    const std::size_t dot = std::min(what.find('.', from), what.size());
    at.reset(PyObject_GetAttrString(at.get(), what.substr(from, dot - from).c_str()));
    from = dot + 1;
  }
  if (!at) return false;
  return Reference(PyObject_CallNoArgs(at.get())) != nullptr;
}

// Appends to a list of sys, where a program has put nothing else in its place yet.
void extend_list(const char* name, const Program& program) {
  PyObject* list = PySys_GetObject(name);
  if (list == nullptr || !PyList_Check(list)) return;
  for (unsigned i = program.command_argc; i < program.argc; ++i) {
    const Reference argument(PyUnicode_DecodeFSDefault(program.argv[i]));
    if (!argument || PyList_Append(list, argument.get()) != 0) PyErr_Clear();
  }
}

// Through os.environb, which sets the process's own variables too.
bool replace_environment(char* const* variables) {
  const Reference os(PyImport_ImportModule("os"));
  if (!os) return false;
  const Reference environ_object(PyObject_GetAttrString(os.get(), "environ"));
  const Reference bytes_object(PyObject_GetAttrString(os.get(), "environb"));
  if (!environ_object || !bytes_object) return false;
  const Reference cleared(PyObject_CallMethod(environ_object.get(), "clear", nullptr));
  if (!cleared) return false;
  for (; *variables != nullptr; ++variables) {
    const std::string_view variable(*variables);
    const std::size_t equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    const Reference name(PyBytes_FromStringAndSize(variable.data(), static_cast<Py_ssize_t>(equals)));
    const Reference value(PyBytes_FromString(*variables + equals + 1));
    if (!name || !value || PyObject_SetItem(bytes_object.get(), name.get(), value.get()) != 0) return false;
  }
  return true;
}

// fork() leaves out the page tables of mappings that hold no page of the process's own: what is only read from a file
// can be read again. Each of those pages is then a fault in the child, a quarter of all it has. A mapping of which one
// page is the process's own is copied with all that was read: so a byte of each is written over with itself.
void own_a_page_of_each_mapping() {
  const int memory = ::open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0;
    unsigned long inode = 0;
    std::array<char, 8> mode{};
    if (std::sscanf(line.c_str(), "%lx-%*x %7s %*s %*s %lu", &from, mode.data(), &inode) != 3) continue;
    if (inode == 0 || mode[0] != 'r' || mode[3] != 'p') continue;
    char byte = 0;
    const auto at = static_cast<off_t>(from);
    if (::pread(memory, &byte, 1, at) == 1) (void)!::pwrite(memory, &byte, 1, at);  // only a matter of speed
  }
  ::close(memory);
}

PyStatus initialize(int argc, char** argv) {
  PyPreConfig preconfig;
  PyPreConfig_InitPythonConfig(&preconfig);
  PyStatus status = Py_PreInitializeFromBytesArgs(&preconfig, argc, argv);
  if (PyStatus_Exception(status) != 0) return status;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  status = PyConfig_SetBytesArgv(&config, argc, argv);
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  return status;
}

}  // namespace

Interpreter::Interpreter(int argc, char** argv, int log_fd) : log_fd_(log_fd), start_environment_(environment()) {
  const PyStatus status = initialize(argc, argv);
  if (PyStatus_Exception(status) != 0) {
    give_up(log_fd_, std::string("start: ") + (status.err_msg != nullptr ? status.err_msg : "exit"));
  }
  const std::vector<std::string> before = module_names();
  import_all();
  note_imported_names(before);
  make_cheap_to_fork();
  (void)outrigger_finalize_quickly();  // a matter of speed
}

// Lines of "import NAME" and "call MODULE:FUNCTION"; the latter are for after_fork().
void Interpreter::import_all() {
  std::ifstream file(jail::kImportsFile);
  std::string verb;
  std::string what;
  while (file >> verb >> what) {
    if (verb == "call") {
      after_fork_calls_.push_back(what);
    } else if (!Reference(PyImport_ImportModule(what.c_str()))) {
      give_up(log_fd_, "import " + what);
    }
  }
  ::unlink(jail::kImportsFile);
}

void Interpreter::note_imported_names(const std::vector<std::string>& before) {
  for (const std::string& name : module_names()) {
    const std::string top = top_level(name);
    const auto same = [&top](const std::string& one) { return top_level(one) == top; };
    if (std::ranges::none_of(before, same)) imported_.push_back(top);
  }
  std::ranges::sort(imported_);
  imported_.erase(std::ranges::unique(imported_).begin(), imported_.end());
}

// What a child writes to is copied, a page at a time: so nothing is written to that need not be.
void Interpreter::make_cheap_to_fork() {
  // The first compile() builds the types of the syntax tree; that takes two milliseconds.
  const Reference builtins(PyImport_ImportModule("builtins"));
  const Reference compiled(PyObject_CallMethod(builtins.get(), "compile", "sss", "pass", "", "exec"));
  if (!compiled) give_up(log_fd_, "compile");
  if (!outrigger_freeze_objects()) give_up(log_fd_, "gc.freeze");
  own_a_page_of_each_mapping();
  // Small blocks freed here would be handed out in the child, from pages all over the heap.
  ::mallopt(M_MXFAST, 0);
  ::malloc_trim(0);
}

void Interpreter::after_fork() {
  outrigger_after_fork();
  for (const std::string& what : after_fork_calls_) {
    if (!call(what)) fail(jail::failed(jail::Step::kStartHost, EINVAL));
  }
}

void Interpreter::warm_up() {
  constexpr const char* kProgram =
      "class A:\n def f(self, *a, **k):\n  return [x for x in a if x] or {1: '%s' % a[0]}\n"
      "try:\n print(A().f(0)[1][:0], end='')\nexcept ValueError:\n pass\n";
  const Reference builtins(PyImport_ImportModule("builtins"));
  const Reference names(PyDict_New());
  const Reference name(PyUnicode_FromString("__main__"));
  if (builtins && names && name) {
    PyDict_SetItemString(names.get(), "__builtins__", builtins.get());
    PyDict_SetItemString(names.get(), "__name__", name.get());
    const Reference code(Py_CompileString(kProgram, "main.py", Py_file_input));
    if (code) const Reference result(PyEval_EvalCode(code.get(), names.get(), names.get()));
  }
  // As for the main program; the answer is not kept, since the file is not there yet.
  const std::string main_path = std::string(jail::kWorkDir) + "/main.py";
  const Reference path(PyUnicode_FromString(main_path.c_str()));
  if (path) const Reference importer(PyImport_GetImporter(path.get()));
  PyObject* cache = PySys_GetObject("path_importer_cache");
  if (path && cache != nullptr && PyDict_Check(cache)) PyDict_DelItem(cache, path.get());
  PyObject* out = PySys_GetObject("stdout");
  if (out != nullptr) const Reference flushed(PyObject_CallMethod(out, "flush", nullptr));
  PyErr_Clear();
}

void Interpreter::adopt(const Program& program) {
  extend_list("argv", program);
  extend_list("orig_argv", program);
  std::vector<std::string> wanted;
  for (char* const* at = program.envp; *at != nullptr; ++at) wanted.emplace_back(*at);
  if (wanted == start_environment_) return;
  if (!replace_environment(program.envp)) fail(jail::failed(jail::Step::kStartHost, EINVAL));
}

bool Interpreter::is_shadowed_by(const std::string& directory) const {
  DIR* listing = ::opendir(directory.c_str());
  if (listing == nullptr) return false;
  bool found = false;
  while (const dirent* entry = found ? nullptr : ::readdir(listing)) {  // NOLINT(concurrency-mt-unsafe): one thread
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    found = std::ranges::binary_search(imported_, top_level(name)) ||
            (entry->d_type == DT_DIR && is_shadowed_by(directory + "/" + name));
  }
  ::closedir(listing);
  return found;
}

int Interpreter::run() { return Py_RunMain(); }

}  // namespace outrigger::guest
