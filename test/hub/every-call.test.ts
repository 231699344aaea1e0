// Every declared call, tried by everybody: who is let in follows from the declaration and the table of exceptions below, and from
// nothing else. The declaration is read here in a way of its own, so that the hub is not asked to confirm itself.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Call, Who } from '../../contract/call.ts'
import * as catalog from '../../contract/catalog.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED } from '../../contract/codes.ts'
import * as deviceAction from '../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../contract/device/address.ts'
import * as device from '../../contract/device/device.ts'
import * as firmware from '../../contract/firmware.ts'
import {
  ALL_PERMISSIONS,
  GROUP_ADMIN,
  GROUP_CUSTOM,
  GROUP_USER,
  GROUP_VIEWER,
  USER_PERMISSIONS,
  VIEWER_PERMISSIONS
} from '../../contract/permissions.ts'
import * as forward from '../../contract/port-forward.ts'
import * as preview from '../../contract/preview.ts'
import { declaredCalls, requestShape } from '../../contract/requests.ts'
import * as session from '../../contract/session.ts'
import * as channel from '../../contract/stream/channel.ts'
import { channelHistory, exportChannelHistory, setBaseline } from '../../contract/stream/channel-history.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import * as source from '../../contract/stream/source.ts'
import * as token from '../../contract/token.ts'
import * as update from '../../contract/update.ts'
import * as user from '../../contract/user.ts'
import { hashOf } from '../../hub/auth/gate.ts'
import { type Client, md5, startHub, type TestHub } from '../kit/hub.ts'

const test = suite('every call')

/** 37, 31, or let in, whatever is then answered; the last is no outcome that is right. */
type Outcome = 'not signed in' | 'not permitted' | 'let in' | 'not answered at all'

type How = 'nobody' | 'session' | 'token' | 'expired' | 'revoked'

interface Caller {
  name: string
  how: How
  permission: number
  type: number
  /** From another machine, while the first password stands. */
  barred?: boolean
}

const BITS = Array.from({ length: 18 }, (_, bit) => bit)
const EVERY_BIT = 2 ** 18 - 1

const GROUPS = [
  { name: 'an administrator', permission: ALL_PERMISSIONS, type: GROUP_ADMIN },
  { name: 'a user', permission: USER_PERMISSIONS, type: GROUP_USER },
  { name: 'a viewer', permission: VIEWER_PERMISSIONS, type: GROUP_VIEWER },
  { name: 'a member of a custom group', permission: 2 ** 2 + 2 ** 11, type: GROUP_CUSTOM }
]
const custom = (name: string, permission: number): Caller => ({ name, how: 'session', permission, type: GROUP_CUSTOM })
const [ADMIN] = GROUPS as [(typeof GROUPS)[number]]

const CALLERS: readonly Caller[] = [
  { name: 'nobody', how: 'nobody', permission: 0, type: 0 },
  ...GROUPS.map((group) => ({ ...group, how: 'session' as const })),
  ...GROUPS.map((group) => ({ ...group, name: `${group.name} by token`, how: 'token' as const })),
  custom('one without a right', 0),
  custom('one with all rights who is no administrator', ALL_PERMISSIONS),
  custom('one with a right that is none', 2 ** 31),
  ...BITS.map((bit) => custom(`one with bit ${bit} alone`, 2 ** bit)),
  ...BITS.map((bit) => custom(`one with all bits but ${bit}`, EVERY_BIT - 2 ** bit)),
  { ...ADMIN, name: 'an administrator who must change the password', how: 'session', barred: true },
  { ...ADMIN, name: 'the token of one who must change the password', how: 'token', barred: true },
  { ...ADMIN, name: 'an expired session', how: 'expired' },
  { ...ADMIN, name: 'a revoked token', how: 'revoked' }
]

