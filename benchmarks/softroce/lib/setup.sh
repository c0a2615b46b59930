# What `setup` makes, in $CACHE: kernel/ (package, unpacked), vmlinux, siw/siw.ko, initramfs.gz.

# Loaded at boot, with what they depend on. Soft-RoCE asks for crc32 by the name of an algorithm, which no dependency tells.
BOOT_MODULES=(virtio_pci virtio_console 9pnet_virtio 9p overlay virtio_net crc32_generic crc32c_generic libcrc32c rdma_rxe rdma_ucm)

require_setup() {
  [[ $(uname -m) == x86_64 ]] || fail "needs an x86-64 machine"
  [[ $(id -u) == 0 ]] || fail "needs root: the machine's command runs as root over this machine's files"
  require_tool qemu-system-x86_64 qemu-system-x86
  require_tool rdma iproute2
  require_tool rping rdmacm-utils
  mkdir -p "$CACHE"
  # One at a time; who waits finds it done.
  exec {SETUP_LOCK}>"$CACHE/lock"
  flock "$SETUP_LOCK"
  if [[ "$(cat "$CACHE/made-by" 2>/dev/null)" != "$(fingerprint)" ]]; then
    rm -f "$CACHE/made-by"
    fetch_kernel
    [[ "$(cat "$CACHE/siw/made-by" 2>/dev/null)" == "$(siw_fingerprint)" ]] || build_siw
    pack_initramfs
    fingerprint >"$CACHE/made-by"
  fi
  exec {SETUP_LOCK}>&-
}

# Changes when the scripts do: then everything is made anew out of the packages that are there.
fingerprint() { cat "$HERE/lib/setup.sh" "$HERE/lib/siw.sh" "$HERE/lib/initramfs-init" | sha256sum; }

fetch() { # PACKAGE [VERSION]: into packages/, unless it is there
  [[ -z "$(compgen -G "$CACHE/packages/${1}_*.deb" || true)" ]] || return 0
  mkdir -p "$CACHE/packages"
  # The lists may be older than what the archive still has.
  download "$@" || { apt-get -q update >/dev/null && download "$@"; } \
    || fail "cannot download the package $1${2:+ $2}; when it is no longer in the archive, remove $CACHE"
}

download() { # PACKAGE [VERSION]
  (cd "$CACHE/packages" \
    && apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User=root download "$1${2:+=$2}" >/dev/null)
}

fetch_kernel() {
  require_tool apt-get apt; require_tool xz xz-utils
  local package
  package=$(compgen -G "$CACHE/packages/linux-image-*.deb" | head -1 | sed 's#.*/##; s/_.*//' || true)
  [[ -n "$package" ]] || package=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9]\S*\).*/\1/p' | head -1)
  [[ -n "$package" ]] || fail "no package linux-image-amd64: apt-get update"
  fetch "$package"
  rm -rf "$CACHE/kernel"
  dpkg-deb -x "$CACHE"/packages/"$package"_*.deb "$CACHE/kernel"
  depmod -b "$CACHE/kernel" "$(kernel_release)"
  uncompress_kernel "$CACHE/kernel/boot/vmlinuz-$(kernel_release)" "$CACHE/vmlinux"
}

# Emulated, the kernel's own decompressor takes seconds. The ELF file inside boots as it is.
uncompress_kernel() { # FROM TO
  local offset
  offset=$(grep -abo -m1 -P '\xFD7zXZ\x00' "$1" | head -1 | cut -d: -f1)
  [[ -n "$offset" ]] || fail "the kernel $1 is not compressed with xz"
  tail -c +$((offset + 1)) "$1" | xz -dc --single-stream >"$2" 2>/dev/null || true
  [[ "$(head -c 4 "$2")" == $'\x7fELF' ]] || fail "no ELF file in $1"
}

pack_initramfs() {
  require_tool busybox busybox-static; require_tool cpio cpio; require_tool modprobe kmod
  local root=$CACHE/initramfs release module file number=100
  release=$(kernel_release)
  rm -rf "$root"
  mkdir -p "$root"/{bin,modules,proc,sys,dev,lower,upper,root}
  cp "$(command -v busybox)" "$root/bin/busybox"
  install -m 755 "$HERE/lib/initramfs-init" "$root/init"
  for module in "${BOOT_MODULES[@]}"; do
    modprobe -d "$CACHE/kernel" -S "$release" --show-depends "$module" || fail "no kernel module $module"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$CACHE/modules.list"
  while read -r file; do
    cp "$file" "$root/modules/$((number++))-$(basename "$file")"
  done <"$CACHE/modules.list"
  cp "$CACHE/siw/siw.ko" "$root/modules/999-siw.ko"
  (cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$CACHE/initramfs.gz"
}
