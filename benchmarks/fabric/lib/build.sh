# Building a fabric and taking it away.

# TCP of the hosts: measured and explained in the README.
DEFAULT_CONGESTION=cubic
DEFAULT_TCP_ECN=1

parse_up() {
  NAME="" HOSTS=2 LEAVES=2 SPINES=4 ALIASES=4 MBIT=200 MTU=9000 NIC=alias QUEUE_KB=250 ECN_KB=60 SEED=1
  CONGESTION=$DEFAULT_CONGESTION TCP_ECN=$DEFAULT_TCP_ECN OWNER=$PPID
  local option value
  while [[ $# -gt 0 && "$1" != -- ]]; do
    option=$1 value=${2:-}
    [[ -n "$value" ]] || fail_usage "$option needs a value"
    case $option in
      --name) NAME=$value ;;
      --hosts) HOSTS=$value ;;
      --leaves) LEAVES=$value ;;
      --spines) SPINES=$value ;;
      --aliases) ALIASES=$value ;;
      --mbit) MBIT=$value ;;
      --mtu) MTU=$value ;;
      --nic) NIC=$value ;;
      --queue-kb) QUEUE_KB=$value ;;
      --ecn-kb) ECN_KB=$value ;;
      --tcp-ecn) TCP_ECN=$value ;;
      --congestion) CONGESTION=$value ;;
      --seed) SEED=$value ;;
      --owner) OWNER=$value ;;
      *) fail_usage "up: unknown option $option" ;;
    esac
    shift 2
  done
  check_up
}

