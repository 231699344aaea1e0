// Where people are signed in: one's own sessions for everybody, all of them for the Admin group.
import { atom } from 'nanostores'
import { SUCCESS } from '../../contract/codes.ts'
import { endSessions as endSessionsCall, listSessions } from '../../contract/user.ts'
import { send } from '../link/send.ts'
import { liveValue } from './live-value.ts'
import { act } from './toasts.ts'

export const $sessions = liveValue({ call: listSessions, request: atom({}), pace: 'slowest', topic: 'session' })

/** Ends sessions at once. @returns whether all went well */
export async function endSessions(ids: number[]): Promise<boolean> {
  const { result } = await act((force) => send(endSessionsCall, { id: ids, ...force }))
  await $sessions.refresh()
  return result === SUCCESS
}
