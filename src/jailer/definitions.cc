#include "jailer/definitions.h"

#include <span>

#include "jail/filter_builder.h"
#include "sys/message_socket.h"

namespace outrigger::jailer {
namespace {

template <typename T>
base::Result<sys::Received> receive(int socket, T& message) {
  auto received = sys::receive_message(socket, std::as_writable_bytes(std::span(&message, 1)));
  if (received && received->size != sizeof message) return base::system_error("receive_definitions", {}, EPROTO);
  return received;
}

std::optional<TemplateDefinition> template_of(std::uint32_t index, const Image& image, int filter,
                                              std::vector<base::UniqueFd>& fds) {
  if (image.template_jails == 0) return std::nullopt;
  TemplateDefinition definition;
  definition.image = index;
  definition.filter = filter;
  definition.host = std::move(fds[0]);
  definition.launch = std::move(fds[1]);
  definition.max_jails = image.template_jails;
  definition.max_age = std::chrono::seconds(image.template_seconds);
  return definition;
}

}  // namespace

base::Result<Definitions> receive_definitions(int socket) {
  Definitions definitions;
  Begin& begin = definitions.limits;
  auto received = receive(socket, begin);
  if (!received) return std::unexpected(received.error());
  if (received->fds.size() != 1 || begin.images > kMaxImages)
    return base::system_error("receive_definitions", {}, EPROTO);
  definitions.sandbox_init = std::move(received->fds.front());
  for (std::uint32_t i = 0; i < begin.images; ++i) {
    Image image;
    auto got = receive(socket, image);
    if (!got) return std::unexpected(got.error());
    if (image.extra_syscalls > kMaxExtraSyscalls) return base::system_error("receive_definitions", {}, EPROTO);
    const auto sockets = image.refuses_sockets != 0 ? jail::SocketRule::kRefused : jail::SocketRule::kEndsJail;
    auto filter = jail::build_filter(std::span(image.extra).first(image.extra_syscalls), sockets);
    if (!filter) return std::unexpected(filter.error());
    if (got->fds.size() != (image.template_jails > 0 ? 2 : 0)) {
      return base::system_error("receive_definitions", {}, EPROTO);
    }
    definitions.templates.push_back(template_of(i, image, filter->get(), got->fds));
    definitions.filters.push_back(std::move(*filter));
    definitions.images.push_back(image.path.str());
  }
  return definitions;
}

}  // namespace outrigger::jailer
