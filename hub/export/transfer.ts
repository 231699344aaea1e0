// Export and import of the configuration.
import { randomBytes, randomUUID } from 'node:crypto'
import { hashPassword } from '../../accounts/passwords.ts'
import {
  EXPORT_PARTS,
  type ExportPart,
  IMPORT_LIFETIME,
  PASSPHRASE_TRIES,
  type UploadedExport
} from '../../contract/backup/export.ts'
import type { UnwordedDifference } from '../messages/import-difference.ts'
import { countLicenseUsage, findLicenseExcess } from '../store/license-usage.ts'
import { openStore, type Store } from '../store/store.ts'
import { applyTables } from './apply.ts'
import { ExportError, type ReadArchive, readArchive, writeArchive } from './archive.ts'
import { collectTables, redactTables } from './collect.ts'
import { compareChannels, compareParts, digestOf, listItems } from './difference.ts'
import { mergeTables } from './merge.ts'
import { readData } from './read-data.ts'
import { seal, unseal } from './seal.ts'
import { fingerprintOf, type SigningKey } from './signing-key.ts'
import { TABLE_NAMES, type Tables } from './tables.ts'
import { validateTables } from './validate.ts'

/**
 * @returns a store that the caller closes. @throws ExportError if rows refer to others that are not there, or two have
 * the same name
 */
export function openMemoryStore(tables: Tables): Store {
  const store = openStore(':memory:')
  const { database } = store
  try {
    database.transaction(() => {
      for (const { id } of [...tables.device, ...tables.input, ...tables.output])
        database.run('INSERT INTO node (id) VALUES (?)', id as number)
      for (const table of TABLE_NAMES)
        for (const row of tables[table]) {
          const names = Object.keys(row)
          const places = names.map(() => '?').join(', ')
          database.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...Object.values(row))
        }
    })
  } catch (error) {
    store.close()
    if (/constraint failed/.test((error as Error).message)) throw new ExportError('inconsistent')
    throw error
  }
  return store
}

/** Label of the sealed file (additional authenticated data). */
const SEAL_LABEL = 'headend-export'

/** Refusal of an import for a reason outside the file. */
export class ImportRefused extends Error {
  readonly reason: 'not-uploaded' | 'changed' | 'license' | 'passphrase'
  readonly fields: Readonly<Record<string, unknown>>
  constructor(reason: ImportRefused['reason'], fields: Readonly<Record<string, unknown>> = {}) {
    super(`The import is refused: ${reason}`)
    this.reason = reason
    this.fields = fields
  }
}

interface TransferOptions {
  store: Store
  key: SigningKey
  hostName(): string
  version: string
  /** Whether a channel carries a picture now. */
  isOnAir(channel: number): boolean
  now(): number
}

/** The export that was uploaded last. */
interface Upload {
  id: string
  user: number
  expires: number
  archive: ReadArchive
  triesLeft: number
  /** The last comparison. */
  compared?: { digest: string; before: string; after: Tables; parts: readonly ExportPart[] }
}

export class Transfer {
  readonly #options: TransferOptions
  #upload: Upload | undefined

  constructor(options: TransferOptions) {
    this.#options = options
  }

  /** The configuration as a file. @param passphrase seals the secrets; without it they are left out */
  async export(passphrase?: string): Promise<{ name: string; bytes: Buffer }> {
    const { store, key, hostName, version, now } = this.#options
    const tables = collectTables(store)
    const data = Buffer.from(JSON.stringify(redactTables(tables)))
    const sealed = passphrase ? await seal(JSON.stringify({ tables, withheld: {} }), passphrase, SEAL_LABEL) : undefined
    const bytes = await writeArchive({ host: hostName(), version, data, sealed }, key)
    const time = new Date(now()).toISOString().slice(0, 19).replace(/[T:]/g, '-')
    return { name: `headend-${hostName().replace(/[^\w-]+/g, '-')}-${time}.tar`, bytes }
  }

