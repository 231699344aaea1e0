// Who is signed in. The login cache says it at once after loading; the hub confirms or denies it.
import { atom } from 'nanostores'
import type { Envelope, Who } from '../../contract/call.ts'
import { NOT_LOGGED_IN, SUCCESS } from '../../contract/codes.ts'
import { permits } from '../../contract/permissions.ts'
import type { PasswordRules } from '../../contract/rules/password.ts'
import {
  changePassword as changePasswordCall,
  type Locked,
  type LoginUser,
  login,
  logout,
  type SessionReply,
  whoAmI
} from '../../contract/session.ts'
import { watch } from '../link/change-feed.ts'
import { $refused } from '../link/fetch-json.ts'
import { md5 } from '../link/md5.ts'
import { send } from '../link/send.ts'
import { clearLogin, readLogin, writeExpiry, writeLogin } from './cache.ts'

/** The signed-in user, or nobody. Known after `startSession`. */
export const $session = atom<LoginUser | null>(null)

/** What is to be said of the user's password: that it is the first one; and that nothing works before it is changed (design 3). */
export const $password = atom<'' | 'default' | 'must-change'>('')

/** What the hub demands of new passwords; nothing where it demands nothing besides the usual. */
export const $passwordRules = atom<PasswordRules | undefined>(undefined)

/** Whether the signed-in user may make a call; also for menu entries and buttons: `may({ who: DEVICE_VIEW })`. */
export function may({ who }: { who: Who }): boolean {
  const user = $session.get()
  return who === 'public' || (user !== null && permits(who, user))
}

/** `may` for screens: a new function whenever the user or the rights change. */
export const $may = atom(may)
$session.listen(() => $may.set((call) => may(call)))

/** How often the login cache was cleared, or another user took its place. */
const $cleared = atom(0)

/** Hears of each time, since what was shown to the one is not for the next. @returns how to stop it */
export const onClear = $cleared.listen

/** When the session began, on the clock of `performance.now()`. */
let began = 0
/** When the life of the login cache is to be lengthened, on the same clock, and the milliseconds between two times. */
let lengthenAt = 0
const LENGTHEN_EVERY = 30_000

/** Puts `user` in the place of whoever was signed in. */
function change(user: LoginUser | null): void {
  const before = $session.get()
  $session.set(user)
  if (!before || before.name === user?.name) return
  $password.set('')
  $cleared.set($cleared.get() + 1)
}

function clear(): void {
  clearLogin()
  change(null)
}

function enter(reply: SessionReply): void {
  writeLogin(reply.user)
  change(reply.user)
  $password.set(reply['must-change-password'] ? 'must-change' : reply['default-password'] ? 'default' : '')
  $passwordRules.set(reply['password-rules'])
}

/** How often the hub was asked who the session belongs to, and which of its answers counts now. */
let asks = 0
let counted = 0

/**
 * Asks the hub who the session belongs to, and what it demands of passwords now. No answer changes nothing: the cache stands
 * until the hub denies it. @returns the result code
 */
export async function verify(): Promise<number> {
  const asked = began
  const turn = ++asks
  const reply = await send(whoAmI, {})
  // An answer that was overtaken by a later one counts no more.
  if (reply.result === SUCCESS && asked === began && $session.get() && turn > counted) {
    counted = turn
    enter(reply)
  }
  return reply.result
}

/** Takes over the login cache: after loading, and when another tab signed in or out meanwhile. The cookies are one for all tabs. */
function reread(): void {
  const user = readLogin()
  if (user?.name === $session.get()?.name) return
  began = performance.now()
  change(user)
  if (user) void verify()
}

/**
 * Reads the login cache and lets the hub confirm it; from then on follows what the hub says of the session.
 * @returns how to stop it
 */
export function startSession(): () => void {
  let unwatch: (() => void) | undefined
  let known: number | undefined
  const follow = (user: LoginUser | null) => {
    if (!user) {
      unwatch?.()
      unwatch = known = undefined
    }
    if (!user || unwatch) return
    unwatch = watch('session', (rev) => {
      // The first word only tells the number to compare with.
      if (known !== undefined && rev !== known) void verify()
      known = rev ?? 0
    })
  }
  document.addEventListener('visibilitychange', reread)
  const stops = [
    $refused.listen((asked) => {
      if (asked >= began) clear()
    }),
    $session.listen(follow),
    () => follow(null),
    () => document.removeEventListener('visibilitychange', reread)
  ]
  reread()
  return () => {
    for (const stop of stops) stop()
  }
}

/** @returns 0, or why not; with `lockedS` the seconds for which further attempts are refused */
export async function signIn(name: string, password: string): Promise<{ result: number; lockedS?: number }> {
  const reply = await send(login, { id: name, pass: md5(password) })
  if (reply.result === SUCCESS) {
    began = performance.now()
    lengthenAt = 0
    enter(reply)
  }
  return { result: reply.result, lockedS: reply['locked-s'] }
}

/** Signs out. A hub that does not answer keeps the session alive, so one stays signed in and is told why. @returns the result code */
export async function signOut(): Promise<number> {
  const { result } = await send(logout, {})
  if (result === SUCCESS) clear()
  return result === NOT_LOGGED_IN ? SUCCESS : result
}

/** How a new password is sent: itself only to a hub that has rules about its letters. */
export function sealed(password: string): { passwd: string; password?: string } {
  return { passwd: md5(password), ...($passwordRules.get() && { password }) }
}

/**
 * Changes a password: one's own, which takes the old one, or that of user `name`.
 * @returns the result code, and with 7 the field that was refused, with 39 how long one has to wait
 */
export async function changePassword({
  next,
  old,
  name
}: {
  next: string
  old?: string
  name?: string
}): Promise<Envelope & Locked> {
  const reply = await send(changePasswordCall, { name, ...sealed(next), 'old-passwd': old && md5(old) })
  if (reply.result === SUCCESS && old) $password.set('')
  // The hub has rules that this console has not heard of yet.
  if (reply.field === 'password') await verify()
  return reply
}

/** Notes the hub's session expiry in minutes, and that the session lives: the login cache slides as the hub's session does. */
export function noteExpiry(minutes: number): void {
  const user = $session.get()
  if (!user || performance.now() < lengthenAt) return
  lengthenAt = performance.now() + LENGTHEN_EVERY
  writeExpiry(minutes)
  writeLogin(user)
}
