// Asio's implementation, compiled once instead of in every translation unit.
#include <boost/asio/impl/src.hpp>
