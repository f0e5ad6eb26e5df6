#pragma once

#include <expected>
#include <string_view>

#include "api/message.h"
#include "tenants/caller.h"
#include "tenants/guard.h"
#include "wire/execute_request.h"

namespace outrigger::api {

// What requests may ask for, tenant by tenant: a caller acts for its own tenant, within that one's ceilings.
class TenantRules {
 public:
  // `rules`: what holds for a tenant without quotas. `guard` outlives it; null: no tenant has any.
  TenantRules(const wire::RequestRules& rules, const tenants::Guard* guard) : rules_(rules), guard_(guard) {}

  // Limits that a request leaves out are the daemon's defaults, or the tenant's ceilings where these are lower.
  [[nodiscard]] wire::RequestRules of(std::string_view tenant) const;
  [[nodiscard]] const tenants::Quotas& quotas(std::string_view tenant) const;

  // The request, or its refusal: 400 and the like, or 403 where the tenant it names is not its caller's to act for.
  [[nodiscard]] std::expected<model::Job, Response> execute_request(std::string_view body,
                                                                    const tenants::Caller& caller) const;
  [[nodiscard]] std::expected<wire::QueuedRequest, Response> job_request(std::string_view body,
                                                                         const tenants::Caller& caller) const;

 private:
  wire::RequestRules rules_;
  const tenants::Guard* guard_;
};

// Notes on the job, or for its entry in the queue, who asked for it and in which trace.
void note_caller(model::Job& job, const tenants::Caller& caller);
[[nodiscard]] wire::EntryNotes notes_of(const tenants::Caller& caller);

// 403: the caller's token is another tenant's.
Response foreign_tenant(const tenants::Caller& caller);

}  // namespace outrigger::api
