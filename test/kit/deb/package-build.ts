// Builds and checks Debian packages for tests.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const PROJECT = resolve(import.meta.dirname, '../../..')

/** The version of package.json. */
export const { version: OWN_VERSION } = JSON.parse(readFileSync(`${PROJECT}/package.json`, 'utf8')) as {
  version: string
}

/** Debian's name of this machine's architecture, for which packages are built by default. */
export const OWN_ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch

export const packageFile = (version = OWN_VERSION, architecture = OWN_ARCHITECTURE) =>
  `${PROJECT}/build/headend_${version}_${architecture}.deb`

/** Builds the package with the fastest compression. @returns its bytes */
export function buildPackage(architecture = OWN_ARCHITECTURE): Buffer {
  const env = { ...process.env, VERSION: '', ARCH: architecture, XZ_LEVEL: '0' }
  execFileSync('make', ['--silent', 'deb'], { cwd: PROJECT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  return readFileSync(packageFile(OWN_VERSION, architecture))
}

/** @returns what lintian finds; empty if it finds nothing */
export function lint(file: string): string {
  // It leaves files in the temporary folder.
  const folder = mkdtempSync(join(tmpdir(), 'headend-lintian-'))
  const env = { ...process.env, TMPDIR: folder }
  const { stdout, status } = spawnSync('lintian', ['--allow-root', file], { encoding: 'utf8', env })
  rmSync(folder, { recursive: true })
  return status === 0 ? stdout : `${stdout}status ${status}`
}
