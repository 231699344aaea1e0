// The files of a release: the programs in TypeScript, the built console, the native programs, the packages of npm that
// the programs import, and Node. A release has the layout of the clone, so that the programs find each other.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Architecture } from './architecture.ts'

/** Folders of the clone with the programs. */
const PROGRAMS = [
  'accounts',
  'cloud',
  'contract',
  'data-files',
  'device-link',
  'engine',
  'firewall',
  'hub',
  'license',
  'pack',
  'process-log',
  'supervisor',
  'tls',
  'updater',
  'web-server',
  'package.json',
  'size-budget.json'
]

/**
 * Files in these folders that no program reads: C sources, the reference licence server, notes and type checks. The
 * folder of the translations must exist, also while it has only its note.
 */
const NOT_INSTALLED =
  /^engine\/native\/|^license\/server\/|^(?!contract\/text\/translations\/).*\.md$|\/tsconfig\.json$/

/** Packages that only the console imports; its build contains them. */
const CONSOLE_PACKAGES: readonly string[] = ['@picocss/pico', 'nanostores', 'preact', 'wouter']

/** Files of npm packages that programs do not load: types, source maps, add-ons, documents, tests, tools. */
const NOT_LOADED =
  /\.([cm]?ts|map|flow|md|markdown|html|node|gyp|c|cc|h|S|sh|yml)$|(^|\/)\.|^(docs?|examples?|tests?|bench(marks?)?)(\/|$)/i

export const NATIVE_PROGRAMS: readonly string[] = [
  'headend-hide-args.so',
  'headend-ndi',
  'headend-recorder',
  'headend-relay',
  'headend-srt',
  'headend-watchdog'
]

/** An entry of package-lock.json. */
interface LockedPackage {
  version?: string
  dependencies?: Record<string, string>
}

type Lock = Record<string, LockedPackage>

/** Folder of the package that a package imports by a name: the nearest `node_modules` counts. */
function resolvePackage(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = join(folder, 'node_modules', name)
    if (lock[path]) return path
    if (!folder) throw new Error(`The lockfile has no ${name}, which ${from || 'the project'} needs.`)
  }
}

/**
 * Folders of all packages of npm that the programs need, in order. Optional ones, such as native
 * add-ons, are left out: they are not installed on every machine.
 */
export function runtimePackages(root: string): string[] {
  const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const lock: Lock = readJson('package-lock.json').packages
  const direct = Object.keys(readJson('package.json').dependencies)
  const found = new Set<string>()
  const add = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = resolvePackage(lock, from, name)
      if (found.has(path)) continue
      found.add(path)
      add(path, Object.keys(lock[path]?.dependencies ?? {}))
    }
  }
  add(
    '',
    direct.filter((name) => !CONSOLE_PACKAGES.includes(name))
  )
  return [...found].sort()
}

/** Copies a file and makes its folder. */
function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** Paths of the programs in TypeScript, relative to the clone. Symbolic links are followed. */
export function listPrograms(root: string): string[] {
  const tracked = execFileSync('git', ['-C', root, 'ls-files', '-z', '--', ...PROGRAMS], { encoding: 'utf8' })
  return tracked.split('\0').filter((path) => path && !NOT_INSTALLED.test(path))
}

/** Sets the version that the programs of a release read. */
export function writeVersion(folder: string, version: string): void {
  const path = join(folder, 'package.json')
  const text = `${JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }, undefined, 2)}\n`
  writeFileSync(path, text)
}

/** Copies what the programs load of the packages of npm. */
export function writePackages(root: string, folder: string): void {
  for (const path of runtimePackages(root)) {
    const source = join(root, path)
    const isLoaded = (file: string) => !NOT_LOADED.test(file.slice(source.length + 1))
    cpSync(source, join(folder, path), { recursive: true, filter: isLoaded })
  }
}

/**
 * Writes the release into a folder.
 * @param root the clone, in which consoles and native programs are built
 * @param node the program of Node
 * @throws Error when a native program is missing
 */
export function writeRelease(root: string, folder: string, { programs, triplet }: Architecture, node: string): void {
  for (const path of listPrograms(root)) copyFile(join(root, path), join(folder, path))
  for (const name of ['dist', 'dist-cloud']) cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of NATIVE_PROGRAMS) {
    const program = join(programs, name)
    if (!existsSync(program)) throw new Error(`${program} is missing: its build says why.`)
    copyFile(program, join(folder, 'build', name))
    execFileSync(`${triplet}-strip`, ['--strip-unneeded', join(folder, 'build', name)])
  }
  writePackages(root, folder)
  copyFile(node, join(folder, 'bin/node'))
}
