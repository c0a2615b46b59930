# What the fabric is and what went through it, as JSON with one object a line.

# Joins the lines of its input with commas, inside brackets.
json_array() { sed -e '$!s/$/,/' | { echo "["; cat; printf ']'; }; }

cmd_topology() {
  printf '{"name":"%s","mtu":%s,"queueBytes":%s,"ecnBytes":%s,\n' "$NAME" "$MTU" $((QUEUE_KB * 1000)) $((ECN_KB * 1000))
  printf '"tcp":{"congestion":"%s","ecn":%s},\n' "$CONGESTION" "$TCP_ECN"
  printf '"ecmp":{"hash":"linux","policy":3,"fields":55,"seed":%s},\n' "$([[ $SEED == 0 ]] && echo null || echo "$SEED")"
  printf '"nodes":'; nodes_json | json_array
  printf ',\n"links":'; links_json | json_array
  printf ',\n"routes":'; routes_json | json_array
  echo "}"
}

nodes_json() {
  local h l s k
  for h in $(count_to "$HOSTS"); do
    l=$(leaf_of "$h")
    printf '{"name":"host%s","kind":"host","namespace":"%s","leaf":"leaf%s","interface":"eth0","addresses":[' "$h" "$(ns "host$h")" "$l"
    { for k in $(count_to "$ALIASES"); do printf '"10.%s.%s.%s"\n' "$l" "$h" "$k"; done
      for k in $(count_to "$ALIASES"); do printf '"fd00:%s:%s::%s"\n' "$l" "$h" "$k"; done; } | paste -sd, | tr -d '\n'
    echo "]}"
  done
  for l in $(count_to "$LEAVES"); do printf '{"name":"leaf%s","kind":"leaf","namespace":"%s"}\n' "$l" "$(ns "leaf$l")"; done
  for s in $(count_to "$SPINES"); do printf '{"name":"spine%s","kind":"spine","namespace":"%s"}\n' "$s" "$(ns "spine$s")"; done
}

links_json() {
  local h l s
  for h in $(count_to "$HOSTS"); do
    l=$(leaf_of "$h")
    link_json "host$h" "leaf$l" "$l.$h.1" "$l.$h.254" "$(current_rate "host$h" eth0)"
    link_json "leaf$l" "host$h" "$l.$h.254" "$l.$h.1" "$(current_rate "leaf$l" "host$h")"
  done
  for l in $(count_to "$LEAVES"); do
    for s in $(count_to "$SPINES"); do
      link_json "leaf$l" "spine$s" "$((100 + l)).$s.1" "$((100 + l)).$s.2" "$(current_rate "leaf$l" "spine$s")"
      link_json "spine$s" "leaf$l" "$((100 + l)).$s.2" "$((100 + l)).$s.1" "$(current_rate "spine$s" "leaf$l")"
    done
  done
}

link_json() { # FROM TO ADDRESS ADDRESS MBIT, addresses without the leading 10.
  printf '{"from":"%s","to":"%s","fromAddress":"10.%s","toAddress":"10.%s","mbit":%s}\n' "$@"
}

current_rate() { # NODE DEVICE: Mbit/s, or null where nothing limits it
  tc_in "$1" -s qdisc show dev "$2" root 2>/dev/null |
    awk '$2 == "tbf" { rate = $0; sub(/.* rate /, "", rate); split(rate, word, " "); n = word[1] + 0
           if (word[1] ~ /Gbit/) n *= 1000; else if (word[1] ~ /Kbit/) n /= 1000 }
         END { print n == "" ? "null" : n }'
}

# Which next hops a leaf hashes onto, in the order of its hash buckets.
routes_json() {
  local l other
  for l in $(count_to "$LEAVES"); do
    for other in $(count_to "$LEAVES"); do
      [[ $other != "$l" ]] || continue
      printf '{"node":"leaf%s","destination":"10.%s.0.0/16","nextHops":[%s]}\n' "$l" "$other" \
        "$(for s in $(count_to "$SPINES"); do echo "\"spine$s\""; done | paste -sd,)"
    done
  done
}

cmd_counters() {
  local n
  printf '{"links":'
  { for n in $(count_to "$LEAVES"); do port_counters "leaf$n"; done
    for n in $(count_to "$SPINES"); do port_counters "spine$n"; done
    for n in $(count_to "$HOSTS"); do port_counters "host$n"; done; } | json_array
  printf ',\n"nodes":'
  { for n in $(count_to "$SPINES"); do node_counters "spine$n"; done
    for n in $(count_to "$LEAVES"); do node_counters "leaf$n"; done
    for n in $(count_to "$HOSTS"); do node_counters "host$n"; done; } | json_array
  echo "}"
}

# Bytes and packets that left by each port; drops are those of its queue, lost those of the loss program at
# its far end. One process per node: /proc/net is that of the namespace.
port_counters() { # NODE
  in_ns "$1" sh -c 'cat /proc/net/dev; tc -s qdisc show' | awk -v node="$1" -v leaf="$( [[ $1 != host* ]] || echo "leaf$(leaf_of "${1#host}")")" '
    /^ *(spine[0-9]+|leaf[0-9]+|host[0-9]+|eth0):/ { name = $1; sub(/:.*/, "", name); sub(/^[^:]*:/, "")
      order[++ports] = name; bytes[name] = $9; packets[name] = $10 }
    /^qdisc/ { name = $5; kind = $2 }
    /dropped/ { match($0, /dropped [0-9]+/); n = substr($0, RSTART + 8, RLENGTH - 8)
      if (kind == "tbf") drops[name] = n; else if (kind == "clsact") lost[name] = n }
    /backlog/ && kind == "tbf" { backlog[name] = $2; sub(/b$/, "", backlog[name]); if (backlog[name] ~ /Kb?$/) backlog[name] = backlog[name] * 1024 }
    END { for (i = 1; i <= ports; i++) { name = order[i]
      printf "{\"from\":\"%s\",\"to\":\"%s\",\"bytes\":%s,\"packets\":%s,\"queueDrops\":%d,\"backlogBytes\":%d,\"lostOnArrival\":%d}\n",
        node, name == "eth0" ? leaf : name, bytes[name], packets[name], drops[name], backlog[name], lost[name] } }'
}

# Bytes that left by all ports. Packets that came in marked: those of a spine were marked by leaves, those of
# a leaf by spines too.
node_counters() { # NODE
  in_ns "$1" cat /proc/net/dev /proc/net/netstat /proc/net/snmp6 | awk -v node="$1" '
    /^ *(spine[0-9]+|leaf[0-9]+|host[0-9]+|eth0):/ { sub(/^[^:]*:/, ""); bytes += $9 }
    $1 == "IpExt:" && !header { header = 1; for (i = 2; i <= NF; i++) name[i] = $i; next }
    $1 == "IpExt:" { for (i = 2; i <= NF; i++) count[name[i]] += $i }
    $1 ~ /^Ip6In(NoECT|ECT0|ECT1|CE)Pkts$/ { sub(/^Ip6/, "", $1); count[$1] += $2 }
    END { ect = count["InECT0Pkts"] + count["InECT1Pkts"]; ce = count["InCEPkts"]
      printf "{\"node\":\"%s\",\"bytesOut\":%.0f,\"packetsIn\":%.0f,\"ectPacketsIn\":%.0f,\"cePacketsIn\":%.0f}\n",
        node, bytes, count["InNoECTPkts"] + ect + ce, ect, ce }'
}
