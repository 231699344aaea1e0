// Why the hub refuses calls that change something: its data is being replaced, or a release is on trial, whose changes
// would be lost if the hub goes back.
import { login, logout, reauthenticate } from '../../../contract/access/session.ts'
import type { Call } from '../../../contract/call.ts'
import { IN_PROGRESS, TRY_AGAIN } from '../../../contract/codes.ts'
import { setupPreview } from '../../../contract/preview.ts'
import { confirmUpdate } from '../../../contract/update.ts'
import type { RefuseChange } from '../../http/api.ts'
import { CallError } from '../../http/handler.ts'
import type { SystemOperation } from '../../machine/system-operation.ts'
import { trialText } from '../../messages/updates.ts'
import type { ReleaseUpgrade } from '../../upgrade/release-upgrade.ts'

/** Calls during a trial: they change sessions only, which the hub carries back, or nothing that is stored. */
const TRIAL_CALLS: ReadonlySet<Call> = new Set<Call>(
  [login, logout, reauthenticate, setupPreview, confirmUpdate].map((call) => call as Call)
)

export function createChangeRefusal({
  operation,
  releases
}: {
  operation: SystemOperation
  releases: ReleaseUpgrade
}): RefuseChange {
  return (call, language) => {
    if (operation.refusesChanges()) return new CallError(TRY_AGAIN)
    if (!releases.isOnTrial || TRIAL_CALLS.has(call)) return undefined
    return new CallError(IN_PROGRESS, { message: trialText(language, releases.secondsLeft) })
  }
}
