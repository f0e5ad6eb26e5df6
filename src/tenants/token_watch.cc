#include "tenants/token_watch.h"

#include "base/log.h"

namespace outrigger::tenants {

base::Status TokenWatch::load() { return read(); }

base::Status TokenWatch::read() {
  auto content = file_.read();
  if (!content) return std::unexpected(content.error());
  if (!*content) {
    seen_.reset();
    if (!had_file_) return {};
    return base::failure(base::Code::kNotFound, "tokens_file",
                         file_.path() + " is gone; to let nobody in any more, revoke the tokens");
  }
  had_file_ = true;
  seen_ = (*content)->state;
  auto list = parse_tokens((*content)->text, file_.path());
  if (!list) return std::unexpected(list.error());
  const std::size_t tokens = list->tokens.size();
  guard_.replace(std::move(*list));
  base::log(base::Level::kInfo, "tokens_read", {{"file", file_.path()}, {"tokens", std::to_string(tokens)}});
  return {};
}

void TokenWatch::look() {
  const auto now = file_.look();
  base::Status done;
  if (!now) {
    done = std::unexpected(now.error());
  } else if (*now == seen_ && (seen_ || !had_file_)) {
    return;  // nothing has changed, and so has what is wrong with it
  } else {
    done = read();
  }
  std::string trouble = done ? std::string() : done.error().text();
  if (!trouble.empty() && trouble != trouble_) {
    base::log(base::Level::kError, "tokens_not_read",
              {{"error", trouble}, {"consequence", "what the file said before goes on to hold"}});
  }
  trouble_ = std::move(trouble);
}

}  // namespace outrigger::tenants
