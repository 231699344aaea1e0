// Passwords arrive as the wire prescribes, as hex MD5, and are kept as argon2id of that (design 5) in PHC form.
import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** KiB, rounds, lanes, bytes. */
const MEMORY = 19_456
const PASSES = 2
const LANES = 1
const TAG = 32

const md5Of = (text: string) => createHash('md5').update(text).digest('hex')

/** MD5 of the empty password, which no account may have. */
export const NO_PASSWORD = md5Of('')

/** MD5 of the password that a new hub's first user has. */
export const FIRST_PASSWORD = md5Of('Admin')

function derive(secret: string, nonce: Buffer): Promise<Buffer> {
  const parameters = { message: secret, nonce, parallelism: LANES, tagLength: TAG, memory: MEMORY, passes: PASSES }
  return new Promise((resolve, reject) =>
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  )
}

const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** @param md5 lower-case hex MD5 of the password */
export async function hashPassword(md5: string): Promise<string> {
  const nonce = randomBytes(16)
  return `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$${plain(nonce)}$${plain(await derive(md5, nonce))}`
}

const NOBODY = `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$${plain(Buffer.alloc(16))}$${plain(Buffer.alloc(TAG))}`

/** Whether `md5` is the password behind `stored`. Without `stored` it takes as long and says no: names cannot be found out by time. */
export async function checkPassword(md5: string, stored: string | undefined): Promise<boolean> {
  const [, , , , nonce = '', tag = ''] = (stored ?? NOBODY).split('$')
  const derived = await derive(md5, Buffer.from(nonce, 'base64'))
  return timingSafeEqual(derived, Buffer.from(tag, 'base64')) && stored !== undefined
}
