#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "store_redis/address.h"
#include "store_redis/protocol.h"

namespace outrigger::store_redis {

using Deadline = std::chrono::steady_clock::time_point;

// A stream socket, connected and non-blocking. The deadline is heeded, but for the time the resolver takes to turn a
// name into addresses.
base::Result<base::UniqueFd> connect_to(const Address& address, Deadline deadline);

// A connection that is made when it is needed and dropped when anything about it fails, so that the next exchange
// begins anew. The socket and its deadlines are our own; hiredis parses the replies.
class Link {
 public:
  // Of one exchange no more than `largest_reply` bytes are read.
  Link(Address address, std::size_t largest_reply);

  // One reply a command, in order; error replies are replies. kCancelled where `wake_fd` became readable meanwhile.
  // After an error nobody knows which of the commands were executed.
  base::Result<std::vector<Reply>> exchange(const Commands& commands, Deadline deadline, int wake_fd = -1);

  void drop();
  [[nodiscard]] const Address& address() const { return address_; }

 private:
  struct FreeReader {
    void operator()(redisReader* reader) const { redisReaderFree(reader); }
  };

  base::Status connect(Deadline deadline);
  base::Status introduce(Deadline deadline);
  [[nodiscard]] bool stands() const;
  base::Result<std::vector<Reply>> send_and_read(const Commands& commands, Deadline deadline, int wake_fd);
  base::Status send_some(std::string_view& unsent);
  base::Status wait(bool to_send, Deadline deadline, int wake_fd);
  base::Status read_some(std::vector<Reply>& replies, std::size_t& received);
  [[nodiscard]] std::unexpected<base::Error> broken(std::string_view why) const;

  Address address_;
  std::size_t largest_reply_;
  base::UniqueFd fd_;
  std::unique_ptr<redisReader, FreeReader> reader_;
};

}  // namespace outrigger::store_redis
