# Debian ships no siw: it is built out of the kernel's own source and header packages, of the kernel's very version.

build_siw() {
  require_tool gcc gcc; require_tool make make
  local release flavourless series version headers common kbuild source
  release=$(kernel_release)
  flavourless=${release%-amd64}
  series=$(cut -d. -f1,2 <<<"$release")
  version=$(dpkg-deb -f "$CACHE"/packages/linux-image-"$release"_*.deb Version)
  headers=linux-headers-$release common=linux-headers-$flavourless-common kbuild=linux-kbuild-$series source=linux-source-$series
  local package
  for package in "$headers" "$common" "$kbuild" "$source"; do fetch "$package" "$version"; done

  local build=$CACHE/siw root=$CACHE/siw/root
  rm -rf "$build"; mkdir -p "$root"
  for package in "$headers" "$common" "$kbuild"; do dpkg-deb -x "$CACHE"/packages/"$package"_*.deb "$root"; done
  relocate "$root" "$headers" "$common" "$kbuild"
  dpkg-deb --fsys-tarfile "$CACHE"/packages/"$source"_*.deb | tar -xO "./usr/src/$source.tar.xz" \
    | tar -xJ -C "$build" --strip-components=1 --wildcards "$source/drivers/infiniband/sw/siw/*"
  local folder=$build/drivers/infiniband/sw/siw
  make -s -C "$root/usr/src/$headers" M="$folder" CONFIG_RDMA_SIW=m modules >"$build/make.log" 2>&1 \
    || { tail -20 "$build/make.log" >&2; fail "cannot build siw"; }
  cp "$folder/siw.ko" "$build/siw.ko"
  siw_fingerprint >"$build/made-by"
}

# Building takes a minute: it is done again only for another kernel or in another way.
siw_fingerprint() { { kernel_release; cat "$HERE/lib/siw.sh"; } | sha256sum; }

# The header packages point at one another by absolute paths, where nothing is installed.
relocate() { # ROOT HEADERS COMMON KBUILD
  local root=$1 headers=$1/usr/src/$2 common=$1/usr/src/$3 link
  grep -lsr "/usr/src/$3" "$headers"/Makefile "$headers"/.kernelvariables | xargs -r sed -i "s#/usr/src/$3#$common#g"
  for link in "$headers"/{scripts,tools} "$common"/{scripts,tools}; do
    [[ ! -L "$link" ]] || ln -sfn "$root/usr/lib/$4/$(basename "$link")" "$link"
  done
}
