// Sign-in, sign-out and password change (docs/wire.md, "Users and groups").
import { declareCall } from '../call.ts'

export type { LoginResponse, LoginUser, SessionResponse } from './session.schema.ts'

export const login = declareCall('POST /login', 'public')
export const logout = declareCall('POST /logout', 'session')
export const logoutByGet = declareCall('GET /logout', 'session')

/**
 * Request header, with any value: the console makes this request by itself, so that it does not extend the session.
 * Without the header every request does.
 */
export const BACKGROUND_HEADER = 'headend-background'

export const getSession = declareCall('GET /session', 'session')

export const reauthenticate = declareCall('POST /session/reauthenticate', 'session')

/** Says whether a new password is one that attackers try first. It is a warning: such a password is accepted. */
export const checkPassword = declareCall('POST /usr/password/check', 'session')

export const changePassword = declareCall('POST /usr/update', 'session')
