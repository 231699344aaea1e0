// Seals the secrets of an export with a passphrase: argon2id (RFC 9106) derives the key, AES-256-GCM encrypts. The
// derivation runs in a thread of its own, one at a time, so that it neither blocks the hub nor takes all its memory.
import { argon2, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Second recommended option of RFC 9106: 64 MiB and 3 passes. The format fixes them, so no file can ask for more. */
const KDF = { memory: 65_536, passes: 3, parallelism: 4, tagLength: 32 } as const
const SALT_SIZE = 16
const NONCE_SIZE = 12
const TAG_SIZE = 16

let queue: Promise<unknown> = Promise.resolve()

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  const derive = () =>
    new Promise<Buffer>((resolve, reject) =>
      argon2('argon2id', { message: passphrase.normalize('NFKC'), nonce: salt, ...KDF }, (error, key) =>
        error ? reject(error) : resolve(key)
      )
    )
  const key = queue.then(derive)
  queue = key.catch(() => {})
  return key
}

/** @param label additional authenticated data: decryption needs the same label */
export async function seal(text: string, passphrase: string, label: string): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(SALT_SIZE), randomBytes(NONCE_SIZE)]
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt), nonce).setAAD(Buffer.from(label))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body])
}

/** @returns undefined if the passphrase is wrong or the bytes were altered */
export async function unseal(bytes: Buffer, passphrase: string, label: string): Promise<string | undefined> {
  const head = SALT_SIZE + NONCE_SIZE + TAG_SIZE
  if (bytes.length < head) return undefined
  const key = await deriveKey(passphrase, bytes.subarray(0, SALT_SIZE))
  const nonce = bytes.subarray(SALT_SIZE, SALT_SIZE + NONCE_SIZE)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_SIZE })
  decipher.setAAD(Buffer.from(label)).setAuthTag(bytes.subarray(SALT_SIZE + NONCE_SIZE, head))
  try {
    return decipher.update(bytes.subarray(head), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