const NOTHING = 'nothing'
const GONE = 999_999
const NO_ONE = 2 ** 29
const MD5 = md5('x')
const OTHERS_PASSWORD = { name: 'Admin', passwd: MD5 }
const shaped = <Request>(call: Call<Request, never> | Call<Request>, ...requests: Request[]) =>
  [call as Call, requests as object[]] as const

/** Requests that are well formed and yet change nothing for whom they are let through: they speak of what is not there. */
const HARMLESS = new Map<Call, object[]>([
  shaped(session.changePassword, { passwd: MD5 }, OTHERS_PASSWORD),
  shaped(user.endSessions, { id: GONE }),
  shaped(user.setUser, { id: NO_ONE, name: 'someone' }),
  shaped(user.deleteUsers, { id: NO_ONE }),
  shaped(user.moveUsers, { id: NO_ONE, 'group-id': GROUP_VIEWER }),
  shaped(user.addGroup, { name: 'Crew', permissions: 2 ** 30 }),
  shaped(user.setGroup, { id: NO_ONE, desc: 'x' }),
  shaped(user.deleteGroup, { id: NO_ONE }),
  shaped(token.addToken, { 'expired-time': 1 }),
  shaped(token.deleteTokens, { id: GONE }),
  ...[device.acceptDevices, device.rejectDevices, device.deleteDevices].map((call) => shaped(call, { sn: [NOTHING] })),
  shaped(device.listDevicesBySerial, { sn: [NOTHING] }),
  shaped(device.queryDevice, { sn: NOTHING }),
  ...[
    deviceAction.rebootDevices,
    deviceAction.startRecording,
    deviceAction.stopRecording,
    deviceAction.startLive,
    deviceAction.stopLive
  ].map((call) => shaped(call, { sn: [NOTHING] })),
  shaped(deviceAction.renameDevice, { sn: NOTHING, name: 'x' }),
  shaped(device.configureDevices, { sn: [NOTHING], config: {} }),
  shaped(addDevice, { address: '169.254.169.254', user: 'x', password: 'x' }),
  shaped(setDeviceAddress, { sn: NOTHING, port: 9 }),
  shaped(device.setDeviceSecurity, { sn: NOTHING, security: { 'is-inherit': 1 } }),
  shaped(device.setGlobalDevice, { security: { 'group-mask': NO_ONE, 'usr-mask': 0 } }),
  shaped(device.setFavorite, { sn: [NOTHING], favorite: true }),
  shaped(source.setInput, { id: GONE, name: 'x', config: { type: 1, url: 'udp://127.0.0.1:9' } }),
  shaped(source.addOutput, { name: 'x', protocol: SRT, config: { mode: 'listener', 'bind-port': 9, enc: 'aes-128' } }),
  shaped(source.setOutput, { id: GONE, name: 'x', protocol: SRT, config: { mode: 'listener', 'bind-port': 9 } }),
  ...[source.deleteInputs, source.deleteOutputs, channel.deleteChannels].map((call) => shaped(call, { id: GONE })),
  shaped(channel.addChannel, { name: 'x', config: { 'play-key': 'x', 'push-key': 'x' } }),
  shaped(channel.setChannel, { id: GONE, name: 'x' }),
  shaped(channel.queryChannel, { id: GONE }),
  shaped(channel.enableChannel, { id: GONE, enable: true }),
  shaped(channel.setChannelInput, { id: GONE, input: 0 }),
  shaped(channel.dropChannelClients, { id: GONE, clients: [1] }),
  ...[channel.addChannelOutputs, channel.deleteChannelOutputs].map((call) =>
    shaped(call, { id: GONE, outputs: [GONE] })
  ),
  shaped(channel.enableChannelOutputs, { id: GONE, outputs: [GONE], enable: false }),
  ...[channelHistory, exportChannelHistory, setBaseline].map((call) => shaped(call, { id: GONE })),
  shaped(preview.setupPreview, { id: NOTHING }),
  shaped(catalog.listDevicesWithCatalog, { catalogs: String(GONE) }),
  shaped(catalog.addCatalog, { 'parent-id': GONE, name: 'x' }),
  shaped(catalog.renameCatalog, { id: GONE, name: 'x' }),
  shaped(catalog.deleteCatalog, { id: GONE, force: true }),
  shaped(catalog.setCatalog, { id: GONE, security: { 'is-inherit': 1 } }),
  shaped(firmware.addFirmware, { 'file-path': `${MD5}.mwf` }),
  shaped(firmware.deleteFirmware, { id: GONE, force: true }),
  shaped(firmware.startUpload, { name: 'x.txt', size: 0 }),
  ...[firmware.queryUpload, firmware.cancelUpload].map((call) => shaped(call, { upload: MD5 })),
  shaped(firmware.finishUpload, { upload: MD5 }),
  ...[firmware.upgradeDevices, firmware.startRollout].map((call) =>
    shaped(call, { sn: [NOTHING], 'firmware-id': GONE })
  ),
  shaped(firmware.queryRollout, { id: GONE }),
  shaped(firmware.listRolloutDevices, { id: GONE }),
  ...[firmware.pauseRollout, firmware.resumeRollout, firmware.cancelRollout, firmware.deleteRollout].map((call) =>
    shaped(call, { id: GONE })
  ),
  shaped(firmware.retryRollout, { id: GONE }),
  shaped(forward.startPortForward, { sn: NOTHING, 'remote-port': 80 }),
  shaped(forward.stopPortForward, { id: GONE }),
  shaped(update.startUpdate, { id: MD5 + MD5 }),
  shaped(update.confirmUpdate, { script: 'none.js' }),
  shaped(preview.clearPreview, { id: NOTHING })
])

