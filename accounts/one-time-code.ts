// Random codes that a person types: of wall displays, and of the first sign-in.
import { randomInt } from 'node:crypto'
import { hashSecret } from '../web-server/credentials.ts'

/** Base32 of Crockford: without letters that look like other letters or digits, because a code may have to be typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP_LENGTH = 4

/** A random code of 20 bits for each group: `7KQD-3MXH-9TRW-BC4F` has four. */
export function generateCode(groups: number): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** The hash of a code as typed: without regard to case, hyphens, and letters that look like digits. */
export function hashCode(code: string): string {
  const letters = code.toUpperCase().replace(/[\s-]/g, '')
  return hashSecret(letters.replaceAll('O', '0').replace(/[IL]/g, '1'))
}
