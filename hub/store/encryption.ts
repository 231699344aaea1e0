// Encrypts what must be kept and may not be read from the database alone: AES-256-GCM under a key in a file of its own.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes: of the key, of the value that must never be used twice, and of the mark that proves that nothing was altered. */
const KEY = 32
const NONCE = 12
const MARK = 16

export interface Seal {
  /** @param about what it belongs to: it opens for that and for nothing else, so that it cannot be moved to another row */
  close(text: string, about: string): string
  /** @returns undefined for what was altered, belongs to something else, or was closed with another key */
  open(sealed: string, about: string): string | undefined
}

/** The key of this hub, made at the first start and readable by its owner alone. */
function keyOf(data: string): Buffer {
  if (data === ':memory:') return randomBytes(KEY)
  const path = join(data, 'device.key')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, randomBytes(KEY).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    chmodSync(path, 0o600)
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url')
  if (key.length !== KEY)
    throw new Error(
      `${path} holds no key: put back the one it held, or remove it and enter the passwords of devices anew`
    )
  return key
}

/**
 * @param data the hub's folder; `:memory:` for a key that is kept nowhere
 * @throws when the key cannot be read or written
 */
export function openSeal(data: string): Seal {
  const key = keyOf(data)
  return {
    close(text, about) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE + MARK) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: MARK })
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE, NONCE + MARK))
      try {
        return decipher.update(bytes.subarray(NONCE + MARK), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    }
  }
}