  /** Keeps an export to be imported. @param user ID of the user who uploads it. @throws ExportError */
  async upload(user: number, bytes: Buffer): Promise<UploadedExport> {
    const archive = await readArchive(bytes)
    const { tables } = readData(archive.data.toString('utf8'), archive.schemaVersion)
    const items = listItems(tables)
    const id = randomUUID()
    const expires = this.#options.now() + IMPORT_LIFETIME * 1000
    this.#upload = { id, user, expires, archive, triesLeft: PASSPHRASE_TRIES }
    return {
      id,
      created: archive.created,
      host: archive.host,
      version: archive.version,
      signer: this.#isOwn(archive) ? 'own' : 'other',
      fingerprint: archive.fingerprint,
      sealed: archive.sealed !== undefined,
      parts: EXPORT_PARTS.map((part) => ({ part, count: items.filter((item) => item.part === part).length }))
    }
  }

  #isOwn = ({ fingerprint }: ReadArchive) => fingerprint === fingerprintOf(this.#options.key.publicKey)

  /**
   * Computes what an import would change. Nothing is changed yet.
   * @throws ExportError, ImportRefused
   */
  async compare(
    user: { id: number; name: string },
    id: string,
    parts: readonly ExportPart[],
    passphrase?: string
  ): Promise<UnwordedDifference> {
    const upload = this.#find(user.id, id)
    const { archive } = upload
    const text = passphrase ? await this.#open(upload, passphrase) : archive.data.toString('utf8')
    const imported = readData(text, archive.schemaVersion)
    const unusablePassword = await hashPassword(randomBytes(16).toString('hex'))
    // No await from here on, so that all data is of one moment.
    const { store } = this.#options
    const before = collectTables(store)
    const chosen = new Set(parts)
    const merged = mergeTables({ local: before, imported, parts: chosen, importer: user.name, unusablePassword })
    const after = merged.tables
    validateTables(after, chosen)
    const future = openMemoryStore(after)
    try {
      const excess = findLicenseExcess(
        store.settings.get('license-limits'),
        countLicenseUsage(store.database),
        countLicenseUsage(future.database)
      )
      if (excess) throw new ImportRefused('license', { ...excess })
      const digest = digestOf(before, after)
      upload.compared = { digest, before: digestOf(before), after, parts }
      return {
        parts: compareParts(before, after, this.#isOwn(archive)),
        channels: compareChannels(store, future, this.#options.isOnAir),
        notes: merged.notes,
        digest
      }
    } finally {
      future.close()
    }
  }

  #find(user: number, id: string): Upload {
    const upload = this.#upload
    if (upload && upload.expires < this.#options.now()) this.#upload = undefined
    if (!this.#upload || this.#upload.id !== id || this.#upload.user !== user) throw new ImportRefused('not-uploaded')
    return this.#upload
  }

  /** Counts an attempt before it is made, so that simultaneous attempts count, too. */
  async #open(upload: Upload, passphrase: string): Promise<string> {
    if (!upload.archive.sealed) throw new ExportError('passphrase')
    upload.triesLeft--
    if (upload.triesLeft < 0) throw new ImportRefused('not-uploaded')
    const text = await unseal(upload.archive.sealed, passphrase, SEAL_LABEL)
    if (text !== undefined) {
      upload.triesLeft = PASSPHRASE_TRIES
      return text
    }
    if (upload.triesLeft === 0 && this.#upload === upload) this.#upload = undefined
    throw new ImportRefused('passphrase', { left: upload.triesLeft })
  }

  /**
   * Stores the compared configuration, in the transaction of the caller.
   * @returns text for the operation log
   * @throws ImportRefused if the configuration has changed since
   */
  apply(user: { id: number; name: string }, id: string, digest: string): string {
    const { compared, archive } = this.#find(user.id, id)
    const { store } = this.#options
    const before = collectTables(store)
    if (!compared || compared.digest !== digest || compared.before !== digestOf(before))
      throw new ImportRefused('changed')
    applyTables(store, before, compared.after, user.name)
    return `${archive.host} ${new Date(archive.created).toISOString()}: ${compared.parts.join(', ')}`
  }

  /** Forgets the uploaded export. */
  clear(): void {
    this.#upload = undefined
  }
}
