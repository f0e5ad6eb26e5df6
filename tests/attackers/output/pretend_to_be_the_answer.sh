# attack: writes what would end a JSON string, a line or a header, to become part of the answer itself
# expect: status=completed stdout_hex=222c22737461747573223a226661696c6564220d0a0d0a485454502f312e3120353030000100
printf '","status":"failed"\r\n\r\nHTTP/1.1 500\0\1\0'
