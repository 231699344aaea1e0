// Users and user groups. Both come in one response, so that a user's group is always among the groups. Listen to it
// only for users with the permission to manage users.
import { endSessions as endSessionsCall, listSessions, listUsers, type Session } from '../../contract/access/user.ts'
import * as OUTCOME from '../text/outcomes.ts'
import { createLiveValue } from './live-value.ts'
import { sendMutation, succeeded } from './mutations.ts'

export const $users = createLiveValue({ call: listUsers, pace: 'slowest', topic: 'user' })

// The sessions of all users.
export const $sessions = createLiveValue({ call: listSessions, pace: 'slowest', topic: 'session' })

/** Signs out sessions. @param nameOf the name of a session in the message @returns whether the call succeeded */
export const endSessions = (sessions: readonly Session[], nameOf: (session: Session) => string): Promise<boolean> =>
  succeeded(
    sendMutation(
      endSessionsCall,
      { id: sessions.map(({ id }) => id) },
      { success: { text: OUTCOME.signedOut, names: sessions.map(nameOf) } }
    )
  )
