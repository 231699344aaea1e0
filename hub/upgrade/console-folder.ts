// A folder with a console in it: which one it is, and whether it is what was signed.
import { createHash, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ConsoleVersion } from '../../contract/update.ts'
import { type Manifest, proves, WEB_ROOT } from '../../pack/manifest.ts'
import { Refusal } from '../../pack/refusal.ts'
import { MANIFEST, readStatement, SIGNATURE, STATEMENT, type Statement } from '../../pack/update.ts'
import { verify } from '../../pack/verify.ts'

/** A console that is there. */
export interface Found {
  /** The folder to serve. */
  root: string
  /** Its script's name, which has a hash of all that the script is: no two consoles share it. */
  script: string | undefined
  version: ConsoleVersion
}

const SCRIPT = /<script[^>]* src="([^"]+\.js)"/

/** The name of the script that a page starts. */
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

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function jsonOf(path: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** What a console says of itself that nobody signed: as the build left it, or in the manifest above it where it is part of an image. */
function saidOf(root: string, mark: string): Partial<Manifest> | undefined {
  const above = jsonOf(join(root, '..', 'manifest.json'))
  const page = above?.files?.find(({ path }) => path === 'index.html')
  return page?.sha256 === mark ? above : jsonOf(join(root, 'version.json'))
}

/**
 * The console that the hub came with. Nobody signed it: it is as good as the hub itself.
 * @param version of the hub, for one that says none of its own
 * @returns `mark` is another one as soon as it is another console
 */
export function findOwn(root: string, version: string): Found & { mark: string } {
  const page = textOf(join(root, 'index.html')) ?? ''
  const mark = createHash('sha256').update(page).digest('hex')
  const { commit, changed, time, version: own = version } = saidOf(root, mark) ?? {}
  return {
    root,
    script: scriptOf(page),
    mark,
    version: {
      version: own,
      ...(commit && { commit }),
      ...(changed && { changed }),
      ...(time && { time: Date.parse(time) })
    }
  }
}

/**
 * An installed console. What it is and that it is whole is looked at anew each time: a disk may have changed it, and a key may not be
 * trusted any more.
 * @returns undefined where there is none, or none that may be shown
 */
export function findInstalled(folder: string, trusted: readonly KeyObject[]): Found | undefined {
  try {
    if (!existsSync(join(folder, STATEMENT))) return undefined
    const read = (name: string) => readFileSync(join(folder, name))
    const statement = readStatement(read(STATEMENT), read(SIGNATURE), trusted)
    if (!proves(statement.files[MANIFEST], read(MANIFEST)) || verify(folder).length > 0) return undefined
    const root = join(folder, WEB_ROOT)
    return { root, script: scriptOf(String(read(join(WEB_ROOT, 'index.html')))), version: versionOf(statement) }
  } catch (error) {
    // Unreadable is as bad as changed.
    if (!(error instanceof Refusal)) console.error(`${folder}:`, error)
    return undefined
  }
}
