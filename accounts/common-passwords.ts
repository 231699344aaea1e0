// Passwords that attackers try first. The list is in `common-passwords.txt`, with its origin and its licence.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD_MAX } from '../contract/limits.ts'

/** Begins the passwords in the file, after its origin and licence. */
const LIST_START = '\n---\n'

/** Those that a password can have. */
const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_~!@#$%^&*-+=.']

let hashes: ReadonlySet<string> | undefined

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Hashes of one character that is repeated, and of the list, also with a capital first letter and in capitals. */
function readHashes(): ReadonlySet<string> {
  const text = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
  const passwords = text
    .slice(text.indexOf(LIST_START) + LIST_START.length)
    .split('\n')
    .filter(Boolean)
  const spellings = passwords.flatMap((word) => [
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    word.toUpperCase()
  ])
  const repeated = CHARACTERS.flatMap((character) =>
    Array.from({ length: PASSWORD_MAX }, (_, index) => character.repeat(index + 1))
  )
  return new Set([...spellings, ...repeated].map(md5))
}

/** @param hash MD5 of the password, as it is sent */
export function isCommonPassword(hash: string): boolean {
  hashes ??= readHashes()
  return hashes.has(hash)
}
