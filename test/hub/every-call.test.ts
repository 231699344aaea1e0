// Sends every declared call as every kind of caller. Whether a caller is admitted must follow from the hand-written
// table in `call-rights.ts` and the exceptions below, not from the declaration: a call declared too weakly fails. The
// test interprets the table with code of its own, so that it does not use the code that it tests.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as permissions from '../../contract/access/permissions.ts'
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../../contract/access/permissions.ts'
import * as session from '../../contract/access/session.ts'
import { TOKEN_SCOPES } from '../../contract/access/token.ts'
import type { Call } from '../../contract/call.ts'
import { schemaOf } from '../../contract/calls.schema.ts'
import { setCatalog } from '../../contract/catalog.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED } from '../../contract/codes.ts'
import { listDeclaredCalls } from '../../make/wire/declared-calls.ts'
import { hashSecret } from '../../web-server/credentials.ts'
import { type Client, startHub, type TestHub } from '../kit/hub/hub.ts'
import { CALL_RIGHTS, DISPLAY_RIGHTS, nameOfCall, rowOfRequest } from './call-rights.ts'
import { DEVICE_DEFAULT, HARMLESS_REQUESTS, OTHERS_PASSWORD, STORED_SETTINGS } from './every-call-requests.ts'

const test = suite('every call')

/** Result 37, result 31, or admitted, whatever the handler then returns. The last outcome is always wrong. */
type Outcome = 'not signed in' | 'not permitted' | 'admitted' | 'not handled'

type Credentials = 'nobody' | 'session' | 'token' | 'display' | 'expired' | 'revoked'

interface Caller {
  name: string
  credentials: Credentials
  permission: number
  type: number
  /** Scopes of a token, separated by spaces. */
  scopes?: string
  /** Calls from another machine while the default password is in use. */
  mustChangePassword?: boolean
}

const BITS = Array.from({ length: 18 }, (_, bit) => bit)
const EVERY_BIT = 2 ** 18 - 1
const BIT_NAMES = permissions.PERMISSION_BITS.map(
  (bit) => Object.entries(permissions).find(([, value]) => value === bit)?.[0] ?? ''
)

const GROUPS = [
  { name: 'an administrator', permission: ALL_PERMISSIONS, type: GROUP_ADMIN },
  { name: 'a user', permission: USER_PERMISSIONS, type: GROUP_USER },
  { name: 'a viewer', permission: VIEWER_PERMISSIONS, type: GROUP_VIEWER },
  { name: 'a member of a custom group', permission: 2 ** 2 + 2 ** 11, type: GROUP_CUSTOM }
]
const custom = (name: string, permission: number): Caller => ({
  name,
  credentials: 'session',
  permission,
  type: GROUP_CUSTOM
})
const [ADMIN] = GROUPS as [(typeof GROUPS)[number]]

const ALL_SCOPES = TOKEN_SCOPES.join(' ')

const CALLERS: readonly Caller[] = [
  { name: 'nobody', credentials: 'nobody', permission: 0, type: 0 },
  ...GROUPS.map((group) => ({ ...group, credentials: 'session' as const })),
  ...GROUPS.map((group) => ({
    ...group,
    name: `${group.name} by token`,
    credentials: 'token' as const,
    scopes: ALL_SCOPES
  })),
  ...[...TOKEN_SCOPES, ''].map((scopes) => ({
    ...ADMIN,
    name: `an administrator by token for '${scopes}'`,
    credentials: 'token' as const,
    scopes
  })),
  custom('one without permissions', 0),
  custom('one with all permissions who is not an administrator', ALL_PERMISSIONS),
  custom('one with an unknown permission', 2 ** 31),
  ...BITS.map((bit) => custom(`one with bit ${bit} alone`, 2 ** bit)),
  ...BITS.map((bit) => custom(`one with all bits but ${bit}`, EVERY_BIT - 2 ** bit)),
  { ...ADMIN, name: 'an administrator with the default password', credentials: 'session', mustChangePassword: true },
  {
    ...ADMIN,
    name: 'the token of a user with the default password',
    credentials: 'token',
    scopes: ALL_SCOPES,
    mustChangePassword: true
  },
  ...GROUPS.map((group) => ({
    ...group,
    name: `a display of ${group.name}`,
    credentials: 'display' as const
  })),
  { ...ADMIN, name: 'an expired session', credentials: 'expired' },
  { ...ADMIN, name: 'a revoked token', credentials: 'revoked' }
]

