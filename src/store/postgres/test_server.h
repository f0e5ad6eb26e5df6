#pragma once

#include <string>

#include "store_postgres/connection.h"

namespace outrigger::store::postgres {

// The server that OUTRIGGER_TEST_POSTGRES names; the program fails where that is not set.
std::string server_url();

// What tests/stores/run_postgres.py is to do with it: start, stop, kill, freeze, thaw. Back when it is done.
void server_do(const std::string& command);

// The first column of the first row, over a connection of its own; the error's text where there is one.
std::string server_query(const std::string& sql);

// Several statements in one go.
void server_script(const std::string& sql);

// An empty database.
void clear_server();

}  // namespace outrigger::store::postgres
