"""Small programs that must behave in a jail as they do without one: to the byte."""
