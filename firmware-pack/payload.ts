// What goes into an image: the web root with each file in every encoding, and a manifest that says what belongs there.
import { createHash } from 'node:crypto'
import { type BundleFile, DOCUMENT, HASHED } from './bundle-files.ts'
import type { Commit } from './commit.ts'
import { brotli, gzip } from './encodings.ts'

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

export interface Payload {
  manifest: Manifest
  /** Everything in the pack, the manifest first. */
  files: BundleFile[]
}

export function proofOf(bytes: Uint8Array): Proof {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Whether `bytes` are those that were described. */
export function proves({ size, sha256 }: Proof, bytes: Uint8Array): boolean {
  return bytes.length === size && proofOf(bytes).sha256 === sha256
}

/**
 * @param version of the product
 * @throws when a script or a style sheet has no hash in its name: an update would not reach browsers that keep it
 */
export function makePayload(bundle: readonly BundleFile[], version: string, commit: Commit): Payload {
  const files: BundleFile[] = []
  const described: ManifestFile[] = []
  for (const { path, bytes, gzip: packed } of bundle) {
    if (/\.(js|css)$/.test(path) && !HASHED.test(path) && !DOCUMENT.test(path))
      throw new Error(`${path} has no hash in its name`)
    files.push({ path: `${WEB_ROOT}/${path}`, bytes })
    const encodings: ManifestFile['encodings'] = {}
    for (const [ending, encoded] of [
      ['br', brotli(bytes)],
      ['gz', packed ?? gzip(bytes)]
    ] as const) {
      if (encoded.length >= bytes.length) continue
      files.push({ path: `${WEB_ROOT}/${path}.${ending}`, bytes: encoded })
      encodings[ending] = proofOf(encoded)
    }
    described.push({ path, ...proofOf(bytes), encodings })
  }
  const manifest: Manifest = {
    name: 'headend-console',
    version,
    commit: commit.id,
    ...(commit.changed && { changed: true }),
    time: new Date(commit.time * 1000).toISOString(),
    files: described
  }
  const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
  return { manifest, files: [{ path: 'manifest.json', bytes: text }, ...files] }
}