check_up() {
  local range
  for range in HOSTS:1:200 LEAVES:1:90 SPINES:1:90 ALIASES:1:200 MTU:1280:65535 QUEUE_KB:20:100000 ECN_KB:0:100000 SEED:0:4294967295; do
    local key=${range%%:*} bounds=${range#*:}
    local value=${!key}
    if ! is_number "$value" || ((value < ${bounds%:*} || value > ${bounds#*:})); then
      fail_usage "$key is '$value', not a number from ${bounds%:*} to ${bounds#*:}"
    fi
  done
  [[ "$MBIT" =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || fail_usage "--mbit is '$MBIT', not a number or a list of them"
  [[ "$NIC" == alias || "$NIC" == macvlan ]] || fail_usage "--nic is '$NIC', not alias or macvlan"
  [[ -z "$NAME" || "$NAME" =~ ^[a-z0-9]{1,8}$ ]] || fail_usage "--name is '$NAME', not 1-8 lower case letters and digits"
  [[ "$OWNER" == none || -n "$(started "$OWNER")" ]] || fail_usage "--owner $OWNER is no process"
  grep -qw -- "$CONGESTION" /proc/sys/net/ipv4/tcp_available_congestion_control ||
    fail "the kernel has no congestion control '$CONGESTION', only: $(cat /proc/sys/net/ipv4/tcp_available_congestion_control)"
}

# Takes a name by one rename, so that `clean` never meets a fabric without its owner.
claim_name() {
  local draft key tries
  draft=$(mktemp -d "$STATE_ROOT/.new.XXXXXX") || fail "cannot write $STATE_ROOT: set MAESTRO_FABRIC_STATE to a folder that can be written"
  echo "$OWNER $([[ $OWNER == none ]] || started "$OWNER")" >"$draft/owner"
  for key in HOSTS LEAVES SPINES ALIASES MBIT MTU NIC QUEUE_KB ECN_KB SEED CONGESTION TCP_ECN; do
    echo "$key=${!key}"
  done >"$draft/config"
  for tries in 1 2 3 4 5 6 7 8 9; do
    STATE=$STATE_ROOT/${NAME:-mf$(od -An -N2 -tx2 /dev/urandom | tr -d ' ')}
    if mv -T "$draft" "$STATE" 2>/dev/null; then
      NAME=${STATE##*/}
      return
    fi
    [[ -z "$NAME" ]] || tries=9
    ((tries < 9)) || break
  done
  rm -rf "$draft"
  fail "fabric '${STATE##*/}' exists: fabric -p ${STATE##*/} down"
}

up() {
  parse_up "$@"
  claim_name
  trap 'status=$?; tear_down; exit $status' EXIT
  trap 'exit 130' INT TERM HUP
  build || fail "fabric $NAME could not be built; what was there is removed"
  trap - EXIT INT TERM HUP
  echo "$NAME"
}

run() {
  parse_up "$@"
  while [[ $# -gt 0 && "$1" != -- ]]; do shift; done
  [[ $# -gt 1 ]] || fail_usage "run: no command after --"
  shift
  OWNER=$$
  claim_name
  trap 'status=$?; tear_down; exit $status' EXIT
  trap 'exit 130' INT TERM HUP
  build || fail "fabric $NAME could not be built; what was there is removed"
  FABRIC=$NAME "$@"
}

build() {
  local nodes=() n
  for n in $(count_to "$LEAVES"); do nodes+=("leaf$n"); done
  for n in $(count_to "$SPINES"); do nodes+=("spine$n"); done
  for n in $(count_to "$HOSTS"); do nodes+=("host$n"); done
  { for n in "${nodes[@]}"; do echo "netns add $(ns "$n")"; done; } | ip -batch - || return 1
  for n in "${nodes[@]}"; do set_sysctls "$n" || return 1; done
  cables | ip -batch - || return 1
  for n in "${nodes[@]}"; do
    addresses "$n" | ip_in "$n" -batch - || return 1
    [[ $NIC == alias || $n != host* ]] || rules6 "${n#host}" | ip_in "$n" -6 -batch - || return 1
  done
  for n in "${nodes[@]}"; do
    [[ $n == host* ]] || shape "$n" || return 1
  done
}

set_sysctls() { # NODE
  local all=(net.ipv6.conf.all.accept_dad=0 net.ipv6.conf.default.accept_dad=0
    net.ipv4.icmp_ratelimit=0 net.ipv4.icmp_msgs_per_sec=100000 net.ipv4.icmp_msgs_burst=10000 net.ipv6.icmp.ratelimit=0)
  case $1 in
    host*)
      # Of earlier connections, TCP remembers nothing, so that runs are alike; a flow keeps its hash.
      all+=("net.ipv4.tcp_ecn=$TCP_ECN" net.ipv4.tcp_no_metrics_save=1 net.core.txrehash=0)
      # A NIC answers for its own addresses only, where a host has several.
      [[ $NIC == alias ]] || all+=(net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2 net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0) ;;
    *)
      all+=(net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv6.conf.all.keep_addr_on_down=1
        net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0
        net.ipv4.conf.all.ignore_routes_with_linkdown=1 net.ipv6.conf.all.ignore_routes_with_linkdown=1
        net.ipv6.conf.default.ignore_routes_with_linkdown=1)
      # Policy 3 hashes the fields it is told from the packet itself: 0x37 is the 5-tuple. Policy 1 would
      # take the sending socket's hash, which is random and changes when it retransmits.
      all+=(net.ipv4.fib_multipath_hash_policy=3 net.ipv4.fib_multipath_hash_fields=0x37
        net.ipv6.fib_multipath_hash_policy=3 net.ipv6.fib_multipath_hash_fields=0x37)
      [[ $SEED == 0 ]] || all+=("net.ipv4.fib_multipath_hash_seed=$SEED") ;;
  esac
  # shellcheck disable=SC2016
  in_ns "$1" bash -c 'for setting; do
      file=${setting%%=*}
      echo "${setting#*=}" >"/proc/sys/${file//.//}" || { echo "the kernel refuses $setting" >&2; exit 1; }
    done' settings "${all[@]}"
}

# Interfaces are named after the node at the other end.
cables() {
  local l s h
  for l in $(count_to "$LEAVES"); do
    for s in $(count_to "$SPINES"); do
      echo "link add spine$s mtu $MTU netns $NAME-leaf$l type veth peer name leaf$l mtu $MTU netns $NAME-spine$s"
    done
  done
  for h in $(count_to "$HOSTS"); do
    echo "link add eth0 mtu $MTU netns $NAME-host$h type veth peer name host$h mtu $MTU netns $NAME-leaf$(leaf_of "$h")"
  done
}

addresses() { # NODE: commands for ip -batch
  local n=${1//[a-z]/} l s h
  echo "link set lo up"
  case $1 in
    leaf*)
      for s in $(count_to "$SPINES"); do
        echo "addr add 10.$((100 + n)).$s.1/30 dev spine$s"
        echo "addr add fd00:$((100 + n)):$s::1/126 dev spine$s nodad"
        echo "link set spine$s up"
      done
      for h in $(count_to "$HOSTS"); do
        [[ $(leaf_of "$h") == "$n" ]] || continue
        echo "addr add 10.$n.$h.254/24 dev host$h"
        echo "addr add fd00:$n:$h::fe/64 dev host$h nodad"
        echo "link set host$h up"
      done
      for s in $(count_to "$SPINES"); do leaf_routes "$n" "$s"; done
      uplinks "$n" ;;
    spine*)
      for l in $(count_to "$LEAVES"); do
        echo "addr add 10.$((100 + l)).$n.2/30 dev leaf$l"
        echo "addr add fd00:$((100 + l)):$n::2/126 dev leaf$l nodad"
        echo "link set leaf$l up"
        spine_routes "$n" "$l"
      done ;;
    host*) host_addresses "$n" "$(leaf_of "$n")" ;;
  esac
}

host_addresses() { # HOST LEAF
  local k device=eth0
  # A packet on the wire is never larger than the MTU, as in a switch.
  echo "link set eth0 gso_max_segs 1 up"
  for k in $(count_to "$ALIASES"); do
    if [[ $NIC == macvlan ]]; then
      device=nic$k
      echo "link add $device link eth0 mtu $MTU type macvlan mode bridge"
      echo "link set $device gso_max_segs 1 up"
    fi
    echo "addr add 10.$2.$1.$k/24 dev $device"
    echo "addr add fd00:$2:$1::$k/64 dev $device nodad"
    [[ $NIC == alias ]] || routes_from "$1" "$2" "$k"
  done
  [[ $NIC == alias ]] || device=nic1
  echo "route add default via 10.$2.$1.254 dev $device src 10.$2.$1.1 congctl $CONGESTION"
  echo "route add default via fd00:$2:$1::fe dev $device src fd00:$2:$1::1 congctl $CONGESTION"
}

# With one NIC per address, what has a NIC's address leaves by that NIC.
routes_from() { # HOST LEAF ALIAS
  echo "route add default via 10.$2.$1.254 dev nic$3 table $3 congctl $CONGESTION"
  echo "rule add from 10.$2.$1.$3 table $3"
  echo "route add default via fd00:$2:$1::fe dev nic$3 table $3 congctl $CONGESTION"
}

# Apart, as ip takes the family of a rule from its options, which a batch's lines cannot have.
rules6() { # HOST
  local k
  for k in $(count_to "$ALIASES"); do echo "rule add from fd00:$(leaf_of "$1"):$1::$k table $k"; done
}

# A leaf reaches the other leaves' end of a spine's links through that spine: background streams use it.
leaf_routes() { # LEAF SPINE
  local other
  for other in $(count_to "$LEAVES"); do
    [[ $other != "$1" ]] || continue
    echo "route replace 10.$((100 + other)).$2.0/30 via 10.$((100 + $1)).$2.2"
    echo "route replace fd00:$((100 + other)):$2::/126 via fd00:$((100 + $1)):$2::2"
  done
}

# The ECMP routes of a leaf to every other leaf's hosts: all spines, equal weights, in order.
uplinks() { # LEAF
  local other s four="" six=""
  for s in $(count_to "$SPINES"); do
    four+=" nexthop via 10.$((100 + $1)).$s.2 dev spine$s weight 1"
    six+=" nexthop via fd00:$((100 + $1)):$s::2 dev spine$s weight 1"
  done
  for other in $(count_to "$LEAVES"); do
    [[ $other != "$1" ]] || continue
    echo "route replace 10.$other.0.0/16$four"
    echo "route replace fd00:$other::/32$six"
  done
}

spine_routes() { # SPINE LEAF
  echo "route replace 10.$2.0.0/16 via 10.$((100 + $2)).$1.1 dev leaf$2"
  echo "route replace fd00:$2::/32 via fd00:$((100 + $2)):$1::1 dev leaf$2"
}

tear_down() {
  local namespace pid
  for namespace in $(ip netns list | sed -n "s/^\($NAME-\(host\|leaf\|spine\)[0-9]*\)\( .*\)\?$/\1/p"); do
    for pid in $(ip netns pids "$namespace" 2>/dev/null); do kill -KILL "$pid" 2>/dev/null || true; done
    ip netns del "$namespace" 2>/dev/null || true
  done
  rm -rf "${STATE_ROOT:?}/${NAME:?}"
}

cmd_down() { tear_down; }

clean() {
  local name
  find "$STATE_ROOT" -maxdepth 1 -name '.new.*' -mmin +10 -exec rm -rf {} + 2>/dev/null || true
  for name in $(fabrics); do
    owner_lives "$name" && continue
    NAME=$name
    tear_down
    echo "removed $name"
  done
}

list() {
  local name
  for name in $(fabrics); do
    echo "$name owner $(cut -d' ' -f1 "$STATE_ROOT/$name/owner") $(owner_lives "$name" && echo lives || echo gone)"
  done
}
