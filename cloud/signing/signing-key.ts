// The signing key of the cloud (Ed25519), by which hubs recognize it. It is made once and stored in the database, so
// that all nodes have the same one; its private key is encrypted with the key file, which is not in the database. A
// successor is signed by its predecessor, so that hubs that know an older key accept it.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify
} from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type SuccessorKey, successorText } from '../../contract/cloud/signing.ts'
import { type Encryption, openEncryption } from '../../data-files/encryption.ts'
import { logger } from '../../process-log/logger.ts'
import type { Store } from '../store/store.ts'
import type { CloudTables } from '../store/tables.ts'

export interface SigningKey {
  /** SPKI, DER. */
  readonly publicKey: Buffer
  /** SHA-256 of the public key in base64url: 43 characters. */
  readonly fingerprint: string
  sign(data: Buffer): Buffer
}

interface SigningKeysOptions {
  store: Store
  /** Data folder, which has the key file by default; with `:memory:` there is none. */
  data: string
  /** The file with the key that encrypts private keys. */
  keyFile?: string | undefined
  /** Milliseconds since the epoch. */
  now: () => number
}

type Row = CloudTables['signing_keys']

const REMEDY = 'restore the original file, or copy that of another node'

export class SigningKeys {
  readonly #store: Store
  /** Encrypts secrets of the store with the key file. */
  readonly encryption: Encryption
  readonly #now: () => number
  #keys: SigningKey[] = []
  #chain: SuccessorKey[] = []

  private constructor({ store, now }: SigningKeysOptions, encryption: Encryption) {
    this.#store = store
    this.encryption = encryption
    this.#now = now
  }

  /**
   * Reads the keys, and makes the first one if there is none.
   * @throws Error if the key file is missing or does not fit
   */
  static async open(options: SigningKeysOptions): Promise<SigningKeys> {
    const { store, data, keyFile = data === ':memory:' ? undefined : join(data, 'cloud.key') } = options
    const isFirstStart = (await readRows(store)).length === 0
    if (!isFirstStart && keyFile !== undefined && !existsSync(keyFile))
      throw new Error(`${keyFile} with the key of stored secrets is missing: ${REMEDY}`)
    const encryption = openEncryption(keyFile === undefined ? undefined : { path: keyFile, remedy: REMEDY })
    const keys = new SigningKeys(options, encryption)
    if (isFirstStart) await keys.#add(undefined)
    // Another node may have added the first key meanwhile.
    await keys.refresh()
    return keys
  }

  get current(): SigningKey {
    return this.#keys.at(-1) as SigningKey
  }

  /** The first key and its successors, in their order. */
  get chain(): readonly SuccessorKey[] {
    return this.#chain
  }

  /** The key with a fingerprint; undefined if the cloud never had it. */
  find(fingerprint: string): SigningKey | undefined {
    return this.#keys.find((key) => key.fingerprint === fingerprint)
  }

  /** Whether the current key or a predecessor has signed something. */
  hasSigned(data: Buffer, signature: Buffer): boolean {
    return this.#keys.some(({ publicKey }) =>
      verify(null, data, createPublicKey({ key: publicKey, format: 'der', type: 'spki' }), signature)
    )
  }

  /**
   * Reads keys that other nodes have added.
   * @returns whether there are any
   * @throws Error if the database does not answer, or the key file is wrong
   */
  async refresh(): Promise<boolean> {
    const rows = await readRows(this.#store)
    const added = rows.slice(this.#keys.length)
    for (const row of added) {
      this.#keys.push(this.#readKey(row))
      this.#chain.push({ key: row.public_key, signature: row.signature })
    }
    return added.length > 0
  }

  /** Makes a successor, signed by the current key. @throws Error if another one was made at the same time */
  async replace(): Promise<SigningKey> {
    await this.refresh()
    if (!(await this.#add(this.current))) throw new Error('the signing key was replaced at the same time')
    await this.refresh()
    logger.info('The signing key was replaced', { fingerprint: this.current.fingerprint })
    return this.current
  }

  /** @returns whether it was stored: not if there is a key with this number */
  async #add(predecessor: SigningKey | undefined): Promise<boolean> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const public_key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const secret = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
    const row: Row = {
      number: this.#keys.length + 1,
      public_key,
      private_key: this.encryption.encrypt(secret, ownerOf(public_key)),
      signature: predecessor?.sign(Buffer.from(successorText(public_key))).toString('base64') ?? '',
      created: this.#now()
    }
    const { numInsertedOrUpdatedRows } = await this.#store.withinCloud((transaction) =>
      transaction
        .insertInto('signing_keys')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
    )
    return Number(numInsertedOrUpdatedRows) > 0
  }

  #readKey({ public_key, private_key }: Row): SigningKey {
    const secret = this.encryption.decrypt(private_key, ownerOf(public_key))
    if (secret === undefined) throw new Error(`the key file does not fit the database: ${REMEDY}`)
    return signingKeyOf(createPrivateKey({ key: Buffer.from(secret, 'base64'), type: 'pkcs8', format: 'der' }))
  }
}

const readRows = (store: Store): Promise<Row[]> =>
  store.withinCloud((transaction) => transaction.selectFrom('signing_keys').selectAll().orderBy('number').execute())

/** A private key can be decrypted beside its public key only. */
const ownerOf = (publicKey: string) => `signing key ${publicKey}`

function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const fingerprint = createHash('sha256').update(publicKey).digest('base64url')
  return { publicKey, fingerprint, sign: (data) => sign(null, data, privateKey) }
}
