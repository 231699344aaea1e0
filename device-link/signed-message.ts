// Signed messages: base64url of JSON, a dot, and base64url of the Ed25519 signature (RFC 8032) over the purpose of the
// message, a line feed and the text before the dot. So a signature for one purpose is none for another.
import { type KeyObject, verify } from 'node:crypto'

/** @param sign returns the Ed25519 signature of the bytes */
export function signMessage(purpose: string, message: object, sign: (data: Buffer) => Buffer): string {
  const text = Buffer.from(JSON.stringify(message)).toString('base64url')
  return `${text}.${sign(signedBytes(purpose, text)).toString('base64url')}`
}

/** @returns the message, of which only the signature was checked; undefined if the signature is not of the key */
export function readSignedMessage(purpose: string, signed: string, publicKey: KeyObject): unknown {
  const [text = '', signature = '', ...rest] = signed.split('.')
  const isSigned = verify(null, signedBytes(purpose, text), publicKey, Buffer.from(signature, 'base64url'))
  if (rest.length > 0 || !isSigned) return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

const signedBytes = (purpose: string, text: string) => Buffer.from(`${purpose}\n${text}`)
