// Beast's implementation, compiled once instead of in every translation unit.
#include <boost/beast/src.hpp>