interface Exception {
  calls: readonly Call[]
  who(caller: Caller): boolean
  /** The exception applies only to this request of the calls. */
  request?: object
  outcome: Outcome
  why: string
}

type Rights = readonly [who: string, scopes: string, takes?: string]
const rowOf = ({ call, request }: Pick<Attempt, 'call' | 'request'>) => rowOfRequest(call, JSON.parse(request))
const rightsOf = (row: string): Rights => CALL_RIGHTS[row] ?? ['no row', '']

const ALWAYS_ALLOWED = [
  session.logout,
  session.logoutByGet,
  session.getSession,
  session.checkPassword,
  session.changePassword
] as Call[]

/** Rules that are not part of the declarations, with their reasons. The first exception that applies counts. */
const EXCEPTIONS: readonly Exception[] = [
  {
    calls: listDeclaredCalls().filter(
      (call) => rightsOf(nameOfCall(call))[0] !== 'public' && !ALWAYS_ALLOWED.includes(call)
    ),
    who: ({ mustChangePassword }) => mustChangePassword === true,
    outcome: 'not permitted',
    why: 'with the default password another machine can only change it, read its session, and log out'
  },
  {
    calls: [session.changePassword as Call],
    who: ({ credentials, type }) => credentials === 'session' && type !== GROUP_ADMIN,
    request: OTHERS_PASSWORD,
    outcome: 'not permitted',
    why: 'only the Admin group sets the password of an administrator'
  },
  {
    calls: [setCatalog as Call],
    who: ({ credentials, type }) => credentials === 'session' && type !== GROUP_ADMIN,
    request: DEVICE_DEFAULT,
    outcome: 'not permitted',
    why: 'only the Admin group sets the global default of the visibility'
  }
]

const exceptionFor = ({ call, caller, request }: Pick<Attempt, 'call' | 'caller' | 'request'>) =>
  EXCEPTIONS.find(
    (candidate) =>
      candidate.calls.includes(call) &&
      candidate.who(caller) &&
      (!candidate.request || JSON.stringify(candidate.request) === request)
  )

/** The outcome that a row requires. Implemented independently: masks are compared as strings of binary digits. */
function expectedOutcome(
  [who, scopes]: Rights,
  { credentials, permission, type, scopes: held = '' }: Caller,
  row: string
): Outcome {
  if (who === 'public') return 'admitted'
  if (credentials === 'nobody' || credentials === 'expired' || credentials === 'revoked') return 'not signed in'
  if (credentials === 'display' && !DISPLAY_RIGHTS.includes(row)) return 'not permitted'
  const accepted = scopes === 'any' ? ALL_SCOPES.replace('metrics', '') : scopes
  const hasScope = held.split(' ').some((scope) => scope !== '' && accepted.split(' ').includes(scope))
  if (credentials === 'token' && !hasScope) return 'not permitted'
  if (who === 'session') return 'admitted'
  if (who === 'admin') return type === GROUP_ADMIN ? 'admitted' : 'not permitted'
  const heldBits = permission.toString(2).padStart(32, '0')
  return who.split(' | ').some((name) => heldBits[31 - BIT_NAMES.indexOf(name)] === '1') ? 'admitted' : 'not permitted'
}

interface Attempt {
  call: Call
  caller: Caller
  request: string
  outcome: Outcome
  /** Fields and cookies that a refusal has besides its code but must not have, or the other way round. */
  unexpectedFields?: string
}

/**
 * Descriptions of the attempts whose outcome differs from the expected outcome.
 * @param rights replaces the rows
 */
function findMismatches(attempts: readonly Attempt[], rights?: Rights): string[] {
  return attempts.flatMap((attempt) => {
    const { call, caller, request, outcome, unexpectedFields } = attempt
    const row = rowOf(attempt)
    const expected = exceptionFor(attempt)?.outcome ?? expectedOutcome(rights ?? rightsOf(row), caller, row)
    if (expected === outcome && !unexpectedFields) return []
    return [
      `${caller.name}: ${call.method} ${call.path} ${request}: ${outcome}, not ${expected} ${unexpectedFields ?? ''}`
    ]
  })
}

/**
 * Creates a client with the credentials of a caller. The permissions of the custom group are set as the caller needs
 * them.
 */
