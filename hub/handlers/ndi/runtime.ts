// Describes the NDI runtime of the hub for users.
import type { MatrixList } from '../../../contract/ndi/router.ts'
import type { NdiSources } from '../../../engine/interfaces/ndi.ts'
import type { Language } from '../../messages/language.ts'
import { nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'

export function describeRuntime(
  language: Language,
  { version, failure }: Pick<NdiSources, 'version' | 'failure'>
): MatrixList['runtime'] {
  const step = failure && nextStep(language, failure)
  return {
    ...(version !== undefined && { version }),
    ...(failure && { reason: reasonText(language, failure.reason) }),
    ...(step && { 'next-step': step })
  }
}
