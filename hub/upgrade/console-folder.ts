// Reads a folder with a console: its version, and whether its files are those that were signed.

import { createHash, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ConsoleVersion } from '../../contract/update.ts'
import { type Manifest, matchesDigest, WEB_ROOT } from '../../pack/manifest.ts'
import { PackError } from '../../pack/pack-error.ts'
import { MANIFEST, readStatement, SIGNATURE, STATEMENT, type Statement } from '../../pack/update.ts'
import { verifyWebRoot } from '../../pack/verify.ts'
import { logger } from '../../process-log/logger.ts'

/** A console on disk. */
export interface ConsoleBuild {
  /** Folder to serve. */
  root: string
  /** File name of its script, which contains a hash and so identifies the console. */
  script: string | undefined
  version: ConsoleVersion
}

const SCRIPT = /<script[^>]* (?:data-script|src)="([^"]+\.js)"/

/** File name of the script that a page starts. */
export function scriptOf(page: string): string | undefined {
  const [, path] = SCRIPT.exec(page) ?? []
  return path && basename(path)
}

export function versionOf({ version, commit, changed, development, time }: Statement): ConsoleVersion {
  return {
    version,
    commit,
    ...(changed && { changed }),
    ...(development && { development }),
    time: Date.parse(time)
  }
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function readJson(path: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * The unsigned version data of a console: from the manifest of the image that it is part of, else from the build's
 * `version.json`.
 */
function readUnsignedVersion(root: string, pageHash: string): Partial<Manifest> | undefined {
  const manifest = readJson(join(root, '..', 'manifest.json'))
  const page = manifest?.files?.find(({ path }) => path === 'index.html')
  return page?.sha256 === pageHash ? manifest : readJson(join(root, 'version.json'))
}

/**
 * Reads the console that comes with the hub. It is not signed, and is trusted like the hub itself.
 * @param hubVersion version of a console that has none
 * @returns `fingerprint` differs between consoles
 */
export function readBuiltInConsole(root: string, hubVersion: string): ConsoleBuild & { fingerprint: string } {
  const page = readText(join(root, 'index.html')) ?? ''
  const fingerprint = createHash('sha256').update(page).digest('hex')
  const { commit, changed, time, version = hubVersion } = readUnsignedVersion(root, fingerprint) ?? {}
  return {
    root,
    script: scriptOf(page),
    fingerprint,
    version: {
      version,
      ...(commit && { commit }),
      ...(changed && { changed }),
      ...(time && { time: Date.parse(time) })
    }
  }
}

/**
 * Reads an installed console. Its signature and all files are verified each time, because the disk may be damaged, and
 * a key may no longer be trusted.
 * @returns undefined if there is none, or none that may be served
 */
export function readInstalledConsole(folder: string, trusted: readonly KeyObject[]): ConsoleBuild | undefined {
  try {
    if (!existsSync(join(folder, STATEMENT))) return undefined
    const readFile = (name: string) => readFileSync(join(folder, name))
    const statement = readStatement(readFile(STATEMENT), readFile(SIGNATURE), trusted)
    if (!matchesDigest(statement.files[MANIFEST], readFile(MANIFEST)) || verifyWebRoot(folder).length > 0)
      return undefined
    const root = join(folder, WEB_ROOT)
    return { root, script: scriptOf(String(readFile(join(WEB_ROOT, 'index.html')))), version: versionOf(statement) }
  } catch (error) {
    // An unreadable console is treated like a modified one.
    if (!(error instanceof PackError)) logger.error('A console cannot be read', error, { folder })
    return undefined
  }
}