interface Exception {
  calls: readonly Call[]
  who(caller: Caller): boolean
  /** Only this request of the calls. */
  request?: object
  outcome: Outcome
  why: string
}

const WAYS_OUT = [session.logout, session.logoutByGet, session.whoAmI, session.changePassword] as Call[]

/** What the declaration does not tell, and why it is so. The first that fits counts. */
const EXCEPTIONS: readonly Exception[] = [
  {
    calls: [session.logout, session.logoutByGet, session.changePassword, user.endSessions] as Call[],
    who: ({ how }) => how === 'token',
    outcome: 'not permitted',
    why: 'a token neither ends sessions nor changes passwords: sign-in matters are a person’s'
  },
  {
    calls: [token.listTokens, token.addToken, token.deleteTokens] as Call[],
    who: ({ how }) => how === 'token',
    outcome: 'not permitted',
    why: 'a token makes no other, else it would outlive its end'
  },
  {
    calls: declaredCalls().filter((call) => call.who !== 'public' && !WAYS_OUT.includes(call)),
    who: ({ barred }) => barred === true,
    outcome: 'not permitted',
    why: 'as long as the first password stands another machine can do nothing but change it, ask who it is, and leave'
  },
  {
    calls: [session.changePassword as Call],
    who: ({ how, type }) => how === 'session' && type !== GROUP_ADMIN,
    request: OTHERS_PASSWORD,
    outcome: 'not permitted',
    why: 'another user’s password is set by the Admin group only'
  }
]

const exceptionFor = ({ call, caller, request }: Pick<Attempt, 'call' | 'caller' | 'request'>) =>
  EXCEPTIONS.find(
    (one) => one.calls.includes(call) && one.who(caller) && (!one.request || JSON.stringify(one.request) === request)
  )

/** What a declaration says, written anew here: masks are read as binary digits. */
function declared(who: Who, { how, permission, type }: Caller): Outcome {
  if (who === 'public') return 'let in'
  if (how === 'nobody' || how === 'expired' || how === 'revoked') return 'not signed in'
  if (who === 'session') return 'let in'
  if (who === 'admin') return type === GROUP_ADMIN ? 'let in' : 'not permitted'
  const held = permission.toString(2).padStart(32, '0')
  const asked = who.toString(2).padStart(32, '0')
  return [...asked].some((digit, at) => digit === '1' && held[at] === '1') ? 'let in' : 'not permitted'
}

