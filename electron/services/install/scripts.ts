/**
 * The scripts that run on the other machine, for any POSIX sh. They are fixed: what differs comes as arguments. Lines for
 * the desk begin with `handoff:`, since login files may print what they like.
 */

const ROOT = 'root=${HANDOFF_HOME:-$HOME/.handoff}'

/** Says that the machine was reached. */
export const reachScript = `echo handoff:reached=yes
`

/** Tells what is there. Prints `handoff:<name>=<value>`; `node` may come more than once, as `<version> <path>`. */
export const inspectScript = `${ROOT}
say() { printf 'handoff:%s=%s\\n' "$1" "$2"; }
say system "$(uname -s)"
say machine "$(uname -m)"
for musl in /lib/ld-musl-*; do if [ -e "$musl" ]; then say musl yes; fi; done
say home "$HOME"
say root "$root"
folder=$root
while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
say free "$(df -Pk "$folder" 2>/dev/null | tail -n 1)"
if [ -w "$folder" ]; then say writable yes; fi
login=$("\${SHELL:-/bin/sh}" -lc env </dev/null 2>/dev/null | sed -n 's/^PATH=//p' | tail -n 1)
if [ -n "$login" ]; then PATH=$PATH:$login; export PATH; fi
for name in git tmux tar gzip; do say "$name" "$(command -v "$name" 2>/dev/null)"; done
say build "$(readlink "$root/app/current" 2>/dev/null)"
node_version() {
  if [ -x "$1" ]; then
    version=$("$1" -p process.version </dev/null 2>/dev/null) && say node "$version $1"
  fi
}
list=$PATH:/usr/local/bin:/opt/homebrew/bin:$HOME/.local/bin
old=$IFS
IFS=:
seen=:
for folder in $list; do
  case $seen in *":$folder:"*) continue ;; esac
  seen=$seen$folder:
  node_version "$folder/node"
done
IFS=$old
for one in "$HOME"/.nvm/versions/node/*/bin/node; do node_version "$one"; done
exit 0
`

/**
 * Unpacks a build ($1) from the input beside the others and puts it in place in one step. One line, see `RemoteShell.feed`.
 */
export const unpackScript = [
  ROOT,
  'app=$root/app',
  'umask 077',
  'mkdir -p "$app"',
  'rm -rf "$app/.incoming-$1"',
  'mkdir "$app/.incoming-$1"',
  'cd "$app/.incoming-$1"',
  'gzip -d | tar -xf -',
  'test "$(cat complete)" = "$1"',
  'rm -rf "$app/$1"',
  'mv "$app/.incoming-$1" "$app/$1"',
].join(' && ')

/**
 * Makes a build ($1) the current one: the link, the command that starts it with the Node in folder $2 (empty: whatever is
 * on the PATH), and the list of what was installed.
 */
export const switchScript = `${ROOT}
set -e
umask 077
app=$root/app
test -f "$app/$1/complete"
ln -sfn "$1" "$app/.current-next"
mv -fT "$app/.current-next" "$app/current" 2>/dev/null || mv -fh "$app/.current-next" "$app/current" 2>/dev/null || {
  rm -f "$app/.current-next"
  ln -sfn "$1" "$app/current"
}
node_folder=$2
if [ "$node_folder" = own ]; then node_folder=$app/current/node/bin; fi
mkdir -p "$root/bin"
quoted() { printf "'"; printf '%s' "$1" | sed "s/'/'\\\\\\\\''/g"; printf "'"; }
{
  echo '#!/bin/sh'
  echo '# Written by "install on host" of the Handoff desk; removed by it.'
  if [ -n "$node_folder" ]; then
    printf 'PATH=%s:$PATH\\nexport PATH\\n' "$(quoted "$node_folder")"
  fi
  printf 'exec %s "$@"\\n' "$(quoted "$app/current/bin/handoff")"
} >"$root/bin/.handoff-next"
chmod 755 "$root/bin/.handoff-next"
mv -f "$root/bin/.handoff-next" "$root/bin/handoff"
link=$HOME/.local/bin/handoff
if [ -d "$HOME/.local/bin" ] && [ ! -e "$link" ] && [ ! -h "$link" ]; then ln -s "$root/bin/handoff" "$link"; fi
"$root/bin/handoff" --version </dev/null
`

/** Answers \`handoff --json agentd status\` of what was installed. */
export const statusScript = `${ROOT}
exec "$root/bin/handoff" --json agentd status </dev/null
`

/** Says whether the process $1 runs the build $2. */
export const runsBuildScript = `${ROOT}
ps -p "$1" -o args= 2>/dev/null | grep -F "$root/app/$2/" >/dev/null && echo handoff:same=yes
exit 0
`

/** Stops agentd, then starts the current build: as a service where there is a manager, else in the background. */
export const serviceScript = `${ROOT}
set -e
command=$root/bin/handoff
"$command" --json agentd stop </dev/null >/dev/null
"$command" --json agentd uninstall-service </dev/null >/dev/null 2>&1 || true
if "$command" --json agentd install-service </dev/null >/dev/null 2>&1; then
  echo handoff:kind=service
else
  # A unit that could not be put into force must not start a second agentd later.
  "$command" --json agentd uninstall-service </dev/null >/dev/null 2>&1 || true
  echo handoff:kind=background
fi
"$command" --json agentd start </dev/null
`

/** Removes builds that are not the current one ($1) and that nothing runs from. */
export const cleanScript = `${ROOT}
for folder in "$root"/app/[0-9]* "$root"/app/.incoming-*; do
  if [ ! -d "$folder" ] || [ "$folder" = "$root/app/$1" ]; then continue; fi
  if ps -A -o args= 2>/dev/null | grep -F "$folder/" | grep -v grep >/dev/null; then continue; fi
  rm -rf "$folder"
done
exit 0
`

/** Stops agentd and removes what the scripts above put there; the database, worktrees and settings stay. */
export const undoScript = `${ROOT}
command=$root/bin/handoff
if [ ! -d "$root/app" ] && [ ! -e "$command" ]; then echo handoff:nothing=yes; exit 0; fi
if [ -x "$command" ] && [ -e "$root/app/current/bin/handoff" ]; then
  "$command" --json agentd stop </dev/null >/dev/null || exit 1
  "$command" --json agentd uninstall-service </dev/null >/dev/null 2>&1 || true
fi
link=$HOME/.local/bin/handoff
if [ -h "$link" ] && [ "$(readlink "$link")" = "$command" ]; then rm -f "$link"; fi
rm -f "$root/app/current"
for folder in "$root"/app/[0-9]* "$root"/app/.incoming-*; do
  if [ -f "$folder/complete" ] || [ -d "$folder/dist" ]; then rm -rf "$folder"; fi
  case $folder in "$root"/app/.incoming-*) rm -rf "$folder" ;; esac
done
rmdir "$root/app" 2>/dev/null
if grep -q 'Written by "install on host"' "$command" 2>/dev/null; then rm -f "$command"; fi
rmdir "$root/bin" 2>/dev/null
echo handoff:removed=yes
`
