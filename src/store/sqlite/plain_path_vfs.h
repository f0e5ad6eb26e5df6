#pragma once

namespace outrigger::store::sqlite {

// The name of a VFS that is SQLite's own but takes paths as they are. SQLite's resolves symbolic links, and so turns
// /proc/self/fd/7/audit.sqlite into a path whose parents this process may not traverse.
const char* plain_path_vfs();

}  // namespace outrigger::store::sqlite
