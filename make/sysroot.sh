#!/usr/bin/env bash
# Writes build/sysroot/ARCH: headers and libraries of Debian for another processor, with which native programs are compiled, and what
# dpkg-shlibdeps reads of their packages. `make/sysroot.sh ARCH`. apt uses folders of its own, so that this machine gets no foreign packages.
set -euo pipefail
cd "$(dirname "$0")/.."
arch=$1
folder=$PWD/build/sysroot/$arch
# A sysroot of this release of Debian is complete, and stays.
if cmp -s "$folder/debian_version" /etc/debian_version; then exit 0; fi

# What the native programs and Node are linked with.
packages=(libc6-dev libsrt-gnutls-dev libstdc++6 libatomic1)

state=$folder.apt
rm -rf "$folder" "$state"
mkdir -p "$folder/usr/lib" "$folder/DEBIAN" "$state"/{sources,lists/partial,archives/partial}
: >"$state/status"
# Only Debian's own archive: others may have nothing for this processor.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
  if grep -siqE '^(deb|uris:).*/debian\b' "$file"; then ln -s "$file" "$state/sources/"; fi
done
apt=(apt-get -qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$state" -o "Dir::State::status=$state/status"
  -o "Dir::Cache=$state" -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$state/sources" -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends --download-only "${packages[@]}" >/dev/null

# Older releases of Debian have packages with files in /lib, newer ones only in /usr/lib.
ln -s usr/lib "$folder/lib"
for package in "$state"/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$folder"
  for file in symbols shlibs; do
    dpkg-deb --ctrl-tarfile "$package" | tar -xO "./$file" >>"$folder/DEBIAN/$file" 2>/dev/null || true
  done
done
# Absolute links would lead to the files of this machine.
find "$folder" -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do ln -sfnr "$folder$target" "$link"; done
rm -r "$state"
cp /etc/debian_version "$folder/debian_version"
