// Rule for the passphrase of an export.
import { EXPORT_PASSPHRASE_MAX, EXPORT_PASSPHRASE_MIN } from '../limits.ts'
import { characterLength, type Fault, required } from './rules.ts'

const lengthOfPassphrase = characterLength(EXPORT_PASSPHRASE_MIN, EXPORT_PASSPHRASE_MAX)

/** Passphrase that seals an export: required, 12-256 characters. */
export function exportPassphrase(value: string): Fault | undefined {
  return required(value) ?? lengthOfPassphrase(value)
}
