# Programs in nodes, background streams, and delay.

cmd_exec() { # NODE CMD…
  [[ $# -gt 1 ]] || fail_usage "exec NODE CMD…"
  require_node "$1"
  local node=$1
  shift
  exec ip netns exec "$(ns "$node")" "$@"
}

cmd_background() {
  local action=${1:-}
  shift || true
  case $action in
    start) background_start "$@" ;;
    stop) background_stop "$@" ;;
    *) fail_usage "background start SPINE MBIT … | background stop [ID]" ;;
  esac
}

background_start() { # SPINE MBIT [--tcp] [--from LEAF] [--to LEAF] [--seconds S]
  require_tool iperf3 iperf3
  [[ $# -ge 2 ]] || fail_usage "background start SPINE MBIT …"
  local spine=$1 mbit=$2 protocol=(-u) from=leaf1 to=leaf2 seconds=0
  require_node "$spine"
  is_number "$mbit" || fail_usage "background: '$mbit' is no number of Mbit/s"
  shift 2
  while [[ $# -gt 0 ]]; do
    case $1 in
      --tcp) protocol=(); shift ;;
      --from) from=$2; shift 2 ;;
      --to) to=$2; shift 2 ;;
      --seconds) seconds=$2; shift 2 ;;
      *) fail_usage "background: unknown option $1" ;;
    esac
  done
  require_node "$from"
  require_node "$to"
  local s=${spine#spine} id port log
  id=$(($(find "$STATE" -name 'background-*' | sed 's/.*-//' | sort -n | tail -1) + 1))
  port=$((20000 + id)) log=$STATE/background-$id
  # The address of the far leaf's end of this spine's link: reached through this spine only.
  local address=10.$((100 + ${to#leaf})).$s.1
  # Not through a function: $! is then the program itself, as ip replaces itself by it.
  ip netns exec "$(ns "$to")" iperf3 -s -1 -B "$address" -p "$port" >/dev/null 2>&1 </dev/null &
  echo $! >"$log"
  await listens "$to" "$port" || fail "background: iperf3 does not listen in $to"
  ip netns exec "$(ns "$from")" iperf3 "${protocol[@]}" -l $((MTU - 52)) -b "${mbit}M" -t "$seconds" -i 0 -c "$address" -p "$port" >/dev/null 2>&1 </dev/null &
  echo $! >>"$log"
  echo "$id"
}

listens() { in_ns "$1" ss -Hltn "sport = :$2"; } # NODE PORT

# Until COMMAND prints something, for at most 5 s.
await() { # COMMAND…
  local tries
  for tries in $(seq 250); do
    "$@" 2>/dev/null | grep -q . && return 0
    sleep 0.02
  done
  return 1
}

background_stop() { # [ID]
  local log pid
  for log in "$STATE"/background-${1:-*}; do
    [[ -e $log ]] || continue
    while read -r pid; do kill "$pid" 2>/dev/null || true; done <"$log"
    rm -f "$log"
  done
}

# The kernel's queueing disciplines cannot delay without netem, which small kernels lack: packets that
# enter the spine take a detour through a program that holds them.
cmd_delay() { # SPINE MS
  [[ $# == 2 && "$1" =~ ^spine[0-9]+$ ]] || fail_usage "delay SPINE MS"
  is_decimal "$2" || fail_usage "delay: '$2' is no number of milliseconds"
  require_node "$1"
  if [[ "$2" =~ ^0*\.?0*$ ]]; then
    end_delay "$1"
  elif [[ -e $STATE/delay-$1.pid ]] && kill -0 "$(<"$STATE/delay-$1.pid")" 2>/dev/null; then
    echo "$2" >"$STATE/delay-$1"
    kill -HUP "$(<"$STATE/delay-$1.pid")"
  else
    start_delay "$1" "$2"
  fi
}

start_delay() { # SPINE MS
  require_tool python3 python3
  [[ -c /dev/net/tun ]] || fail "delay: there is no /dev/net/tun; the kernel needs CONFIG_TUN"
  echo "$2" >"$STATE/delay-$1"
  local l devices=()
  for l in $(count_to "$LEAVES"); do devices+=("leaf$l"); done
  ip netns exec "$(ns "$1")" python3 "$HERE/delay.py" "$STATE/delay-$1" "${devices[@]}" </dev/null >"$STATE/delay-$1.log" 2>&1 &
  echo $! >"$STATE/delay-$1.pid"
  for l in $(count_to "$LEAVES"); do
    await ip_in "$1" -br link show up dev "delay-leaf$l" || fail "delay: the delay line did not start: $(cat "$STATE/delay-$1.log")"
    detour "$1" "leaf$l"
  done
}

# Packets that are held are lost when the program ends, as when a cable is exchanged for a shorter one.
end_delay() { # SPINE
  [[ -e $STATE/delay-$1.pid ]] || return 0
  local l
  for l in $(count_to "$LEAVES"); do
    tc_in "$1" filter del dev "leaf$l" ingress protocol ip prio 3
    tc_in "$1" filter del dev "leaf$l" ingress protocol ipv6 prio 4
  done
  kill "$(<"$STATE/delay-$1.pid")" 2>/dev/null || true
  rm -f "$STATE/delay-$1.pid"
}

detour() { # SPINE DEVICE
  tc_in "$1" qdisc show dev "$2" clsact | grep -q . || tc_in "$1" qdisc add dev "$2" clsact
  local protocol
  for protocol in ip:3 ipv6:4; do
    tc_in "$1" filter replace dev "$2" ingress protocol "${protocol%:*}" prio "${protocol#*:}" \
      u32 match u32 0 0 action mirred egress redirect dev "delay-$2"
  done
}
