#include "base/ids.h"
#include "cli/print.h"
#include "cli/tokens_place.h"
#include "cli/verbs.h"

namespace outrigger::cli {
namespace {

tenants::Quotas quotas_of(const tenants::TokenList& list, const std::string& tenant) {
  const auto found = list.quotas.find(tenant);
  return found == list.quotas.end() ? tenants::Quotas{} : found->second;
}

int show(const TokenQuotaOptions& options, const tenants::Quotas& quotas) {
  if (!options.json) return print_line(quotas_text(quotas));
  wire::JsonWriter writer;
  writer.begin_object().key("tenant").text(options.tenant);
  write_quotas(writer, quotas);
  return print_line(writer.end_object().take());
}

}  // namespace

int perform(const TokenQuotaOptions& options) {
  if (!base::is_tenant_id(options.tenant)) {
    static_cast<void>(fail({"invalid_request", "TENANT must be 1 to 64 of A-Z a-z 0-9 . _ -", ""}, options.json));
    return kExitUsage;
  }
  if (options.change.is_empty()) {
    const auto path = tokens_path(options);
    if (!path) return fail(path.error(), options.json);
    const auto list = tenants::read_tokens(*path);
    if (!list) return fail(tokens_error(list.error()), options.json);
    return show(options, quotas_of(*list, options.tenant));
  }
  auto editor = edit_tokens(options);
  if (!editor) return fail(editor.error(), options.json);
  const tenants::Quotas quotas = changed(quotas_of(editor->list(), options.tenant), options.change);
  editor->set_quotas(options.tenant, quotas);
  if (const auto saved = editor->save(); !saved) return fail(tokens_error(saved.error()), options.json);
  return show(options, quotas);
}

}  // namespace outrigger::cli
