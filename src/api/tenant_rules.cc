#include "api/tenant_rules.h"

#include "api/error_response.h"

namespace outrigger::api {
namespace {

const std::string& tenant_of(const model::Job& job) { return job.tenant_id; }
const std::string& tenant_of(const wire::QueuedRequest& request) { return request.job.tenant_id; }

// An operator's request tells only when it has been read whose ceilings hold for it.
template <typename Request, typename Parse>
std::expected<Request, Response> parse_for(const TenantRules& rules, const tenants::Caller& caller, Parse parse) {
  auto request = parse(rules.of(caller.tenant));
  if (request && caller.is_operator && tenants::has_ceilings(rules.quotas(tenant_of(*request)))) {
    request = parse(rules.of(std::string(tenant_of(*request))));
  }
  if (!request) return std::unexpected(error_response(request.error()));
  if (!caller.may_act_for(tenant_of(*request))) return std::unexpected(foreign_tenant(caller));
  return std::move(*request);
}

}  // namespace

void note_caller(model::Job& job, const tenants::Caller& caller) {
  job.token_id = caller.token_id;
  job.traceparent = caller.traceparent;
}

wire::EntryNotes notes_of(const tenants::Caller& caller) {
  return {.token_id = caller.token_id, .traceparent = caller.traceparent};
}

Response foreign_tenant(const tenants::Caller& caller) {
  return error_response(Problem::kForbidden, "tenant_id must be " + caller.tenant + ", whose token this is",
                        "tenant_id");
}

const tenants::Quotas& TenantRules::quotas(std::string_view tenant) const {
  static const tenants::Quotas kNone{};
  return guard_ == nullptr ? kNone : guard_->quotas(tenant);
}

wire::RequestRules TenantRules::of(std::string_view tenant) const {
  wire::RequestRules rules = rules_;
  rules.defaults = tenants::lowered(rules.defaults, quotas(tenant));
  rules.ceilings = tenants::lowered(rules.ceilings, quotas(tenant));
  return rules;
}

std::expected<model::Job, Response> TenantRules::execute_request(std::string_view body,
                                                                 const tenants::Caller& caller) const {
  return parse_for<model::Job>(
      *this, caller, [body](const wire::RequestRules& rules) { return wire::parse_execute_request(body, rules); });
}

std::expected<wire::QueuedRequest, Response> TenantRules::job_request(std::string_view body,
                                                                      const tenants::Caller& caller) const {
  return parse_for<wire::QueuedRequest>(
      *this, caller, [body](const wire::RequestRules& rules) { return wire::parse_job_request(body, rules); });
}

}  // namespace outrigger::api
