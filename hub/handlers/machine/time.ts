// Handlers for the clock of the machine (contract/machine/time.ts).
import { LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import { getTime, type SetTimeRequest, setTime } from '../../../contract/machine/time.ts'
import { type Handler, handle, handlePreparedChange, interrupting } from '../../http/handler.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Store } from '../../store/store.ts'
import { refuseWith } from './refusal.ts'

/** Text for the operation log. */
function describeRequest({ zone, sync, server1, server2, time }: SetTimeRequest): string {
  if (zone !== undefined) return zone
  if (time !== undefined) return new Date(time).toISOString()
  return ['NTP', sync && server1, sync && server2, sync ? LOG_ON : LOG_OFF].filter(Boolean).join(' ')
}

export function timeHandlers({ machine, store }: { store: Store; machine: Machine }): Handler[] {
  const handleSetTime = handlePreparedChange(
    setTime,
    (context, request) => {
      context.detail = describeRequest(request)
      return refuseWith(context.language, machine.time.set(request, context.language))
    },
    (context) => {
      context.afterCommit(() => store.changes.markChanged('status'))
      return {}
    }
  )
  return [
    handle(getTime, (context) => machine.time.read(context.language)),
    interrupting(setTime, handleSetTime, {
      find: (_context, { time }) => (time === undefined ? { kind: 'nothing' } : { kind: 'clock', time }),
      // The clock is set while the change is prepared.
      isAlone: () => true
    })
  ]
}
