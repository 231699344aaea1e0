// Values of the form of a matrix, and the rules of its lists.
import type { DestinationFields, SourceFields } from '../../../contract/ndi/router.ts'
import { matrixLabel, matrixSourceName } from '../../../contract/rules/matrix.ts'
import { type Fault, optional } from '../../../contract/rules/rules.ts'

/** Labels are texts in the form; an empty one is left out of the request. */
export interface MatrixValues {
  name: string
  machine: string
  sources: readonly Required<SourceFields>[]
  destinations: readonly Required<DestinationFields>[]
}

/** Destinations of a new matrix. */
export const NEW_DESTINATIONS = 4

const labelFault = optional(matrixLabel)

/** The fault of a source among others: of its name or its label. */
export function sourceFault(
  { name, label }: Required<SourceFields>,
  position: number,
  sources: MatrixValues['sources']
): Fault | undefined {
  const isRepeated = sources.findIndex((other) => other.name === name) < position
  return matrixSourceName(name) ?? (isRepeated ? { name: 'taken' } : labelFault(label))
}

export const destinationFault = ({ label }: Required<DestinationFields>): Fault | undefined => labelFault(label)
