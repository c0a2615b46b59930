# Shared by all commands: errors, prerequisites, and which fabric is meant.

fail() { echo "fabric: $*" >&2; exit 1; }
fail_usage() { echo "fabric: $* (fabric --help)" >&2; exit 2; }

require_root() {
  [[ $(id -u) == 0 ]] || fail "needs root, to create network namespaces: run it as root, e.g. with sudo"
}

require_tool() { # COMMAND PACKAGE
  command -v "$1" >/dev/null || fail "the command '$1' is missing: apt-get install $2"
}

require_machine() {
  [[ $(uname -s) == Linux ]] || fail "needs Linux: its switches are network namespaces"
  require_root
  require_tool ip iproute2
  require_tool tc iproute2
  [[ -d /proc/sys/net/ipv4 ]] || fail "needs /proc/sys/net"
  mkdir -p "$STATE_ROOT" 2>/dev/null || fail "cannot write $STATE_ROOT: set MAESTRO_FABRIC_STATE to a folder that can be written"
}

is_number() { [[ "$1" =~ ^[0-9]+$ ]]; }
is_decimal() { [[ "$1" =~ ^[0-9]+(\.[0-9]+)?$ ]]; }

# The words of a list such as "1 2 3 4".
count_to() { seq -s ' ' 1 "$1"; }

ns() { echo "$NAME-$1"; }                       # NODE: its namespace
in_ns() { local node=$1; shift; ip netns exec "$(ns "$node")" "$@"; }
ip_in() { local node=$1; shift; ip -n "$(ns "$node")" "$@"; }
tc_in() { local node=$1; shift; tc -n "$(ns "$node")" "$@"; }

leaf_of() { echo $((($1 - 1) % LEAVES + 1)); }  # HOST number

# Names of the fabrics that have state, one a line.
fabrics() { (cd "$STATE_ROOT" 2>/dev/null && ls -d -- */ 2>/dev/null | tr -d /) || true; }

choose() { # NAME or nothing
  local name=${1:-${FABRIC:-}} all
  if [[ -z "$name" ]]; then
    all=$(fabrics)
    [[ -n "$all" ]] || fail "no fabric is up: fabric up"
    [[ $(wc -l <<<"$all") == 1 ]] || fail "several fabrics are up, say which with -p: $(tr '\n' ' ' <<<"$all")"
    name=$all
  fi
  [[ -f "$STATE_ROOT/$name/config" ]] || fail "no fabric '$name'; up are: $(fabrics | tr '\n' ' ')"
  echo "$name"
}

load() { # NAME
  NAME=$1
  STATE=$STATE_ROOT/$NAME
  # shellcheck disable=SC1091
  . "$STATE/config"
}

require_node() { # NODE: sets nothing, fails when there is none of that name
  [[ -e "/run/netns/$NAME-$1" ]] || fail "no node '$1' in fabric $NAME; it has host1-host$HOSTS, leaf1-leaf$LEAVES, spine1-spine$SPINES"
}

# When a process started, in clock ticks since boot: tells it from a later one with the same id.
started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

owner_lives() { # FABRIC
  local pid start
  read -r pid start <"$STATE_ROOT/$1/owner" 2>/dev/null || return 1
  [[ "$pid" == none || "$(started "$pid")" == "$start" ]]
}