function createClient({ parts: { store, gate }, client }: TestHub, caller: Caller): { client: Client; renew(): void } {
  const { tokens, database } = store
  const callerClient = client(caller.mustChangePassword ? '192.0.2.7' : '127.0.0.1')
  if (caller.credentials === 'nobody') return { client: callerClient, renew() {} }
  const id = caller.type
  if (id === GROUP_CUSTOM) database.run('UPDATE user_group SET permission = ? WHERE id = ?', caller.permission, id)
  if (caller.credentials === 'token' || caller.credentials === 'revoked') {
    callerClient.token = String(tokens.count()).padStart(64, 'x')
    const row = { hash: hashSecret(callerClient.token), begin: 'x', name: '', user_id: id, created: 1, expires: -1 }
    const tokenId = database.transaction(() => tokens.add({ ...row, scopes: caller.scopes ?? '' }))
    if (caller.credentials === 'revoked') database.transaction(() => tokens.remove(tokenId))
    return { client: callerClient, renew() {} }
  }
  const renew = () => {
    const { secret, hash } = database.transaction(() =>
      caller.credentials === 'display'
        ? gate.openDisplaySession(id, 'Wall', '127.0.0.1')
        : gate.openSession(id, '127.0.0.1')
    )
    callerClient.cookie = `mwcloud-sid=${secret}`
    if (caller.credentials === 'expired') database.run('UPDATE session SET seen = 1 WHERE hash = ?', hash)
  }
  renew()
  return { client: callerClient, renew }
}

async function sendAttempt(client: Client, call: Call, caller: Caller, request: object): Promise<Attempt> {
  const isGet = call.method === 'GET'
  const query = isGet ? new URLSearchParams(Object.entries(request)).toString() : ''
  const response = await client.raw(call.method, `/api${call.path}${query && `?${query}`}`, {
    ...(!isGet && { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } })
  })
  assert.ok(response.status < 500, `${call.path}: ${response.status}`)
  const attempt = { call, caller, request: JSON.stringify(request) }
  if (response.status === 404 || response.status === 405) return { ...attempt, outcome: 'not handled' }
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    await response.body?.cancel()
    return { ...attempt, outcome: 'admitted' }
  }
  const reply = (await response.json()) as Record<string, unknown>
  if (reply.result !== NOT_LOGGED_IN && reply.result !== NOT_PERMITTED) return { ...attempt, outcome: 'admitted' }
  const { result, 'must-change-password': must, ...rest } = reply
  const extraFields = [
    ...Object.keys(rest),
    ...((must === true) === (caller.mustChangePassword === true) ? [] : ['must-change-password'])
  ]
  // The call that finds out that a session has ended deletes its cookies.
  const deletions = call === (session.getSession as Call) && result === NOT_LOGGED_IN ? /=;.*Max-Age=0/ : undefined
  const cookies = response.headers
    .getSetCookie()
    .filter((line) => !deletions?.test(line))
    .join()
  return {
    ...attempt,
    outcome: result === NOT_LOGGED_IN ? 'not signed in' : 'not permitted',
    ...((extraFields.length > 0 || cookies) && { unexpectedFields: `with ${extraFields} ${cookies}` })
  }
}

/**
 * The contents of all tables except logs, sessions, tokens, user groups and the time at which the hub ran last, and the
 * result of the last backup: every admitted caller makes one.
 */
function dumpTables({ parts: hub }: TestHub): string {
  const { database } = hub.store
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
  const own = tables.filter(
    ({ name }) => !/^sqlite_|_log(_head)?$|^session$|^token$|^user_group$|^hub_alive$/.test(name)
  )
  assert.ok(own.length > 6)
  const rows = own.map(({ name }) => database.all<{ name?: string }>(`SELECT * FROM ${name}`))
  return JSON.stringify(rows.map((each) => each.filter(({ name }) => name !== 'backup-result')))
}

let attempts: Attempt[] = []
let isUnchanged = false

test.before(async () => {
  const hub = await startHub()
  const { users, database, settings } = hub.parts.store
  database.transaction(() => {
    users.addGroup(GROUP_CUSTOM, 'Crew', 0, GROUP_CUSTOM)
    for (const type of [GROUP_USER, GROUP_VIEWER, GROUP_CUSTOM]) users.add(type, `user ${type}`, type, '', false)
    for (const [part, value] of Object.entries(STORED_SETTINGS)) settings.set(part as 'log', value as never)
  })
  try {
    const before = dumpTables(hub)
    // They are the last calls, because logout ends the session, and the other deletes the cookies of an ended one.
    const endsSession = ({ path }: Call) => path === '/session' || /logout/.test(path)
    const calls = listDeclaredCalls().sort((a, b) => Number(endsSession(a)) - Number(endsSession(b)))
    for (const caller of CALLERS) {
      const { client, renew } = createClient(hub, caller)
      for (const call of calls)
        for (const request of [{}, ...(HARMLESS_REQUESTS.get(call) ?? [])]) {
          if (endsSession(call)) renew()
          attempts.push(await sendAttempt(client, call, caller, request))
        }
    }
    isUnchanged = dumpTables(hub) === before
  } finally {
    await hub.close()
  }
})

