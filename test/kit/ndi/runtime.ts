// The real NDI runtime that `make ndi-runtime` fetches into the user's cache. It is never in the project.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Folder of the library `libndi.so.5`, of its headers and licences. make/ndi-runtime.sh names the same folder. */
export const NDI_RUNTIME_FOLDER = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'headend/ndi-runtime-5.5.2'
)

/** The programs that machines.ts runs, with their Debian packages. */
const PROGRAMS = {
  cc: 'gcc',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  ip: 'iproute2',
  'dbus-daemon': 'dbus',
  'avahi-daemon': 'avahi-daemon',
  tcpdump: 'tcpdump'
} as const
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']

/**
 * What tests with the real NDI runtime do not find on this machine, for `suiteRequiring`; undefined if nothing is
 * missing.
 */
export function missingForNdi(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Network namespaces are missing: NDI tests must run as root on Linux.'
  for (const [program, debianPackage] of Object.entries(PROGRAMS))
    if (!FOLDERS.some((folder) => existsSync(join(folder, program))))
      return `${program} is missing. Install: apt-get install ${debianPackage}`
  if (!existsSync(join(NDI_RUNTIME_FOLDER, 'libndi.so.5')))
    return `The NDI runtime is missing in ${NDI_RUNTIME_FOLDER}. Fetch it: make ndi-runtime`
  return undefined
}
