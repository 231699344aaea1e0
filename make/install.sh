#!/usr/bin/env bash
# Installs missing dependencies: `make/install.sh GROUP...`, with the groups packages, media, browsers, image, servers, networks,
# fuzzing, deb, deb-amd64, deb-arm64, oci, clean-root, appliance and virtual-machine. If it cannot install a package, it prints the command.
set -euo pipefail
cd "$(dirname "$0")/.."
# npm must not run on the Node version that it replaces.
PATH=${PATH//"$PWD/node_modules/.bin:"/}

# Whether every package of the lockfile is installed in its version, according to npm's record of installed packages.
installed() {
  node -e '
    const { packages } = require("./package-lock.json")
    const present = require("./node_modules/.package-lock.json").packages
    const required = Object.entries(packages).filter(([path, { optional }]) => path && !optional)
    process.exit(required.every(([path, { version }]) => present[path]?.version === version) ? 0 : 1)
  ' 2>/dev/null
}

packages() {
  command -v npm >/dev/null || { echo "npm is not installed. Install it: apt-get install nodejs npm" >&2; exit 1; }
  # Installs the versions of the lockfile with their hashes, and does not change it. `npm ci` would remove and write all other packages, too.
  installed || npm install --no-save --loglevel=error
  local node
  node=$(PATH="$PWD/node_modules/.bin:$PATH" node -p 'process.versions.node')
  [ "${node%%.*}" -ge 24 ] || { echo "Node $node is too old, and the lockfile has no Node for this machine. Install Node 24 or later." >&2; exit 1; }
}

root=()
if [ "$(id -u)" -ne 0 ]; then root=(sudo -n); fi

# install_idle <Debian package>...: installs packages without starting or enabling their services, because the hub starts the programs itself.
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

missing=()
purposes=()
# require <purpose> <command or file>=<Debian package>...: notes the packages whose command or file is missing.
require() {
  local purpose=$1 pair count=${#missing[@]}
  shift
  for pair in "$@"; do
    [ -e "${pair%=*}" ] || PATH=$PATH:/usr/sbin command -v "${pair%=*}" >/dev/null || missing+=("${pair#*=}")
  done
  [ ${#missing[@]} -eq "$count" ] || purposes+=("$purpose")
}

# Installs all missing packages of the system in one call, because each call reads and configures everything again.
install_missing() {
  [ ${#missing[@]} -gt 0 ] || return 0
  local reason
  reason=$(printf '%s; ' "${purposes[@]}")
  if command -v apt-get >/dev/null && "${root[@]}" true 2>/dev/null; then
    echo "Installing ${missing[*]} (${reason%; })"
    "${root[@]}" apt-get -qq update || true
    install_idle "${missing[@]}" && return 0
  fi
  echo "Missing: ${missing[*]} (${reason%; }). Install: sudo apt-get install ${missing[*]}" >&2
}

fonts=/usr/share/fonts
[ $# -gt 0 ] || set -- help
for group in "$@"; do
  case $group in
    packages) packages ;;
    media)
      require 'required for streams' ffmpeg=ffmpeg "$fonts/truetype/dejavu/DejaVuSans.ttf=fonts-dejavu-core"
      require 'required for HTTPS' openssl=openssl
      require 'required for Chinese channel names in slates' "$fonts/opentype/noto/NotoSansCJK-Regular.ttc=fonts-noto-cjk"
      require 'required for the shared SRT port' cc=gcc /usr/include/stdio.h=libc6-dev /usr/include/srt/srt.h=libsrt-gnutls-dev
      require 'required for the shared RTMP port' /usr/sbin/nginx=nginx /usr/lib/nginx/modules/ngx_rtmp_module.so=libnginx-mod-rtmp
      ;;
    browsers)
      require 'required by tests' chromium-headless-shell=chromium-headless-shell firefox-esr=firefox-esr "$fonts/opentype/noto/NotoSansCJK-Regular.ttc=fonts-noto-cjk"
      ;;
    image)
      require 'required for firmware images' mksquashfs=squashfs-tools openssl=openssl git=git
      ;;
    appliance)
      require 'required for the appliance' mmdebstrap=mmdebstrap rauc=rauc mksquashfs=squashfs-tools mcopy=mtools mkfs.vfat=dosfstools \
        grub-mkimage=grub-common /usr/lib/grub/x86_64-efi/linux.mod=grub-efi-amd64-bin sfdisk=fdisk mke2fs=e2fsprogs openssl=openssl
      ;;
    virtual-machine)
      require 'required by tests of the appliance' qemu-system-x86_64=qemu-system-x86 /usr/share/OVMF/OVMF_CODE_4M.fd=ovmf
      ;;
    servers)
      require 'required by tests' curl=curl nginx=nginx /usr/lib/nginx/modules/ngx_http_brotli_static_module.so=libnginx-mod-http-brotli-static \
        lighttpd=lighttpd /usr/lib/lighttpd/mod_magnet.so=lighttpd-modules-lua busybox=busybox caddy=caddy
      local_postgres=$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | tail -n 1 || true)
      require 'required by tests of the cloud' "${local_postgres:-initdb}=postgresql"
      require 'required by tests of the deploy files' docker-compose=docker-compose /usr/share/doc/python3-yaml=python3-yaml
      require 'required by tests of notifications' mosquitto=mosquitto snmptrapd=snmptrapd /usr/sbin/snmpd=snmpd snmptranslate=snmp apprise=apprise
      require 'required by tests of the Videohub protocol' /usr/lib/python3/dist-packages/pyatem/videohub.py=python3-pyatem
      ;;
    networks)
      require 'required by tests with NDI and of machine settings' pgrep=procps ip=iproute2
      require 'required by tests with NDI' tcpdump=tcpdump dbus-daemon=dbus avahi-daemon=avahi-daemon
      require 'required by tests of the units' systemd-analyze=systemd
      require 'required by tests of machine settings' /usr/lib/polkit-1/polkitd=polkitd NetworkManager=network-manager nft=nftables chronyd=chrony ping=iputils-ping \
        /usr/share/doc/python3-dbusmock=python3-dbusmock
      ;;
    fuzzing)
      require 'required by tests of the native programs' clang=clang /usr/share/doc/libclang-rt-14-dev=libclang-rt-14-dev readelf=binutils
      ;;
    deb)
      require 'required for the Debian package' dpkg-shlibdeps=dpkg-dev strip=binutils git=git
      ;;
    deb-amd64) require 'required for the Debian package of amd64' x86_64-linux-gnu-gcc=gcc-x86-64-linux-gnu ;;
    deb-arm64) require 'required for the Debian package of arm64' aarch64-linux-gnu-gcc=gcc-aarch64-linux-gnu ;;
    oci) require 'required for images of containers' mmdebstrap=mmdebstrap ;;
    clean-root)
      require 'required by tests of the Debian package' lintian=lintian mmdebstrap=mmdebstrap qemu-aarch64-static=qemu-user-static
      require 'required by tests of images' umoci=umoci skopeo=skopeo runc=runc
      ;;
    *) echo "usage: make/install.sh packages|media|browsers|image|servers|networks|fuzzing|deb|deb-amd64|deb-arm64|oci|clean-root|appliance|virtual-machine ..." >&2; exit 2 ;;
  esac
done

install_missing
