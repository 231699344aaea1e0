// Where people are signed in.
import { atom } from 'nanostores'
import { endSessions as endSessionsCall, listSessions } from '../../contract/user.ts'
import { liveValue } from './live-value.ts'
import { change, well } from './toasts.ts'

export const $sessions = liveValue({ call: listSessions, request: atom({}), pace: 'slowest', topic: 'session' })

/** Ends sessions at once. @returns whether all went well */
export const endSessions = (ids: number[]): Promise<boolean> => well(change(endSessionsCall, { id: ids }))
