# attack: looks for the daemon's secrets in every environment, command line and file it may read
# limits: cpu_cores=2.0,wall_time_ms=10000
# why: the daemon was started with OUTRIGGER_TEST_SECRET=b7e1-marked-secret in its environment
# expect: status=completed stdout="searched"
secret=b7e1-marked
secret="$secret-secret"
if env | grep -q "$secret"; then echo "ESCAPED in the environment"; fi
for file in /proc/*/environ /proc/*/cmdline /proc/*/task/*/environ /proc/1/environ /proc/1/cmdline; do
  if tr '\0' '\n' 2>/dev/null < "$file" | grep -q "$secret"; then echo "ESCAPED in $file"; fi
done
for word in $(compgen -e); do
  case $word in
    HOME | PATH | PWD | SHLVL | LANG | LC_ALL | TZ | USER | LOGNAME | TMPDIR | HOSTNAME) ;;
    SHELL | TERM | _ | OLDPWD | PYTHON* | NODE*) ;;
    *) echo "ESCAPED unexpected variable $word" ;;
  esac
done
echo searched