interface Attempt {
  call: Call
  caller: Caller
  request: string
  outcome: Outcome
  /** What a refusal has besides its code, and should not; or the other way round. */
  leak?: string
}

/** What of the attempts is not as it should be, if the call were declared for `who`. */
function wrong(attempts: readonly Attempt[], whoOf: (call: Call) => Who = ({ who }) => who): string[] {
  return attempts.flatMap((one) => {
    const { call, caller, request, outcome, leak } = one
    const expected = exceptionFor(one)?.outcome ?? declared(whoOf(call), caller)
    if (expected === outcome && !leak) return []
    return [`${caller.name}: ${call.method} ${call.path} ${request}: ${outcome}, not ${expected} ${leak ?? ''}`]
  })
}

/** Makes a caller who calls with what it has: the user of the custom group takes on whatever rights it needs. */
function present({ hub: { store, gate }, client }: TestHub, caller: Caller): { client: Client; renew(): void } {
  const { tokens, database } = store
  const one = client(caller.barred ? '192.0.2.7' : '127.0.0.1')
  if (caller.how === 'nobody') return { client: one, renew() {} }
  const id = caller.type
  if (id === GROUP_CUSTOM) database.run('UPDATE user_group SET permission = ? WHERE id = ?', caller.permission, id)
  if (caller.how === 'token' || caller.how === 'revoked') {
    one.token = 'x'.repeat(63) + tokens.count()
    const row = { hash: hashOf(one.token), begin: 'x', name: '', user_id: id, created: 1, expires: -1 }
    const made = database.transaction(() => tokens.add(row))
    if (caller.how === 'revoked') database.transaction(() => tokens.remove(made))
    return { client: one, renew() {} }
  }
  const renew = () => {
    const { secret, hash } = database.transaction(() => gate.open(id, '127.0.0.1'))
    one.cookie = `mwcloud-sid=${secret}`
    if (caller.how === 'expired') database.run('UPDATE session SET seen = 1 WHERE hash = ?', hash)
  }
  renew()
  return { client: one, renew }
}

async function attempt(client: Client, call: Call, caller: Caller, request: object): Promise<Attempt> {
  const get = call.method === 'GET'
  const query = get ? new URLSearchParams(Object.entries(request)).toString() : ''
  const response = await client.raw(call.method, `/api${call.path}${query && `?${query}`}`, {
    ...(!get && { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } })
  })
  assert.ok(response.status < 500, `${call.path}: ${response.status}`)
  const tried = { call, caller, request: JSON.stringify(request) }
  if (response.status === 404 || response.status === 405) return { ...tried, outcome: 'not answered at all' }
  if (!response.headers.get('content-type')?.startsWith('application/json')) {
    await response.body?.cancel()
    return { ...tried, outcome: 'let in' }
  }
  const reply = (await response.json()) as Record<string, unknown>
  if (reply.result !== NOT_LOGGED_IN && reply.result !== NOT_PERMITTED) return { ...tried, outcome: 'let in' }
  const { result, 'must-change-password': must, ...rest } = reply
  const told = [...Object.keys(rest), ...((must === true) === (caller.barred === true) ? [] : ['must-change-password'])]
  const cookies = response.headers.getSetCookie().join()
  return {
    ...tried,
    outcome: result === NOT_LOGGED_IN ? 'not signed in' : 'not permitted',
    ...((told.length > 0 || cookies) && { leak: `with ${told} ${cookies}` })
  }
}

