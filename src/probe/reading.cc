#include "probe/reading.h"

namespace outrigger::probe {

std::string_view absence_text(Absence absence) {
  switch (absence) {
    case Absence::kNotRead: return "not read";
    case Absence::kNoFile: return "this kernel or controller has no such file";
    case Absence::kNoKey: return "the file has no such key";
    case Absence::kMalformed: return "the file holds something else than a number";
    case Absence::kNoLimit: return "no limit is set";
    case Absence::kDenied: return "the kernel refused to show it";
  }
  return "";
}

}  // namespace outrigger::probe
