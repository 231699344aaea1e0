// Rules for dependencies: pinned versions, and no install scripts.

export interface PackageFile {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

interface Locked extends PackageFile {
  version?: string
  resolved?: string
  hasInstallScript?: boolean
}

export interface LockFile {
  packages: Record<string, Locked>
}

/** Packages with a known install script, and what it does. `.npmrc` disables all install scripts. */
export const KNOWN_SCRIPTS: Readonly<Record<string, string>> = {
  esbuild: 'checks its binary, which is a separate package',
  '@parcel/watcher': 'optional; builds a watcher that sass uses only to watch files',
  fsevents: 'optional; macOS only',
  ssh2: 'optional; builds faster ciphers, without which it uses those of Node.js',
  'cpu-features': 'optional; used by those ciphers'
}

function dependenciesOf(file: PackageFile): Record<string, string> {
  return { ...file.dependencies, ...file.devDependencies, ...file.optionalDependencies }
}

/** Dependencies without an exact version. */
export function unpinned(file: PackageFile): string[] {
  return Object.entries(dependenciesOf(file))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} ${version}`)
}

/** Dependencies that are missing in the lockfile or have another version there. */
export function unlocked(file: PackageFile, lock: LockFile): string[] {
  return Object.entries(dependenciesOf(file))
    .filter(([name, version]) => lock.packages[`node_modules/${name}`]?.version !== version)
    .map(([name]) => name)
}

/** Packages with an install script that is not in the list. */
export function unknownScripts(lock: LockFile): string[] {
  return Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !KNOWN_SCRIPTS[name])
}
