// The signed update of a hub's console: an archive that says in its first file what is in it, and in its second who vouches for that.
// A hub can check it as it arrives, and needs no more than Ed25519 and SHA-256 for it.
import { type KeyObject, sign, verify } from 'node:crypto'
import { DEVELOPMENT_FINGERPRINT, DEVELOPMENT_KEY, fingerprint } from './keys.ts'
import { type Manifest, type Proof, proofOf, proves } from './manifest.ts'
import { Refusal } from './refusal.ts'
import { tar, untar } from './tar.ts'

/** Files of an update, in the order in which they lie in it. */
export const STATEMENT = 'update.json'
export const SIGNATURE = 'update.sig'
export const MANIFEST = 'manifest.json'
const IMAGE = 'image.squashfs'
const ORDER = [STATEMENT, SIGNATURE, MANIFEST, IMAGE]

const FORMAT = 1

/** The private key that a pack is signed with. */
export interface Signer {
  key: KeyObject
  development: boolean
}

/** What is signed, byte by byte as it lies there. */
export interface Statement {
  format: typeof FORMAT
  name: string
  version: string
  commit: string
  changed?: true
  time: string
  /** Signed by the key that everybody has. */
  development?: true
  /** Fingerprint of the key. */
  key: string
  files: Record<typeof MANIFEST | typeof IMAGE, Proof>
}

export interface Update {
  statement: Statement
  manifest: Buffer
  image: Buffer
  /** The statement and its signature as they lay there, for who keeps them. */
  signed: { text: Buffer; signature: Buffer }
}

/** @param manifest as it lies in the pack, and what it says */
export function makeUpdate(manifest: Buffer, said: Manifest, image: Buffer, { key, development }: Signer): Buffer {
  const { name, version, commit, changed, time } = said
  const statement: Statement = {
    format: FORMAT,
    name,
    version,
    commit,
    ...(changed && { changed }),
    time,
    ...(development && { development }),
    key: fingerprint(key),
    files: { [MANIFEST]: proofOf(manifest), [IMAGE]: proofOf(image) }
  }
  const text = Buffer.from(`${JSON.stringify(statement, undefined, 2)}\n`)
  return archive([text, sign(undefined, text, key), manifest, image], statement)
}

/** @param files in their order */
function archive(files: readonly Buffer[], { time }: Statement): Buffer {
  const entries = files.map((bytes, at) => ({ path: ORDER[at] as string, bytes }))
  return tar(entries, Date.parse(time) / 1000)
}

/**
 * Reads a statement that one of `trusted` has signed.
 * @throws Refusal when it is by another key, changed, or of another form
 */
export function readStatement(text: Buffer, signature: Buffer, trusted: readonly KeyObject[]): Statement {
  // Nothing in the statement is believed before its signature is.
  const signer = trusted.find((key) => verify(undefined, text, key, signature))
  if (!signer) throw otherSigner(text, signature, trusted)
  const statement = JSON.parse(String(text)) as Statement
  if (statement.format !== FORMAT)
    throw new Refusal(`The update is of format ${statement.format}, known is ${FORMAT}.`, 'format')
  if (!statement.development && fingerprint(signer) === DEVELOPMENT_FINGERPRINT)
    throw new Refusal('The update hides that it is signed by the development key.', 'tampered')
  return statement
}

/**
 * Opens an update that one of `trusted` has signed.
 * @throws Refusal when it is cut short, of another form, by another key, or not what was signed
 */
export function openUpdate(bytes: Buffer, trusted: readonly KeyObject[]): Update {
  const files = untar(bytes)
  const [text, signature, manifest, image] = files.map((file) => file.bytes)
  if (!text || !signature || !manifest || !image || files.some(({ path }, at) => path !== ORDER[at]))
    throw new Refusal(`The update does not hold ${ORDER.join(', ')}.`, 'not-a-pack')
  const statement = readStatement(text, signature, trusted)
  for (const [path, file] of [
    [MANIFEST, manifest],
    [IMAGE, image]
  ] as const)
    if (!proves(statement.files[path], file))
      throw new Refusal(`${path} in the update is not what was signed.`, 'tampered')
  // Nor may anything lie between the files or behind them, or be said of them that others would believe: an owner, a mode.
  if (!archive([text, signature, manifest, image], statement).equals(bytes))
    throw new Refusal('The update holds more than was packed, or says other things of it.', 'tampered')
  return { statement, manifest, image, signed: { text, signature } }
}

/** Why no signature holds, as far as an unproven statement tells. */
function otherSigner(text: Buffer, signature: Buffer, trusted: readonly KeyObject[]): Refusal {
  const known = trusted.map(fingerprint)
  const by = (who: string, kind: 'wrong-key' | 'development') =>
    new Refusal(`The update is signed by ${who}, not by ${known.join(' or ')}: give PUBLIC_KEY=…`, kind)
  if (verify(undefined, text, DEVELOPMENT_KEY, signature)) return by('the development key', 'development')
  const changed = new Refusal('The update is changed since it was signed.', 'tampered')
  try {
    const { key } = JSON.parse(String(text)) as Statement
    return known.includes(key) || key === DEVELOPMENT_FINGERPRINT ? changed : by(`the key ${key}`, 'wrong-key')
  } catch {
    return changed
  }
}
