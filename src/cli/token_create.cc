#include "cli/print.h"
#include "cli/tokens_place.h"
#include "cli/verbs.h"
#include "digest/digest.h"
#include "wire/time_text.h"

namespace outrigger::cli {
namespace {

using std::chrono::system_clock;

std::string wrong_with(const TokenCreateOptions& options) {
  if (!tenants::is_token_tenant(options.tenant)) return "--tenant must be 1 to 64 of A-Z a-z 0-9 . _ -, or \"*\"";
  if (options.tenant == tenants::kAnyTenant && !options.quotas.is_empty()) return "an operator's token has no quotas";
  if (options.note.size() > tenants::kMaxNote) return "--note must not be longer than 200 bytes";
  return {};
}

tenants::Token new_token(const TokenCreateOptions& options, const tenants::TokenList& list, const std::string& secret) {
  tenants::Token token;
  const auto taken = [&list, &token] {
    for (const tenants::Token& each : list.tokens) {
      if (each.id == token.id) return true;
    }
    return false;
  };
  do {
    token.id = tenants::new_token_id();
  } while (taken());
  token.tenant = options.tenant;
  token.sha256 = digest::sha256_hex(secret);
  token.created = system_clock::now();
  if (options.lifetime) token.expires = token.created + *options.lifetime;
  token.note = options.note;
  return token;
}

std::string as_json(const tenants::Token& token, const std::string& secret, const tenants::Quotas& quotas) {
  wire::JsonWriter writer;
  writer.begin_object().key("token").text(secret).key("id").text(token.id).key("tenant").text(token.tenant);
  writer.key("created").text(wire::time_text(token.created));
  writer.key("expires").text_or_null(token.expires ? wire::time_text(*token.expires) : "");
  writer.key("note").text_or_null(token.note);
  writer.key("quotas").begin_object();
  write_quotas(writer, quotas);
  return writer.end_object().end_object().take();
}

}  // namespace

int perform(const TokenCreateOptions& options) {
  if (const std::string wrong = wrong_with(options); !wrong.empty()) {
    static_cast<void>(fail({"invalid_request", wrong, ""}, options.json));
    return kExitUsage;
  }
  auto editor = edit_tokens(options);
  if (!editor) return fail(editor.error(), options.json);
  const std::string secret = tenants::new_secret();
  const tenants::Token token = new_token(options, editor->list(), secret);
  const auto had = editor->list().quotas.find(options.tenant);
  const tenants::Quotas quotas =
      changed(had == editor->list().quotas.end() ? tenants::Quotas{} : had->second, options.quotas);
  if (!options.quotas.is_empty()) editor->set_quotas(options.tenant, quotas);
  editor->add(token);
  if (const auto saved = editor->save(); !saved) return fail(tokens_error(saved.error()), options.json);
  if (options.json) return print_line(as_json(token, secret, quotas));
  const bool is_operators = token.tenant == tenants::kAnyTenant;
  complain("token " + token.id + (is_operators ? " of an operator" : " of " + token.tenant) +
           (token.expires ? ", good until " + wire::time_text(*token.expires) : "") +
           (is_operators ? "" : "; its quotas: " + quotas_text(quotas)) + "; it is shown this once");
  return print_line(secret);
}

}  // namespace outrigger::cli
