// The signed-in user. After loading, the login cache provides it at once; the hub then confirms or denies it.
import { atom } from 'nanostores'
import { isPermitted } from '../../contract/access/permissions.ts'
import type { SecondFactor } from '../../contract/access/second-factor.ts'
import {
  changePassword as changePasswordCall,
  checkPassword,
  getSession,
  type LoginUser,
  login,
  logout,
  type SessionResponse
} from '../../contract/access/session.ts'
import type { Access, Envelope, LockoutInfo } from '../../contract/call.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../contract/codes.ts'
import { activeRules, type PasswordRules } from '../../contract/rules/password.ts'
import { watchTopic } from '../link/change-feed.ts'
import { $unauthorizedAt } from '../link/fetch-json.ts'
import { md5 } from '../link/md5.ts'
import { send } from '../link/send.ts'
import { writeCookie } from '../text/cookies.ts'
import { clearLoginCache, readLoginCache, writeLoginCache, writeSessionExpiry } from './login-cache.ts'
import { $otherHub, isMissing } from './other-hub.ts'

/** The signed-in user, or null. Set by `startSession`. */
export const $session = atom<LoginUser | null>(null)

/**
 * `default`: the default password is still in use. `must-change`: the hub refuses all other calls until the password is
 * changed. `must-enroll`: it refuses all other calls until a second factor is set up.
 */
export const $passwordNotice = atom<'' | 'default' | 'must-change' | 'must-enroll'>('')

/**
 * Name of the wall display whose session this is; undefined for the session of a user, and until the hub has answered.
 */
export const $display = atom<string | undefined>(undefined)

/** The second factor of the user; undefined while there is none. */
export const $secondFactor = atom<SecondFactor | undefined>(undefined)

/** The hub's rules for new passwords. Undefined when only the built-in rule applies. */
export const $passwordRules = atom<PasswordRules | undefined>(undefined)

/** Whether the hub checks the rules, for which it needs new passwords in plain text: it sent them with the session. */
let checksPasswords = false

/**
 * Whether the signed-in user has the permission for a call and the hub has it; or the permission for anything else with
 * an `access` level: `{ access: DEVICE_VIEW }`.
 */
export function isAllowed({ access, path }: { access: Access; path?: string }): boolean {
  const user = $session.get()
  return !isMissing(path) && (access === 'public' || (user !== null && isPermitted(access, user)))
}

/** `isAllowed` for components: a new function whenever the user, the permissions or the calls of the hub change. */
export const $isAllowed = atom(isAllowed)
const renewIsAllowed = () => $isAllowed.set((call) => isAllowed(call))
$session.listen(renewIsAllowed)
$otherHub.listen(renewIsAllowed)

/** Incremented when the user signs out or another user signs in. */
const $clearCount = atom(0)

/**
 * Calls a function when the user signs out or another user signs in, because the data of one user must not be shown to
 * the next.
 * @returns removes the listener
 */
export const onSessionClear = $clearCount.listen

/** Cookies of the hub: the session and the name of its user. */
const HUB_COOKIES = ['mwcloud-sid', 'mwcloud-uid']

/** Start of the session, on the clock of `performance.now()`. */
let sessionStart = 0
/** The next time at which the life time of the login cache is extended, on the same clock. */
let nextExtension = 0
/** Milliseconds between two extensions. */
const EXTENSION_INTERVAL = 30_000

function setUser(user: LoginUser | null): void {
  const previous = $session.get()
  $session.set(user)
  if (!previous || previous.name === user?.name) return
  $passwordNotice.set('')
  $clearCount.set($clearCount.get() + 1)
}

function clearSession(): void {
  $display.set(undefined)
  clearLoginCache()
  setUser(null)
}

function applySession(response: SessionResponse): void {
  writeLoginCache(response.user)
  setUser(response.user)
  const { 'must-change-password': mustChange, 'must-enroll': mustEnroll, 'default-password': isDefault } = response
  $passwordNotice.set(mustChange ? 'must-change' : mustEnroll ? 'must-enroll' : isDefault ? 'default' : '')
  $secondFactor.set(response['second-factor'])
  $display.set(response.display)
  checksPasswords = response['pwd-rule'] !== undefined
  $passwordRules.set(activeRules(response['pwd-rule']))
}

/** Number of the last `getSession` request, and of the last one whose response was applied. */
let lastRequest = 0
let lastApplied = 0

/**
 * Fetches the user of the session and the password rules from the hub. When no response arrives, nothing changes: the
 * login cache is valid until the hub denies it.
 * @param isUse extends the session
 * @returns the result code
 */
export async function verifySession(isUse = false): Promise<number> {
  const startBefore = sessionStart
  const request = ++lastRequest
  const response = await send(getSession, {}, { isUse })
  // Ignores responses about an earlier session, and those that arrive after the response to a later request.
  if (response.result === SUCCESS && startBefore === sessionStart && $session.get() && request > lastApplied) {
    lastApplied = request
    applySession(response)
  }
  return response.result
}

/** Starts a session that the hub has just opened for a wall display, or for a ticket. */
export function applyNewSession(response: SessionResponse): void {
  sessionStart = performance.now()
  nextExtension = 0
  applySession(response)
}

