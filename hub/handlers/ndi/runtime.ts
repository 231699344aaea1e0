// Describes the NDI runtime of the hub for users.
import type { MatrixList } from '../../../contract/ndi/router.ts'
import type { Reason } from '../../../contract/stream/reason.ts'
import type { NdiSources } from '../../../engine/interfaces/ndi.ts'
import type { Language } from '../../messages/language.ts'
import { nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'

/** The commands that install the missing part, in the folder of the vendor's library (docs/install.md). */
export function runtimeCommand(reason: Reason | undefined): string | undefined {
  const [code, program] = reason?.split(' ', 2) ?? []
  if (code === 'not-installed') return `sudo apt-get install -y ${program}`
  if (code !== 'ndi-missing') return undefined
  return 'sudo apt-get install -y avahi-daemon libavahi-client3\nsudo cp libndi.so.6 /usr/local/lib/'
}

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
