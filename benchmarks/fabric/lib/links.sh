# Rates, marking, and faults of links.

# Rate and marking of all ports of a switch that lead to a switch.
shape() { # NODE
  local n=${1//[a-z]/} other
  if [[ $1 == leaf* ]]; then
    for other in $(count_to "$SPINES"); do shape_port "$1" "spine$other" "$(rate_of "$other")" || return 1; done
  else
    for other in $(count_to "$LEAVES"); do shape_port "$1" "leaf$other" "$(rate_of "$n")" || return 1; done
  fi
}

rate_of() { # SPINE: its first rate, in Mbit/s
  local rates
  IFS=, read -ra rates <<<"$MBIT"
  echo "${rates[$1 - 1]:-${rates[-1]}}"
}

shape_port() { # NODE DEVICE MBIT
  set_rate "$1" "$2" "$3" || return 1
  ((ECN_KB > 0)) || return 0
  ip_in "$1" link set "$2" txqueuelen $((ECN_KB * 1000)) &&
    tc_in "$1" qdisc replace dev "$2" clsact &&
    attach "$1" "$2" egress ecn
}

set_rate() { # NODE DEVICE MBIT
  # Tokens for a millisecond and for three packets: with less, a late timer costs rate for good.
  local burst=$((3 * (MTU + 14))) one_ms=$(($3 * 125))
  ((one_ms > burst)) && burst=$one_ms
  tc_in "$1" qdisc replace dev "$2" root handle 1: tbf rate "$3mbit" burst "$burst" limit $((QUEUE_KB * 1000))
}

attach() { # NODE DEVICE ingress|egress SECTION
  tc_in "$1" filter replace dev "$2" "$3" prio 1 handle 1 bpf direct-action object-file "$HERE/switch.bpf.o" section "$4" ||
    fail "the kernel does not take $HERE/switch.bpf.o: it needs Linux 6.2 or newer with BTF (/sys/kernel/btf/vmlinux); without marking: --ecn-kb 0"
}

# NODE DEVICE of the sending end of each direction that LINK names, one a line.
directions() { # LINK
  local l
  if [[ "$1" =~ ^spine[0-9]+$ ]]; then
    require_node "$1"
    for l in $(count_to "$LEAVES"); do
      echo "leaf$l $1"
      echo "$1 leaf$l"
    done
  elif [[ "$1" =~ ^(leaf|spine|host)[0-9]+-(leaf|spine|host)[0-9]+$ ]]; then
    local from=${1%-*} to=${1#*-}
    require_node "$from"
    [[ $from == host* ]] && to=eth0
    [[ -n "$(ip_in "$from" -br link show dev "$to" 2>/dev/null)" ]] || fail "no link $1 in fabric $NAME"
    echo "$from $to"
  else
    fail_usage "'$1' is no link: say spine2, or one direction such as leaf1-spine2"
  fi
}

# Runs COMMAND with NODE DEVICE and the other arguments for each direction of LINK.
for_each() { # LINK COMMAND…
  local where node device
  where=$(directions "$1") || exit $?
  shift
  while read -r node device; do "$1" "$node" "$device" "${@:2}"; done <<<"$where"
}

cmd_rate() { # LINK MBIT
  [[ $# == 2 ]] || fail_usage "rate LINK MBIT"
  if ! is_number "$2" || (($2 < 1)); then fail_usage "rate: '$2' is no number of Mbit/s"; fi
  for_each "$1" set_rate "$2"
}

# Loses packets where they arrive, before the receiver forwards or answers them: probes see it too.
cmd_loss() { # LINK PERCENT
  [[ $# == 2 ]] || fail_usage "loss LINK PERCENT"
  is_decimal "$2" || fail_usage "loss: '$2' is no percentage"
  local ppm
  ppm=$(awk -v percent="$2" 'BEGIN { printf "%d", percent * 10000 + 0.5 }')
  ((ppm <= 1000000)) || fail_usage "loss: '$2' is more than 100 percent"
  lose "$1" "$ppm"
}

cmd_drop() { # LINK on|off
  case "${2:-}" in
    on) lose "$1" 1000000 ;;
    off) lose "$1" 0 ;;
    *) fail_usage "drop LINK on|off" ;;
  esac
}

# Losing takes a while to make ready, and then begins or ends in all directions at once, as a fault does.
lose() { # LINK PPM
  local ends node device pid setting=()
  ends=$(for_each "$1" far_end) || return $?
  while read -r node device; do ready_to_lose "$node" "$device"; done <<<"$ends"
  while read -r node device; do
    ip_in "$node" link set "$device" group "$2" &
    setting+=($!)
  done <<<"$ends"
  for pid in "${setting[@]}"; do wait "$pid" || return $?; done
  (($2 > 0)) || while read -r node device; do
    tc_in "$node" filter del dev "$device" ingress prio 1
  done <<<"$ends"
}

ready_to_lose() { # NODE DEVICE, where it arrives; the device's group is the loss, in ppm
  tc_in "$1" qdisc show dev "$2" clsact | grep -q . || tc_in "$1" qdisc add dev "$2" clsact
  attach "$1" "$2" ingress loss
}

far_end() { # NODE DEVICE: the node and device at the other end
  if [[ $1 == host* ]]; then
    echo "leaf$(leaf_of "${1#host}") $1"
  elif [[ $2 == host* ]]; then
    echo "$2 eth0"
  else
    echo "$2 $1"
  fi
}

cmd_link() { # SPINE|LEAF-SPINE down|up
  local l spine leaves
  [[ $# == 2 && ("$2" == up || "$2" == down) ]] || fail_usage "link SPINE|LEAF-SPINE down|up"
  case $1 in
    spine*-leaf*) spine=${1%-*} leaves=${1#*-leaf} ;;
    leaf*-spine*) spine=${1#*-} leaves=${1%-*} leaves=${leaves#leaf} ;;
    spine*) spine=$1 leaves=$(count_to "$LEAVES") ;;
    *) fail_usage "'$1' is no link that can be taken down: say spine2 or leaf1-spine2" ;;
  esac
  require_node "$spine"
  for l in $leaves; do
    require_node "leaf$l"
    # The spine's end goes down: the leaf's keeps its routes, which come back with the carrier.
    ip_in "$spine" link set "leaf$l" "$2"
    [[ $2 == down ]] || spine_routes "${spine#spine}" "$l" | ip_in "$spine" -batch -
  done
  [[ $2 == down ]] || for l in $leaves; do leaf_paths_back "$l" "${spine#spine}"; done
}

# Routes that the kernel dropped come back in the same order, so that hashes select as before.
leaf_paths_back() { # LEAF SPINE
  { leaf_routes "$1" "$2"; uplinks "$1"; } | ip_in "leaf$1" -batch -
}

build_bpf() {
  command -v clang >/dev/null || fail "the command 'clang' is missing: apt-get install clang llvm"
  # From its folder, by a relative name: the object must not tell where it was built.
  (cd "$HERE" && clang -O2 -g -Wall -Wno-unknown-attributes -target bpf -mcpu=v3 -fdebug-compilation-dir=. \
    -c switch.bpf.c -o switch.bpf.o && llvm-strip -g switch.bpf.o)
}