/** Looks for a session without a cached user: that of a wall display outlives the cache. @returns the result code */
export async function resumeSession(): Promise<number> {
  const response = await send(getSession, {})
  if (response.result === SUCCESS && !$session.get()) applyNewSession(response)
  return response.result
}

/** Applies the login cache: after loading, and when another tab has signed in or out. All tabs share the cookies. */
function applyLoginCache(): void {
  const user = readLoginCache()
  if (user?.name === $session.get()?.name) return
  sessionStart = performance.now()
  setUser(user)
  if (user) void verifySession(true)
}

/** Verifies the session whenever the hub reports a change of it, while a user is signed in. @returns stops that */
function followSessionTopic(): () => void {
  let stopWatching: (() => void) | undefined
  let knownRevision: number | undefined
  const handleUser = (user: LoginUser | null) => {
    if (!user) {
      stopWatching?.()
      stopWatching = knownRevision = undefined
    }
    if (!user || stopWatching) return
    stopWatching = watchTopic('session', (revision) => {
      // The first revision is only the one to compare with.
      if (knownRevision !== undefined && revision !== knownRevision) void verifySession()
      knownRevision = revision ?? 0
    })
  }
  const stopListening = $session.listen(handleUser)
  return () => {
    stopListening()
    handleUser(null)
  }
}

/** Deletes the cookies of a session that has ended. Those that scripts cannot delete the hub does. */
function clearHubCookies(): Promise<unknown> {
  for (const name of HUB_COOKIES) writeCookie(name, '', 0)
  return send(getSession, {})
}

/**
 * Reads the login cache and verifies it with the hub; from then on follows changes of the session.
 * @returns stops that
 */
export function startSession(): () => void {
  document.addEventListener('visibilitychange', applyLoginCache)
  const stopListening = $unauthorizedAt.listen((requestedAt) => {
    if (requestedAt < sessionStart) return
    const wasSignedIn = $session.get() !== null
    clearSession()
    if (wasSignedIn) void clearHubCookies()
  })
  const stopFollowing = followSessionTopic()
  applyLoginCache()
  return () => {
    stopListening()
    stopFollowing()
    document.removeEventListener('visibilitychange', applyLoginCache)
  }
}

/** Codes for which the hub asks with 1101: of the second factor, and the setup code of its machine (`field`). */
export interface SignInCodes {
  /** At the cloud: the organisation of the user. */
  organisation?: string
  code?: string
  'setup-code'?: string
}

export async function signIn(name: string, password: string, codes?: SignInCodes): Promise<Envelope & LockoutInfo> {
  const response = await send(login, { id: name, pass: md5(password), ...codes })
  if (response.result === SUCCESS) {
    sessionStart = performance.now()
    nextExtension = 0
    applySession(response)
  }
  return response
}

/**
 * Signs out. When the hub does not respond, the session is still alive and the user stays signed in. @returns the
 * result code
 */
export async function signOut(): Promise<number> {
  const { result } = await send(logout, {})
  if (result === SUCCESS) clearSession()
  return result === NOT_LOGGED_IN ? SUCCESS : result
}

/** Takes the rules from the status of the hub, if it sends none with the session. */
export function applyStatusRules(rules: Partial<PasswordRules> | undefined): void {
  if (!checksPasswords) $passwordRules.set(activeRules(rules))
}

/**
 * The fields of a request that carry a new password. Plain text is sent only to a hub that checks password rules, which
 * it cannot on an MD5.
 */
export function passwordFields(password: string): { passwd: string; password?: string } {
  const passwd = md5(password)
  return checksPasswords ? { passwd, password } : { passwd }
}

/** Whether the hub knows a new password as a common one. False without an answer: it is a warning only. */
export async function isCommonPassword(password: string): Promise<boolean> {
  return (await send(checkPassword, { passwd: md5(password) })).common === true
}

interface PasswordChange {
  newPassword: string
  /** Required for the user's own password. */
  oldPassword?: string
  /** The other user whose password is changed. The default is the signed-in user. */
  name?: string
}

/**
 * Changes a password. @returns the response: with 7 it names the rejected field, with 39 it may contain a lock-out time
 */
export async function changePassword(change: PasswordChange): Promise<Envelope & LockoutInfo> {
  const { newPassword, oldPassword, name } = change
  const response = await send(changePasswordCall, {
    name,
    ...passwordFields(newPassword),
    'old-passwd': oldPassword && md5(oldPassword)
  })
  if (response.result === SUCCESS && oldPassword) $passwordNotice.set('')
  // The hub has password rules that the console does not know yet.
  if (response.field === 'password') await verifySession()
  return response
}

/**
 * Stores the hub's session expiry and extends the login cache, because the hub has just extended the session. @param
 * minutes expiry
 */
export function extendSession(minutes: number): void {
  const user = $session.get()
  if (!user || performance.now() < nextExtension) return
  nextExtension = performance.now() + EXTENSION_INTERVAL
  writeSessionExpiry(minutes)
  writeLoginCache(user)
}
