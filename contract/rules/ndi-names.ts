// Rules for the names that the hub announces by NDI: of a source, and of the machine.
import { NDI_MACHINE_BYTES, NDI_NAME_BYTES } from '../limits.ts'
import { ndiNameBytes, utf8Length } from '../ndi-name-length.ts'
import { type Fault, noOuterSpace, printable, required } from './rules.ts'

/**
 * Characters that the NDI runtime replaces by spaces in the name of a source, so that receivers find it under another
 * name.
 */
const REPLACED = /["\\<>|:?*/]/

/**
 * Makes a rule: name of an NDI source that a machine announces. Required, printable, letters of all scripts, without
 * the characters that the runtime replaces. `MACHINE (name)` has at most 63 bytes in UTF-8, the length of a DNS label.
 * @param machine name of the machine as announced. Default: empty, for a form that does not know it
 * @param suffix follows the name when it is announced
 */
export function ndiName(machine = '', suffix = ''): (value: string) => Fault | undefined {
  const max = Math.max(0, ndiNameBytes(machine) - utf8Length(suffix))
  return (value) =>
    required(value) ??
    printable(value) ??
    noOuterSpace(value) ??
    (REPLACED.test(value) ? { name: 'characters' } : undefined) ??
    (utf8Length(value) > max ? { name: 'bytes', min: 1, max } : undefined)
}

const machineName = ndiName('x'.repeat(NDI_NAME_BYTES - 3 - NDI_MACHINE_BYTES))

/**
 * Name under which a machine announces its NDI sources: at most 48 bytes, so that sources have names, and no
 * parentheses, which separate it from their names. Empty: the host name.
 */
export function ndiMachineName(value: string): Fault | undefined {
  if (value === '') return undefined
  return /[()]/.test(value) ? { name: 'characters' } : machineName(value)
}
