# Boots machines and waits for them.

run() {
  local device=rxe aliases=4 mtu=4200 memory=1536 cpus=1 seconds=300 shares=()
  while [[ "${1:-}" == --* ]]; do
    [[ "$1" != -- ]] || { shift; break; }
    [[ $# -ge 2 ]] || fail_usage "$1 needs a value"
    case $1 in
      --device) device=$2 ;;
      --aliases) require_number "$1" "$2"; aliases=$2 ;;
      --mtu) require_number "$1" "$2"; mtu=$2 ;;
      --share) [[ -d "$2" ]] || fail_usage "no folder $2"; shares+=("$(readlink -f "$2")") ;;
      --memory) require_number "$1" "$2"; memory=$2 ;;
      --cpus) require_number "$1" "$2"; cpus=$2 ;;
      --seconds) require_number "$1" "$2"; seconds=$2 ;;
      *) fail_usage "unknown option $1" ;;
    esac
    shift 2
  done
  [[ $# -gt 0 ]] || fail_usage "run needs -- and a command"
  [[ "$device" =~ ^(rxe|siw)$ ]] || fail_usage "--device is rxe or siw, not '$device'"
  require_setup

  STATE=$(mktemp -d "${TMPDIR:-/tmp}/maestro-guest.XXXXXX")
  MACHINES=()
  trap clean_up EXIT
  trap 'exit 130' INT TERM
  printf '%q ' exec "$@" >"$STATE/command"
  settings guest "$(addresses 10.99.0 "$aliases")" "" >"$STATE/settings"
  boot "$STATE" "hubport,id=net,hubid=0" 52:54:00:99:00:01
  local machine=${MACHINES[0]}
  tail -q -s 0.1 -n +1 -f --pid="$machine" "$STATE/output" &
  local out=$!
  tail -q -s 0.1 -n +1 -f --pid="$machine" "$STATE/errors" >&2 &
  local err=$!
  wait "$machine" 2>/dev/null || true
  wait "$out" "$err" || true
  local status=0
  outcome "$STATE" || status=$?
  exit "$status"
}

clean_up() {
  local machine
  for machine in "${MACHINES[@]}"; do kill -KILL "$machine" 2>/dev/null || true; done
  rm -rf "$STATE"
}

addresses() { # PREFIX COUNT
  local last
  for last in $(seq 1 "$2"); do printf '%s.%s/24 ' "$1" "$last"; done
}

# What the machine reads at its start; the options of `run` are the caller's.
settings() { # NAME ADDRESSES GATEWAY
  printf 'NAME=%q\nADDRESSES=%q\nGATEWAY=%q\nMTU=%q\nDEVICE=%q\nFOLDER=%q\n' "$1" "$2" "$3" "$mtu" "$device" "$PWD"
  echo "SHARES=(${shares[*]@Q})"
}

# Starts a machine with the options of `run`, killed at the deadline; its process is added to MACHINES.
boot() { # STATE NETWORK MAC
  local state=$1 number=0 folder folders=()
  cp "$HERE/lib/start" "$state/start"
  touch "$state/output" "$state/errors"
  for folder in "${shares[@]}"; do
    folders+=(-fsdev "local,id=share$number,path=$folder,security_model=none,multidevs=remap"
      -device "virtio-9p-pci,fsdev=share$number,mount_tag=share$number")
    number=$((number + 1))
  done
  # Nehalem: a CPU without AVX is emulated faster.
  timeout --signal=KILL "$seconds" qemu-system-x86_64 \
    -M pc,usb=off,vmport=off -accel tcg,thread=multi,tb-size=512 -cpu Nehalem -smp "$cpus" -m "$memory" \
    -nodefaults -no-user-config -no-reboot -display none -monitor none \
    -kernel "$CACHE/vmlinux" -initrd "$CACHE/initramfs.gz" \
    -append "console=ttyS0 panic=-1 mitigations=off nokaslr tsc=reliable no_timer_check audit=0 quiet rdinit=/init" \
    -serial "file:$state/console" \
    -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap \
    -device virtio-9p-pci,fsdev=host,mount_tag=host \
    -fsdev "local,id=control,path=$state,security_model=none" -device virtio-9p-pci,fsdev=control,mount_tag=control \
    "${folders[@]}" \
    -netdev "$2" -device "virtio-net-pci,netdev=net,mac=$3,romfile=" \
    -device virtio-serial-pci \
    -chardev "file,id=output,path=$state/output,append=on" -device virtserialport,chardev=output,name=output \
    -chardev "file,id=errors,path=$state/errors,append=on" -device virtserialport,chardev=errors,name=errors \
    </dev/null >"$state/qemu" 2>&1 &
  MACHINES+=("$!")
  STARTED=$SECONDS
}

# The exit status of a machine that has ended, and in one line how it went.
outcome() { # STATE
  local booted
  booted=$(cat "$1/booted" 2>/dev/null || echo none)
  echo "guest: booted in $booted s, ended after $((SECONDS - STARTED)) s" >&2
  if [[ -s "$1/status" ]]; then
    return "$(cat "$1/status")"
  elif ((SECONDS - STARTED >= seconds)); then
    echo "guest: stopped at its deadline of $seconds s; its console:" >&2
    tail -n 5 "$1/console" >&2 || true
    return 124
  fi
  echo "guest: the machine failed; its console:" >&2
  tail -n 20 "$1/console" "$1/qemu" >&2 || true
  return 125
}
