import type { Answer } from '../answer.ts'
import type { Hub } from '../parts.ts'

export function userAnswers(_hub: Hub): Answer[] {
  return []
}
