#include "judge0/arguments.h"

namespace outrigger::judge0 {
namespace {

// Of POSIX.1-2017, "Shell & Utilities", 2.2: quoting, and no more.
class Splitter {
 public:
  void take(char c) {
    if (escaped_) {
      // Within double quotes a backslash stands for itself before all but these; a quoted line break is none.
      if (quote_ == '"' && c != '"' && c != '\\' && c != '\n') word_ += '\\';
      if (c != '\n') word_ += c;
      escaped_ = false;
    } else if (c == '\\' && quote_ != '\'') {
      escaped_ = begun_ = true;
    } else if (quote_ != 0) {
      if (c == quote_) {
        quote_ = 0;
      } else {
        word_ += c;
      }
    } else if (c == '\'' || c == '"') {
      quote_ = c;
      begun_ = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      end_word();
    } else {
      word_ += c;
      begun_ = true;
    }
  }
  std::vector<std::string> finish() {
    end_word();
    return std::move(words_);
  }

 private:
  void end_word() {
    if (begun_) words_.push_back(std::move(word_));
    word_.clear();
    begun_ = false;
  }

  std::vector<std::string> words_;
  std::string word_;
  bool begun_ = false;  // there is a word, which may be empty: ''
  bool escaped_ = false;
  char quote_ = 0;
};

}  // namespace

std::vector<std::string> split_arguments(std::string_view text) {
  static constexpr std::string_view kDropped = "$&;<>|`";
  Splitter splitter;
  for (const char c : text) {
    if (kDropped.find(c) == std::string_view::npos) splitter.take(c);
  }
  return splitter.finish();
}

}  // namespace outrigger::judge0
