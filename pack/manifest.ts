// Manifest of a pack: version, and the files of the web root with their digests.
import { createHash } from 'node:crypto'

/** Folder of the web root within a pack. */
export const WEB_ROOT = 'www'

/** Size in bytes, and SHA-256 in hex. */
export interface FileDigest {
  size: number
  sha256: string
}

export interface ManifestFile extends FileDigest {
  /** Relative to the web root. */
  path: string
  /** Encoded copies by file name extension. A copy that is not smaller than the file is omitted. */
  encodings: Partial<Record<'br' | 'gz', FileDigest>>
}

export interface Manifest {
  name: string
  version: string
  commit: string
  /** The build contained uncommitted changes. */
  changed?: true
  /** Time of the commit, ISO 8601 in UTC; also the modification time of the files in the pack. */
  time: string
  files: ManifestFile[]
}

/** Paths of the scripts, style sheets and language packs to which a page refers. */
export function referencedPaths(page: string): string[] {
  const references = page.matchAll(
    /<script\b[^>]*?\ssrc="([^"]+)"|<link\b[^>]*?\srel="stylesheet"[^>]*?\shref="([^"]+)"|\sdata-(?:script|later|[a-z]{2})="([^"]+)"/g
  )
  // An attribute of a language names two packs.
  return Array.from(references, ([, script, style, packs]) => script ?? style ?? packs ?? '')
    .flatMap((paths) => paths.split(' '))
    .map((path) => path.replace(/^\.?\//, ''))
}

/** Size and SHA-256 of a file. */
export function computeDigest(bytes: Uint8Array): FileDigest {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Whether a file has this size and SHA-256. */
export function matchesDigest({ size, sha256 }: FileDigest, bytes: Uint8Array): boolean {
  return bytes.length === size && computeDigest(bytes).sha256 === sha256
}
