// Rule for the names of tags.
import { LABEL_MAX } from '../limits.ts'
import { characterLength, type Fault, noOuterSpace, printable, required } from './rules.ts'

const lengthOfLabel = characterLength(1, LABEL_MAX)

/** 1-64 characters on one line, printable, no outer spaces. */
export function labelName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfLabel(value)
}
