#!/usr/bin/env bash
# Installs what is missing: `make/install.sh packages|media|browsers|image|servers`. What cannot be installed is named, with the command that does.
set -euo pipefail
cd "$(dirname "$0")/.."
# npm must not run on the Node it is about to replace.
PATH=${PATH//"$PWD/node_modules/.bin:"/}

# Whether each package of the lockfile is there in its version. npm keeps its own record of what it installed.
installed() {
  node -e '
    const { packages } = require("./package-lock.json")
    const there = require("./node_modules/.package-lock.json").packages
    const wanted = Object.entries(packages).filter(([path, { optional }]) => path && !optional)
    process.exit(wanted.every(([path, { version }]) => there[path]?.version === version) ? 0 : 1)
  ' 2>/dev/null
}

packages() {
  command -v npm >/dev/null || { echo "npm is missing. Install it: apt-get install nodejs npm" >&2; exit 1; }
  # `npm ci` wants every machine's optional packages in the lockfile, also those that a registry does not carry. `npm install`
  # takes the same versions, checked by the same hashes, and without --save leaves the lockfile alone.
  installed || npm ci --silent >/dev/null 2>&1 || npm install --no-save --loglevel=error
  local node
  node=$(PATH="$PWD/node_modules/.bin:$PATH" node -p 'process.versions.node')
  [ "${node%%.*}" -ge 24 ] || { echo "Node $node is too old and the lockfile has none for this machine: install Node 24 or newer." >&2; exit 1; }
}

# install_idle <Debian package>...: installs without starting a service, now or at the next boot: the hub runs what it needs itself.
install_idle() {
  local policy=/usr/sbin/policy-rc.d placed= done=0 service
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${root[@]}" tee "$policy" >/dev/null && "${root[@]}" chmod 755 "$policy" && placed=1
  fi
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null || done=$?
  [ -z "$placed" ] || "${root[@]}" rm -f "$policy"
  for service in "$@"; do
    [ ! -e "/lib/systemd/system/$service.service" ] || "${root[@]}" systemctl --quiet disable "$service" 2>/dev/null || true
  done
  return $done
}

updated=
# need <what for> <command or file>=<Debian package>...
need() {
  local purpose=$1 pair missing=()
  shift
  for pair in "$@"; do
    [ -e "${pair%=*}" ] || PATH=$PATH:/usr/sbin command -v "${pair%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local root=()
  if [ "$(id -u)" -ne 0 ]; then root=(sudo -n); fi
  if command -v apt-get >/dev/null && "${root[@]}" true 2>/dev/null; then
    echo "Installing ${missing[*]} ($purpose)"
    [ -n "$updated" ] || "${root[@]}" apt-get -qq update || true
    updated=1
    install_idle "${missing[@]}" && return 0
  fi
  echo "Missing: ${missing[*]} ($purpose). Install: sudo apt-get install ${missing[*]}" >&2
}

fonts=/usr/share/fonts
case ${1:-} in
  packages) packages ;;
  media)
    need 'without it no streams run' ffmpeg=ffmpeg "$fonts/truetype/dejavu/DejaVuSans.ttf=fonts-dejavu-core"
    need 'without it Chinese names of channels are boxes in still pictures' "$fonts/opentype/noto/NotoSansCJK-Regular.ttc=fonts-noto-cjk"
    need 'without them there is no SRT port for all' cc=gcc /usr/include/stdio.h=libc6-dev /usr/include/srt/srt.h=libsrt-gnutls-dev
    need 'without them there is no RTMP port for all' /usr/sbin/nginx=nginx /usr/lib/nginx/modules/ngx_rtmp_module.so=libnginx-mod-rtmp
    ;;
  browsers)
    need 'the tests drive them' chromium=chromium firefox-esr=firefox-esr "$fonts/opentype/noto/NotoSansCJK-Regular.ttc=fonts-noto-cjk"
    ;;
  image)
    need 'without it no image is packed' mksquashfs=squashfs-tools openssl=openssl git=git
    ;;
  servers)
    need 'the tests drive them' nginx=nginx /usr/lib/nginx/modules/ngx_http_brotli_static_module.so=libnginx-mod-http-brotli-static \
      lighttpd=lighttpd /usr/lib/lighttpd/mod_magnet.so=lighttpd-modules-lua busybox=busybox caddy=caddy
    ;;
  *) echo "usage: make/install.sh packages|media|browsers|image|servers" >&2; exit 2 ;;
esac
