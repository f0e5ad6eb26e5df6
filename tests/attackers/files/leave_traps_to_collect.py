# attack: leaves links, hard links, pipes and sockets where files are collected, to have the host open them
# collect: link up linked/* hard pipe socket good huge
# expect: status=completed stdout=left files="good:fine,hard:hard_link,huge:too_large,link:symlink,pipe:special_file,socket:special_file,up:symlink"
import os
import stat

os.symlink("/etc/passwd", "link")
os.symlink("/" + "../" * 40 + "proc/1/root/etc/shadow", "up")
os.symlink("/etc", "linked")
open("/tmp/outside", "w").close()
os.link("/tmp/outside", "hard")
os.mkfifo("pipe")
os.mknod("socket", stat.S_IFSOCK | 0o600)
open("good", "w").write("fine")
os.truncate(os.open("huge", os.O_CREAT | os.O_RDWR), 1 << 40)
print("left")
