#pragma once

#include <filesystem>

#include "base/error.h"

namespace outrigger::runtime {

// Makes of a freshly installed Debian tree what a jail may have as its root: what only a package manager, an init or a
// login needs is gone, and so is all that could ever lend a right. Needs root. Nothing outside `root` is touched,
// whatever symbolic links the tree holds; nobody else may be writing to it.
//  - no set-id bit, no file capability, no access list, no device, socket or fifo
//  - everything belongs to root, is readable to all and writable to nobody else
//  - caches, logs, package lists, manuals, translations, secrets (shadow) are removed; copyright files and
//    /var/lib/dpkg/status stay
base::Status strip_tree(const std::filesystem::path& root);

// Writes the few files of /etc that name the jail's users, host and time zone, and makes the mount points.
base::Status write_image_files(const std::filesystem::path& root);

// Removes a tree and never a thing mounted in it: a mount below `path` is an error.
base::Status remove_tree(const std::filesystem::path& path);

}  // namespace outrigger::runtime
