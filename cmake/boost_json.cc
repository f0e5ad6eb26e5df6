// Boost.JSON's implementation, compiled once instead of in every translation unit.
#include <boost/json/src.hpp>
