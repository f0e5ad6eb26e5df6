#include <algorithm>

#include "cli/print.h"
#include "cli/tokens_place.h"
#include "cli/verbs.h"

namespace outrigger::cli {

int perform(const TokenRevokeOptions& options) {
  auto editor = edit_tokens(options);
  if (!editor) return fail(editor.error(), options.json);
  const auto& tokens = editor->list().tokens;
  if (std::ranges::find(tokens, options.id, &tenants::Token::id) == tokens.end()) {
    return fail({"not_found", "there is no token " + options.id + "; see `outrigger token list`", "id"}, options.json);
  }
  // Of one that is revoked already the file says when, and goes on to.
  if (editor->revoke(options.id, std::chrono::system_clock::now())) {
    if (const auto saved = editor->save(); !saved) return fail(tokens_error(saved.error()), options.json);
  }
  if (options.json) {
    wire::JsonWriter writer;
    writer.begin_object().key("id").text(options.id).key("revoked").boolean(true).end_object();
    return print_line(writer.take());
  }
  complain("token " + options.id + " is revoked; a running daemon knows within a second");
  return 0;
}

}  // namespace outrigger::cli
