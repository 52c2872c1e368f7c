# Steps: a unit of set-up that is done again only when what it depends on changed.
# The stamp of a step is the hash of its inputs; stamps live in build/stamps.

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 2; }

# step NAME "what it does" FUNCTION INPUT...
step() {
  local name=$1 what=$2 function=$3; shift 3
  local stamp="build/stamps/$name" now
  now=$(hash_of "$@")
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$now" ] && return 0
  timed "$what" "$function"
  mkdir -p build/stamps
  printf '%s' "$now" > "$stamp"
}

# timed "what it does" COMMAND...: said before, and its seconds kept for the table at the end.
TIMES=()
timed() {
  local what=$1 began=$SECONDS; shift
  say "$what"
  "$@"
  TIMES+=("$(printf '%5d s  %s' $((SECONDS - began)) "$what")")
  say "done in $((SECONDS - began)) s"
}

# What was done, also when something failed.
print_times() {
  [ ${#TIMES[@]} -gt 0 ] || return 0
  say "done, by step"
  printf '    %s\n' "${TIMES[@]}" "$(printf '%5d s  in all' "$SECONDS")" >&2
}

# Content of the files and folders named; words that are no file count as they stand.
hash_of() {
  {
    printf '%s\n' "$PWD" "$@"
    for each in "$@"; do
      [ -e "$each" ] && find "$each" -type f ! -path '*/__pycache__/*' -print0
    done | sort -z | xargs -0 -r sha256sum
  } | sha256sum | cut -d' ' -f1
}

# Output of a long step goes to a log, shown when it fails; a dot shows that it lives.
quietly() {
  local log="build/logs/$1.log"; shift
  mkdir -p build/logs
  "$@" > "$log" 2>&1 &
  local pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    if [ -t 2 ]; then printf '\r    %s' "$(tail -n 1 "$log" | tr -cd '[:print:]' | cut -c1-100)" >&2; printf '\033[K' >&2; fi
    sleep 0.5
  done
  [ -t 2 ] && printf '\r\033[K' >&2
  wait "$pid" || { tail -n 40 "$log" >&2; die "$* failed; the whole output is in $log"; }
}
