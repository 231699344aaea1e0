// Where the packages of Debian come from.
import { globSync, readFileSync } from 'node:fs'

/** Name of the Debian that this machine runs, for example `bookworm`; undefined if it is not known. */
export function ownRelease(): string | undefined {
  return /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
}

/** The files of this machine's apt that name Debian's archive; mmdebstrap has a list of its own if there are none. */
export function debianSources(): string[] {
  const files = globSync(['/etc/apt/sources.list', '/etc/apt/sources.list.d/*.{list,sources}'])
  return files.filter((file) => /^(deb|uris:).*\/debian\b/im.test(readFileSync(file, 'utf8')))
}
