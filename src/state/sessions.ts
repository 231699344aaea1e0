// The sessions of all users.
import { atom } from 'nanostores'
import { endSessions as endSessionsCall, listSessions } from '../../contract/access/user.ts'
import { createLiveValue } from './live-value.ts'
import { sendMutation, succeeded } from './mutations.ts'

export const $sessions = createLiveValue({ call: listSessions, request: atom({}), pace: 'slowest', topic: 'session' })

/** Signs out sessions. @returns whether the call succeeded */
export const endSessions = (ids: number[]): Promise<boolean> => succeeded(sendMutation(endSessionsCall, { id: ids }))
