// The format of a backup: a tar archive of the files of the data folder, with `manifest.json` as its last entry. An
// archive without its manifest is incomplete.
import { createHash } from 'node:crypto'
import { isAbsolute, normalize } from 'node:path'
import { Transform } from 'node:stream'
import { z } from 'zod'

export const MANIFEST_FILE = 'manifest.json'
export const FORMAT = 'headend-backup'
/** Version of the format that is written, and the newest one that is read. */
export const FORMAT_VERSION = 1
/** Maximum size of the manifest in bytes: some 100,000 files. */
export const MANIFEST_MAX = 16 << 20

/** A backup cannot be read or used. The message says why. */
export class BackupError extends Error {}

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  'format-version': z.int().min(1),
  /** ISO 8601. */
  created: z.string(),
  /** Name of the machine. */
  host: z.string(),
  /** Version of the database's schema. */
  'schema-version': z.int().min(1),
  files: z.array(z.object({ path: z.string(), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
})

export type Manifest = z.infer<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]

/** @throws BackupError if the text is not a manifest, or one of a newer hub */
export function parseManifest(text: string): Manifest {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new BackupError('its manifest is damaged')
  }
  const { success, data } = manifestSchema.safeParse(json)
  if (!success) throw new BackupError('its manifest is not one of a backup')
  if (data['format-version'] > FORMAT_VERSION)
    throw new BackupError(
      `a newer hub made it: its format is ${data['format-version']}, this hub reads ${FORMAT_VERSION}`
    )
  return data
}

/** @throws BackupError if a path of an archive leads out of the folder into which it is unpacked */
export function requireInnerPath(path: string): void {
  if (
    path === '' ||
    isAbsolute(path) ||
    normalize(path) !== path ||
    path.split('/').includes('..') ||
    path.includes('\0')
  )
    throw new BackupError(`it has a file with the path ${JSON.stringify(path)}`)
}

/** Passes bytes through and hashes them. */
export function hashing(): { stream: Transform; hash(): { sha256: string; size: number } } {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      done(null, chunk)
    }
  })
  return { stream, hash: () => ({ sha256: hash.digest('hex'), size }) }
}
