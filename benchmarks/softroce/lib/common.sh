# Shared by all commands: errors and prerequisites.

fail() { echo "guest: $*" >&2; exit 125; }
fail_usage() { echo "guest: $* (guest --help)" >&2; exit 2; }

require_tool() { # COMMAND PACKAGE
  command -v "$1" >/dev/null || fail "the command '$1' is missing: apt-get install $2"
}

require_number() { # OPTION VALUE
  [[ "$2" =~ ^[1-9][0-9]*$ ]] || fail_usage "$1 needs a number above 0, not '$2'"
}

# The kernel's release, as its folder of modules is called.
kernel_release() { (cd "$CACHE/kernel/lib/modules" && echo *); }
