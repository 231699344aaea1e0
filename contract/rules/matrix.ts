// Rules for matrices of the NDI router.

import { LABEL_MAX, MATRIX_SIDE_MAX } from '../limits.ts'
import { destinationName } from '../ndi-name-length.ts'
import { ndiName } from './ndi-names.ts'
import { characterLength, type Fault, noOuterSpace, printable, required } from './rules.ts'

/** Characters of an NDI name; the length of a DNS name. */
const NDI_NAME_MAX = 253

const lengthOfLabel = characterLength(1, LABEL_MAX)
const lengthOfNdiName = characterLength(1, NDI_NAME_MAX)

/**
 * Name of a matrix or salvo, and label of a source or destination: 1-64 characters on one line, printable, no outer
 * spaces.
 */
export function matrixLabel(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfLabel(value)
}

/**
 * Makes a rule: base name of the destinations, each of which the hub announces as `MACHINE (base n)`. As `ndiName`; so
 * that destinations can be added later, there must be room for the number of the last one that is possible.
 * @param machine name of the machine as announced. Default: empty, for a form that does not know it
 */
export const matrixBaseName = (machine = '') => ndiName(machine, destinationName('', MATRIX_SIDE_MAX))

/** NDI name of a source: `MACHINE (Source)`. */
export function matrixSourceName(value: string): Fault | undefined {
  return (
    required(value) ??
    printable(value) ??
    lengthOfNdiName(value) ??
    (/^\S.* \(.*\)$/.test(value) ? undefined : { name: 'invalid' })
  )
}
