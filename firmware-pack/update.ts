// The signed update of a hub's console: an archive that says in its first file what is in it, and in its second who vouches for that.
// A hub can check it as it arrives, and needs no more than Ed25519 and SHA-256 for it.
import { type KeyObject, sign, verify } from 'node:crypto'
import { developmentFingerprint, fingerprint, type Signer } from './keys.ts'
import { type Manifest, type Proof, proofOf, proves } from './payload.ts'
import { Refusal } from './refusal.ts'
import { tar, untar } from './tar.ts'

/** Files of an update, in the order in which they lie in it. */
const STATEMENT = 'update.json'
const SIGNATURE = 'update.sig'
const MANIFEST = 'manifest.json'
const IMAGE = 'image.squashfs'
const ORDER = [STATEMENT, SIGNATURE, MANIFEST, IMAGE]

const FORMAT = 1

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
  const files = [text, sign(undefined, text, key), manifest, image]
  return tar(
    ORDER.map((path, at) => ({ path, bytes: files[at] as Buffer })),
    Date.parse(time) / 1000
  )
}

/**
 * Opens an update that `trusted` has signed.
 * @throws Refusal when it is cut short, of another form, by another key, or not what was signed
 */
export function openUpdate(bytes: Buffer, trusted: KeyObject): Update {
  const files = untar(bytes)
  const [text, signature, manifest, image] = files.map((file) => file.bytes)
  if (!text || !signature || !manifest || !image || files.some(({ path }, at) => path !== ORDER[at]))
    throw new Refusal(`The update does not hold ${ORDER.join(', ')}.`)
  // Nothing in the statement is believed before its signature is.
  if (!verify(undefined, text, trusted, signature)) throw new Refusal(`The update is ${otherSigner(text, trusted)}.`)
  const statement = JSON.parse(String(text)) as Statement
  if (statement.format !== FORMAT) throw new Refusal(`The update is of format ${statement.format}, known is ${FORMAT}.`)
  if (!statement.development && fingerprint(trusted) === developmentFingerprint())
    throw new Refusal('The update hides that it is signed by the development key.')
  for (const [path, file] of [
    [MANIFEST, manifest],
    [IMAGE, image]
  ] as const)
    if (!proves(statement.files[path], file)) throw new Refusal(`${path} in the update is not what was signed.`)
  return { statement, manifest, image }
}

/** Why a signature does not hold, as far as an unproven statement tells. */
function otherSigner(text: Buffer, trusted: KeyObject): string {
  try {
    const { key, development } = JSON.parse(String(text)) as Statement
    if (key === fingerprint(trusted)) return 'changed since it was signed'
    return `signed by ${development ? 'the development key' : `the key ${key}`}, not by ${fingerprint(trusted)}: give PUBLIC_KEY=…`
  } catch {
    return 'changed since it was signed'
  }
}
