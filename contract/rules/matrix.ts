// Rules for matrices of the NDI router.
import { BASE_NAME_MAX, LABEL_MAX } from '../ndi/router.ts'
import { utf8Length } from '../ndi/utf8-length.ts'
import { characterLength, type Fault, noOuterSpace, printable, required } from './rules.ts'

/** Characters of an NDI name; the length of a DNS name. */
const NDI_NAME_MAX = 253

const lengthOfLabel = characterLength(1, LABEL_MAX)
const lengthOfNdiName = characterLength(1, NDI_NAME_MAX)

/** Name of a matrix or salvo, and label of a source or destination: 1-64 characters on one line, printable, no outer spaces. */
export function matrixLabel(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfLabel(value)
}

/** Base name of the destinations: 1-40 bytes, printable, no outer spaces, without characters that the NDI runtime replaces. */
export function matrixBaseName(value: string): Fault | undefined {
  const bytes = utf8Length(value)
  return (
    required(value) ??
    printable(value) ??
    noOuterSpace(value) ??
    (/["\\<>]/.test(value) ? { name: 'characters' } : undefined) ??
    (bytes > BASE_NAME_MAX ? { name: 'length', min: 1, max: BASE_NAME_MAX } : undefined)
  )
}

/** NDI name of a source: `MACHINE (Source)`. */
export function matrixSourceName(value: string): Fault | undefined {
  return (
    required(value) ??
    printable(value) ??
    lengthOfNdiName(value) ??
    (/^\S.* \(.*\)$/.test(value) ? undefined : { name: 'invalid' })
  )
}
