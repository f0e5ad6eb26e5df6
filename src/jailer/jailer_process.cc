#include "jailer/jailer_process.h"

#include <span>

#include "jailer/jail_table.h"
#include "jailer/server.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

base::Result<std::unique_ptr<JailTable>> prepare(Machine machine, std::uint32_t generation) {
  Definitions& definitions = machine.definitions;
  Templates::Settings for_templates{std::move(definitions.templates), definitions.sandbox_init.get(),
                                    std::move(machine.template_ids), machine.ids.map_lines(jail::kFirstJailId)};
  auto templates = std::make_unique<Templates>(std::move(for_templates), *machine.cgroups);
  base::Status started = templates->start_all();
  // The first proves that they can be had; jobs are waiting for any other, and can do without templates for a while.
  if (started && generation == 1) started = templates->await_all();
  if (!started) {
    templates->shut_down();
    return std::unexpected(started.error());
  }
  JailTable::Settings settings{definitions.limits,
                               first_handle(generation),
                               std::move(definitions.sandbox_init),
                               std::move(definitions.filters),
                               std::move(machine.ids),
                               std::move(machine.networks)};
  return std::make_unique<JailTable>(std::move(settings), std::move(machine.cgroups), std::move(templates));
}

}  // namespace

int serve_jails(Machine machine, base::UniqueFd socket, std::uint32_t generation) {
  const auto jails = prepare(std::move(machine), generation);
  Failure failure;
  if (!jails) set_failure(failure, jails.error());
  (void)sys::send_message(socket.get(), std::as_bytes(std::span(&failure, 1)));
  if (!jails) return 1;
  serve(socket.get(), **jails);
  return 0;
}

}  // namespace outrigger::jailer
