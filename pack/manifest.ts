// What a pack says of itself: the web root, file by file.
import { createHash } from 'node:crypto'

/** Folder of the web root within a pack. */
export const WEB_ROOT = 'www'

export interface Proof {
  size: number
  sha256: string
}

export interface ManifestFile extends Proof {
  /** Below the web root. */
  path: string
  /** Encoded copies beside it, by the ending of their names. One that saves nothing is not there. */
  encodings: Partial<Record<'br' | 'gz', Proof>>
}

export interface Manifest {
  name: string
  version: string
  commit: string
  /** Present when the bundle was not made from the commit as it is. */
  changed?: true
  /** Time of the commit, ISO 8601 in UTC. Files in the pack carry it. */
  time: string
  files: ManifestFile[]
}

/** Paths of the scripts and style sheets that a page starts with. */
export function namedBy(page: string): string[] {
  const tags = page.matchAll(/<script\b[^>]*?\ssrc="([^"]+)"|<link\b[^>]*?\srel="stylesheet"[^>]*?\shref="([^"]+)"/g)
  return Array.from(tags, ([, script, style]) => (script ?? style ?? '').replace(/^\.?\//, ''))
}

export function proofOf(bytes: Uint8Array): Proof {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Whether `bytes` are those that were described. */
export function proves({ size, sha256 }: Proof, bytes: Uint8Array): boolean {
  return bytes.length === size && proofOf(bytes).sha256 === sha256
}
