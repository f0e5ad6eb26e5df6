// A target must have a source; what precompiled.cmake makes of this one are its headers.
