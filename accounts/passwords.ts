// Password hashes. Clients send the MD5 of the password in hex; the hub stores argon2id of that in PHC format (RFC
// 9106).
import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
/** Bytes. */
const TAG_SIZE = 32

/** Lower-case hex. */
export const md5Of = (text: string) => createHash('md5').update(text).digest('hex')

/** MD5 of the empty password, which no account may have. */
export const EMPTY_PASSWORD_MD5 = md5Of('')

/** MD5 of the first user's default password. */
export const FIRST_PASSWORD_MD5 = md5Of('Admin')

function derive(secret: string, nonce: Buffer): Promise<Buffer> {
  const parameters = {
    message: secret,
    nonce,
    parallelism: LANES,
    tagLength: TAG_SIZE,
    memory: MEMORY_KIB,
    passes: PASSES
  }
  return new Promise((resolve, reject) =>
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  )
}

const toUnpaddedBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const formatPhc = (nonce: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${toUnpaddedBase64(nonce)}$${toUnpaddedBase64(tag)}`

/** @param md5 lower-case hex MD5 of the password */
export async function hashPassword(md5: string): Promise<string> {
  const nonce = randomBytes(16)
  return formatPhc(nonce, await derive(md5, nonce))
}

let firstHash: Promise<string> | undefined

/** Hash of the first user's default password, made once for all databases that this process creates. */
export function hashFirstPassword(): Promise<string> {
  firstHash ??= hashPassword(FIRST_PASSWORD_MD5)
  return firstHash
}

const DUMMY_HASH = formatPhc(Buffer.alloc(16), Buffer.alloc(TAG_SIZE))

/**
 * @param stored hash in PHC format; undefined for an unknown user: it takes the same time, so that timing does not
 * reveal names
 * @returns whether `md5` is the password
 */
export async function verifyPassword(md5: string, stored: string | undefined): Promise<boolean> {
  const [, , , , nonce = '', tag = ''] = (stored ?? DUMMY_HASH).split('$')
  const derived = await derive(md5, Buffer.from(nonce, 'base64'))
  return timingSafeEqual(derived, Buffer.from(tag, 'base64')) && stored !== undefined
}
