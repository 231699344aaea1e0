// The file of an export: an uncompressed tar archive (docs/architecture/export.md). Without compression it cannot grow
// when it is read.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { type Entry, extract, pack } from 'tar-stream'
import { z } from 'zod'
import { EXPORT_FILE_MAX, type ExportFault } from '../../contract/backup/export.ts'
import { MIGRATIONS } from '../database/migrations.ts'
import { SETTINGS_OF_HUB } from '../store/settings.ts'
import { fingerprintOf, type SigningKey } from './signing-key.ts'
import { HUB_TABLES } from './tables.ts'

const FORMAT = 'headend-export'
/** Version of the format that is written, and the newest one that is read. */
const FORMAT_VERSION = 1
const MANIFEST_FILE = 'manifest.json'
const SIGNATURE_FILE = 'manifest.sig'
export const DATA_FILE = 'data.json'
export const SEALED_FILE = 'sealed.bin'
const NAMES: readonly string[] = [MANIFEST_FILE, SIGNATURE_FILE, DATA_FILE, SEALED_FILE]

/** An export cannot be imported. */
export class ExportError extends Error {
  readonly fault: ExportFault
  /** Kind and name of the object. */
  readonly of: string | undefined
  constructor(fault: ExportFault, of?: string) {
    super(`The export cannot be imported: ${fault}`)
    this.fault = fault
    this.of = of
  }
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const manifestSchema = z.object({
  format: z.literal(FORMAT),
  'format-version': z.int().min(1),
  'schema-version': z.int().min(1),
  /** ISO 8601. */
  created: z.iso.datetime(),
  host: z.string().max(255),
  version: z.string().max(64),
  /** Public key of the signer: SPKI, DER, base64. */
  key: z.base64().max(256),
  files: z.object({ [DATA_FILE]: hash, [SEALED_FILE]: hash.optional() })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export interface ExportSource {
  host: string
  version: string
  data: Buffer
  /** The data with its secrets, sealed. */
  sealed: Buffer | undefined
}

/** Writes and signs the archive. */
export async function writeArchive({ host, version, data, sealed }: ExportSource, key: SigningKey): Promise<Buffer> {
  const manifest = Buffer.from(
    `${JSON.stringify(
      {
        format: FORMAT,
        'format-version': FORMAT_VERSION,
        'schema-version': MIGRATIONS.length,
        created: new Date().toISOString(),
        host,
        version,
        key: key.publicKey.toString('base64'),
        // For readers of the file: an import does not use it.
        'left-out': { tables: HUB_TABLES, settings: SETTINGS_OF_HUB },
        files: { [DATA_FILE]: sha256(data), ...(sealed && { [SEALED_FILE]: sha256(sealed) }) }
      },
      undefined,
      1
    )}\n`
  )
  const archive = pack()
  const add = (name: string, bytes: Buffer) => archive.entry({ name, mode: 0o600 }, bytes)
  add(MANIFEST_FILE, manifest)
  add(SIGNATURE_FILE, Buffer.from(`${key.sign(manifest).toString('base64')}\n`))
  add(DATA_FILE, data)
  if (sealed) add(SEALED_FILE, sealed)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export interface ReadArchive {
  /** Milliseconds since the epoch. */
  created: number
  host: string
  version: string
  schemaVersion: number
  fingerprint: string
  data: Buffer
  sealed: Buffer | undefined
}

async function readEntry(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > EXPORT_FILE_MAX) throw new ExportError('damaged')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The entries by name. @throws ExportError for an entry that no export has */
async function readEntries(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  const archive = extract()
  archive.end(bytes)
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      if (type !== 'file' || !NAMES.includes(name) || entries.has(name)) throw new ExportError('damaged')
      entries.set(name, await readEntry(entry))
    }
  } catch (error) {
    if (error instanceof ExportError) throw error
    throw new ExportError(entries.size > 0 ? 'damaged' : 'not-an-export')
  }
  return entries
}

function parseManifest(bytes: Buffer | undefined) {
  if (!bytes) throw new ExportError('not-an-export')
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ExportError('damaged')
  }
  const { format, ...versions } = json as Record<string, unknown>
  if (format !== FORMAT) throw new ExportError('not-an-export')
  if (Number(versions['format-version']) > FORMAT_VERSION || Number(versions['schema-version']) > MIGRATIONS.length)
    throw new ExportError('newer')
  const { data } = manifestSchema.safeParse(json)
  if (!data) throw new ExportError('damaged')
  return data
}

function isSigned(manifest: Buffer, signature: Buffer | undefined, publicKey: Buffer): boolean {
  try {
    const key = createPublicKey({ key: publicKey, type: 'spki', format: 'der' })
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, manifest, key, Buffer.from((signature ?? '').toString(), 'base64'))
  } catch {
    return false
  }
}

/**
 * Reads an archive, and checks its signature and the hash of each file.
 * @throws ExportError
 */
export async function readArchive(bytes: Buffer): Promise<ReadArchive> {
  const entries = await readEntries(bytes)
  const text = entries.get(MANIFEST_FILE)
  const manifest = parseManifest(text)
  const publicKey = Buffer.from(manifest.key, 'base64')
  if (!text || !isSigned(text, entries.get(SIGNATURE_FILE), publicKey)) throw new ExportError('damaged')
  const hashes = manifest.files
  const data = entries.get(DATA_FILE)
  const sealed = entries.get(SEALED_FILE)
  if (!data || hashes[DATA_FILE] !== sha256(data) || hashes[SEALED_FILE] !== (sealed && sha256(sealed)))
    throw new ExportError('damaged')
  return {
    created: Date.parse(manifest.created),
    host: manifest.host,
    version: manifest.version,
    schemaVersion: manifest['schema-version'],
    fingerprint: fingerprintOf(publicKey),
    data,
    sealed
  }
}
