#include "tenants/token_editor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "sys/small_file.h"

namespace outrigger::tenants {
namespace {

constexpr std::string_view kStep = "tokens_file";

base::Status make_directory(const std::filesystem::path& path, gid_t group) {
  std::error_code ec;
  std::filesystem::create_directories(path.parent_path(), ec);
  if (::mkdir(path.c_str(), 0700) != 0) {
    if (errno == EEXIST) return {};
    return base::system_error(kStep, path.string());
  }
  if (::chown(path.c_str(), static_cast<uid_t>(-1), group) != 0) return base::system_error(kStep, path.string());
  if (::chmod(path.c_str(), kDirectoryMode) != 0) return base::system_error(kStep, path.string());
  return {};
}

base::Result<base::UniqueFd> take_lock(const TokenFile& file) {
  const std::string name = "." + file.name() + ".lock";
  auto lock = sys::open_at(file.directory(), name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
  if (!lock) return base::system_error(kStep, file.path(), lock.error().errno_value);
  while (::flock(lock->get(), LOCK_EX) != 0) {
    if (errno != EINTR) return base::system_error(kStep, file.path());
  }
  return lock;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The line whose content is a T that `matches`.
template <typename T, typename Matches>
std::vector<std::string>::iterator find_line(std::vector<std::string>& lines, Matches matches) {
  return std::ranges::find_if(lines, [&matches](const std::string& text) {
    const auto line = parse_line(text);
    const T* found = line ? std::get_if<T>(&*line) : nullptr;
    return found != nullptr && matches(*found);
  });
}

}  // namespace

TokenEditor::TokenEditor(TokenFile file, base::UniqueFd lock, gid_t group, std::string text, TokenList list)
    : file_(std::move(file)), lock_(std::move(lock)), group_(group), lines_(lines_of(text)), list_(std::move(list)) {}

base::Result<TokenEditor> TokenEditor::open(const std::filesystem::path& path, gid_t group) {
  if (const auto made = make_directory(path.parent_path(), group); !made) return std::unexpected(made.error());
  auto file = TokenFile::open(path);
  if (!file) return std::unexpected(file.error());
  auto lock = take_lock(*file);
  if (!lock) return std::unexpected(lock.error());
  auto content = file->read();
  if (!content) return std::unexpected(content.error());
  std::string text = *content ? std::move((*content)->text) : std::string();
  auto list = parse_tokens(text, file->path());
  if (!list) return std::unexpected(list.error());
  return TokenEditor(std::move(*file), std::move(*lock), group, std::move(text), std::move(*list));
}

void TokenEditor::add(const Token& token) {
  lines_.push_back(line_of(token));
  list_.tokens.push_back(token);
}

bool TokenEditor::revoke(std::string_view id, std::chrono::system_clock::time_point now) {
  const auto token = std::ranges::find(list_.tokens, id, &Token::id);
  if (token == list_.tokens.end() || token->revoked) return false;
  const auto line = find_line<Token>(lines_, [id](const Token& each) { return each.id == id; });
  token->revoked = now;
  *line = line_of(*token);
  return true;
}

void TokenEditor::set_quotas(const std::string& tenant, const Quotas& quotas) {
  const auto line = find_line<TenantQuotas>(lines_, [&tenant](const TenantQuotas& of) { return of.tenant == tenant; });
  if (line != lines_.end()) lines_.erase(line);
  list_.quotas.erase(tenant);
  if (is_empty(quotas)) return;
  lines_.push_back(line_of(TenantQuotas{tenant, quotas}));
  list_.quotas[tenant] = quotas;
}

base::Status TokenEditor::save() {
  std::string text;
  for (const std::string& line : lines_) text += line + '\n';
  const auto saved = sys::replace_file_durably_at(file_.directory(), file_.name().c_str(), text, 0640, group_);
  if (!saved) return base::system_error(kStep, file_.path(), saved.error().errno_value);
  return {};
}

}  // namespace outrigger::tenants