test.after(() => {
  attempts = []
})

test('each call admits exactly the callers of its row and the exceptions; all others get result 37 or 31 without further fields', () => {
  const handled = attempts.filter(({ outcome }) => outcome !== 'not handled')
  assert.deepEqual(findMismatches(handled).slice(0, 20), [])
})

test('each call has a handler', () => {
  const unhandled = attempts.filter(({ outcome }) => outcome === 'not handled')
  assert.deepEqual([...new Set(unhandled.map(({ call }) => `${call.method} ${call.path}`))], [])
})

test('all calls are tried by all callers, and each outcome occurs often', () => {
  const calls = listDeclaredCalls()
  assert.ok(calls.length > 80 && CALLERS.length > 45, `${calls.length} ${CALLERS.length}`)
  const pairs = new Set(attempts.map(({ call, caller }) => `${caller.name} ${call.method} ${call.path}`))
  assert.equal(pairs.size, calls.length * CALLERS.length)
  const byOutcome = Map.groupBy(attempts, ({ outcome }) => outcome)
  for (const outcome of ['not signed in', 'not permitted', 'admitted'] as const)
    assert.ok((byOutcome.get(outcome)?.length ?? 0) > 150, outcome)
})

test('no attempt changes the stored data', () => {
  assert.ok(isUnchanged)
})

test('the harmless requests are well formed, so they reach the handlers and not only the gate', () => {
  for (const [call, requests] of HARMLESS_REQUESTS)
    for (const request of requests) assert.ok(schemaOf(call)?.request.safeParse(request).success, call.path)
})

test('the table has exactly the declared calls', () => {
  const rows = Object.keys(CALL_RIGHTS)
  assert.deepEqual(rows.filter((row) => row.split(' ').length === 2).sort(), listDeclaredCalls().map(nameOfCall).sort())
  const tried = new Set(attempts.map(rowOf))
  assert.deepEqual(
    rows.filter((row) => !tried.has(row)),
    []
  )
})

/** Rows that differ from a row in who may make the call, by one permission more or less, or in one scope. */
function neighboursOf([who, scopes]: Rights): Rights[] {
  const toggle = (list: string[], item: string) =>
    list.includes(item) ? list.filter((other) => other !== item) : [...list, item]
  const names = /^[A-Z]/.test(who) ? who.split(' | ') : []
  const others = ['public', 'session', 'admin', ...BIT_NAMES, ...BIT_NAMES.map((bit) => toggle(names, bit).join(' | '))]
  const accepted = scopes === 'any' ? ALL_SCOPES.replace(' metrics', '') : scopes
  const otherScopes = who === 'public' ? [] : TOKEN_SCOPES.map((scope) => toggle(accepted.split(' '), scope).join(' '))
  return [
    ...others.filter((other) => other && other !== who).map((other) => [other, scopes] as const),
    ...otherScopes.map((other) => [who, other] as const)
  ]
}

test('the check finds a row that is wrong by one permission or one scope', () => {
  let count = 0
  for (const [row, rowAttempts] of Map.groupBy(attempts, rowOf))
    for (const neighbour of neighboursOf(rightsOf(row))) {
      count++
      assert.ok(findMismatches(rowAttempts, neighbour).length > 0, `${row}: ${neighbour} instead of ${rightsOf(row)}`)
    }
  assert.ok(count > 1000, String(count))
})

test('each exception differs from the declaration', () => {
  for (const exception of EXCEPTIONS) {
    const exceptionAttempts = attempts.filter((attempt) => exceptionFor(attempt) === exception)
    assert.ok(
      exceptionAttempts.some(
        ({ call, caller, outcome }) => outcome !== expectedOutcome(rightsOf(nameOfCall(call)), caller, nameOfCall(call))
      ),
      exception.why
    )
  }
})

test.run()