/** All that the hub keeps but its logs, and who was there when. */
function kept({ hub }: TestHub): string {
  const { database } = hub.store
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
  const own = tables.filter(({ name }) => !/^sqlite_|_log$|^session$|^token$|^user_group$/.test(name))
  assert.ok(own.length > 6)
  return JSON.stringify(own.map(({ name }) => [name, database.all(`SELECT * FROM ${name}`)]))
}

let attempts: Attempt[] = []
let unchanged = false

test.before(async () => {
  const hub = await startHub()
  const { users, database } = hub.hub.store
  database.transaction(() => {
    users.addGroup(GROUP_CUSTOM, 'Crew', 0, GROUP_CUSTOM)
    for (const type of [GROUP_USER, GROUP_VIEWER, GROUP_CUSTOM]) users.add(type, `user ${type}`, type, '', false)
  })
  try {
    const before = kept(hub)
    // Signing out comes last, where it ends a session.
    const calls = declaredCalls().sort((a, b) => Number(/logout/.test(a.path)) - Number(/logout/.test(b.path)))
    for (const caller of CALLERS) {
      const { client, renew } = present(hub, caller)
      for (const call of calls)
        for (const request of [{}, ...(HARMLESS.get(call) ?? [])]) {
          if (/logout/.test(call.path)) renew()
          attempts.push(await attempt(client, call, caller, request))
        }
    }
    unchanged = kept(hub) === before
  } finally {
    await hub.close()
  }
})

test.after(() => {
  attempts = []
})

test('each is open to whom its declaration and the exceptions say; all others are answered 37 or 31 and no more', () => {
  const answered = attempts.filter(({ outcome }) => outcome !== 'not answered at all')
  assert.deepEqual(wrong(answered).slice(0, 20), [])
})

test('each is answered', () => {
  const silent = attempts.filter(({ outcome }) => outcome === 'not answered at all')
  assert.deepEqual([...new Set(silent.map(({ call }) => `${call.method} ${call.path}`))], [])
})

test('all calls were tried, by all callers, and each way of being answered came up often', () => {
  const calls = declaredCalls()
  assert.ok(calls.length > 80 && CALLERS.length > 45, `${calls.length} ${CALLERS.length}`)
  const pairs = new Set(attempts.map(({ call, caller }) => `${caller.name} ${call.method} ${call.path}`))
  assert.equal(pairs.size, calls.length * CALLERS.length)
  const often = Map.groupBy(attempts, ({ outcome }) => outcome)
  for (const outcome of ['not signed in', 'not permitted', 'let in'] as const)
    assert.ok((often.get(outcome)?.length ?? 0) > 150, outcome)
})

test('nothing was changed by any of it', () => {
  assert.ok(unchanged)
})

test('the harmless requests are well formed: they reach the answers, not only the gate', () => {
  for (const [call, requests] of HARMLESS)
    for (const request of requests) assert.ok(requestShape(call)?.safeParse(request).success, call.path)
})

test('a call that were open to anybody else than it is declared for would be found, each of them', () => {
  const others: Who[] = ['public', 'session', 'admin', ...BITS.map((bit) => 2 ** bit)]
  let tried = 0
  for (const call of declaredCalls()) {
    const its = attempts.filter((one) => one.call === call)
    const who = call.who
    // Also with one right less, and one more.
    const near = typeof who === 'number' ? BITS.map((bit) => (who ^ (2 ** bit)) >>> 0).filter(Boolean) : []
    for (const other of new Set([...others, ...near])) {
      if (other === who) continue
      tried++
      assert.ok(wrong(its, () => other).length > 0, `${call.path} for ${other} instead of ${who}`)
    }
  }
  assert.ok(tried > 1000, String(tried))
})

test('each exception is one: the declaration alone would say something else', () => {
  for (const exception of EXCEPTIONS) {
    const its = attempts.filter((one) => exceptionFor(one) === exception)
    assert.ok(
      its.some(({ call, caller, outcome }) => outcome !== declared(call.who, caller)),
      exception.why
    )
  }
})

test.run()
