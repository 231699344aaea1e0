// Compares the table of `setting-rights.ts` with the declarations of the settings, and with what the hub does: each
// setting is changed by every kind of caller for whom that matters.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type * as z from 'zod'
import * as permissions from '../../contract/access/permissions.ts'
import { ALL_PERMISSIONS, NDI_EDIT, SYSTEM_CONFIG_EDIT } from '../../contract/access/permissions.ts'
import { addToken, NEVER_EXPIRES, TOKEN_SCOPES } from '../../contract/access/token.ts'
import { NOT_PERMITTED, REAUTHENTICATION_REQUIRED } from '../../contract/codes.ts'
import { HUB_SETTINGS, type HubSettingName } from '../../contract/hub-settings.schema.ts'
import {
  SETTING_RIGHTS,
  type SettingPart,
  type SettingsRequest,
  setSettings,
  settingRights
} from '../../contract/settings.ts'
import { webPart } from '../../contract/system.schema.ts'
import { addSignedInUser, type Client, startHub } from '../kit/hub/hub.ts'
import { SETTING_ROWS } from './setting-rights.ts'

const test = suite('rights of settings')

const MINUTE = 60_000
const PARTS = Object.entries({ ...HUB_SETTINGS, web: { schema: webPart } }) as [SettingPart, { schema: z.ZodType }][]

/** Fields of a part by the schema of its requests. A part that is a value has none. */
function membersOf(schema: z.ZodType): string[] {
  const { shape } = schema as z.ZodType & { shape?: Record<string, unknown> }
  return Object.keys(shape ?? {})
}

/** The settings as `part` or `part.member`. */
const FIELDS = PARTS.flatMap(([part, { schema }]) => {
  const members = membersOf(schema)
  return members.length > 0 ? members.map((member) => `${part}.${member}`) : [part]
})

/** Another valid value of each setting than that of a new hub. Members of `web` that belong together stand together. */
const VALUES: Readonly<Record<string, unknown>> = {
  'security.enable-code': { 'enable-code': true, 'code-value': '0165' },
  'security.code-value': { 'enable-code': false, 'code-value': '0165' },
  'expired-time': -1,
  'admin-session': 4,
  'srt.pb-key-len': { 'pb-key-len': 16 },
  'srt.passphrase': { passphrase: 'another passphrase' },
  'syslog.protocol': { protocol: 'udp', host: '192.0.2.1' },
  'hosts.names': { names: ['hub.test'] },
  'ndi-discovery.enable': { enable: true, servers: [{ address: '192.0.2.5', port: 5959 }] },
  'ndi-discovery.servers': { servers: [{ address: '192.0.2.5', port: 5959 }] },
  'ndi-discovery.send-groups': { 'send-groups': 'a' },
  'ndi-discovery.recv-groups': { 'recv-groups': 'a' },
  'ndi-discovery.extra-ips': { 'extra-ips': ['192.0.2.5'] },
  'ndi-discovery.machine-name': { 'machine-name': 'a' },
  'ndi-discovery.ifaces': { ifaces: ['eth0'] },
  'web.cert-filename': { 'cert-filename': 'cert-1.pem', 'cert-key-filename': 'key-1.pem' },
  'web.cert-key-filename': { 'cert-filename': 'cert-2.pem', 'cert-key-filename': 'key-2.pem' },
  'syslog.host': { host: '192.0.2.1' },
  'firmware-server.address': { address: 'https://releases.example.com' }
}

/** A request that changes one setting, and others of its part only where they belong together. */
function requestFor(field: string, stored: (part: HubSettingName) => unknown): SettingsRequest {
  const [part = '', member] = field.split('.')
  const current = part === 'web' ? {} : stored(part as HubSettingName)
  if (member === undefined) return { [part]: VALUES[field] }
  const value = (current as Record<string, unknown>)[member]
  const other =
    VALUES[field] ??
    (part === 'web'
      ? { [member]: member.endsWith('port') ? 1 : true }
      : { [member]: typeof value === 'boolean' ? !value : Number(value) + 1 })
  return { [part]: { ...(current as object), ...(other as object) } }
}

const outcomeOf = (result: number) =>
  result === NOT_PERMITTED ? 'not permitted' : result === REAUTHENTICATION_REQUIRED ? 'password' : 'admitted'

test('the table has exactly the settings', () => {
  assert.deepEqual(Object.keys(SETTING_ROWS).sort(), FIELDS.toSorted())
  for (const name of Object.keys(SETTING_RIGHTS))
    assert.ok(
      FIELDS.some((field) => `${field}.`.startsWith(`${name}.`)),
      name
    )
})

test('each setting is declared as the table says', () => {
  const declared = FIELDS.map((field) => {
    const [part, member] = field.split('.') as [SettingPart, string | undefined]
    const { edit, reauthenticate, interrupts } = settingRights(part, member)
    const names = Object.entries(permissions).flatMap(([name, bit]) => (bit === edit ? [name] : []))
    const takes = [reauthenticate && 'password', interrupts && 'interrupts'].filter(Boolean).join(' ')
    return [field, [edit === 'admin' ? 'admin' : names[0], takes]]
  })
  assert.deepEqual(Object.fromEntries(declared), SETTING_ROWS)
})

test('the hub lets each setting be changed by those of the table, and asks for the password where the table says so', async () => {
  for (const field of FIELDS) {
    let now = Date.now()
    const hub = await startHub({ sessionClock: () => now })
    try {
      const { settings, database } = hub.parts.store
      database.transaction(() =>
        settings.set('srt', { ...settings.get('srt'), passphrase: 'first passphrase', 'pb-key-len': 32 })
      )
      const request = requestFor(field, (part) => settings.get(part))
      const [who = '', takes = ''] = SETTING_ROWS[field] ?? []
      const asksPassword = takes.includes('password')
      const callers: [name: string, client: Client, permission: number | 'admin'][] = [
        ['SYSTEM_CONFIG_EDIT', addSignedInUser(hub, 'sven', SYSTEM_CONFIG_EDIT), SYSTEM_CONFIG_EDIT],
        ['NDI_EDIT', addSignedInUser(hub, 'nina', NDI_EDIT), NDI_EDIT],
        ['all permissions', addSignedInUser(hub, 'alan', ALL_PERMISSIONS), ALL_PERMISSIONS]
      ]
      const required = (permissions as unknown as Readonly<Record<string, number>>)[who] ?? 0
      for (const [name, client, permission] of callers) {
        const { result } = await client.send(setSettings, request)
        const isAllowed = permission === ALL_PERMISSIONS ? who !== 'admin' : required === permission
        assert.equal(outcomeOf(result), isAllowed ? 'admitted' : 'not permitted', `${field} ${name}`)
      }
      const admin = hub.clientAs()
      const { token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: [...TOKEN_SCOPES] })
      const program = hub.client()
      program.token = token
      const ofProgram = outcomeOf((await program.send(setSettings, request)).result)
      assert.equal(ofProgram, who === 'admin' ? 'not permitted' : 'admitted', `${field} by token`)
      now += 11 * MINUTE
      const ofOld = outcomeOf((await admin.send(setSettings, request)).result)
      assert.equal(ofOld, asksPassword ? 'password' : 'admitted', `${field} with an old proof`)
      const ofAdmin = outcomeOf((await hub.clientAs().send(setSettings, request)).result)
      assert.equal(ofAdmin, 'admitted', `${field} with a recent proof`)
    } finally {
      await hub.close()
    }
  }
})

test('the shared SRT port is moved without the password, as long as its encryption stays', async () => {
  let now = Date.now()
  const hub = await startHub({ sessionClock: () => now })
  try {
    const { settings, database } = hub.parts.store
    const stored = { port: 8000, 'pb-key-len': 16, passphrase: 'first passphrase' } as const
    database.transaction(() => settings.set('srt', stored))
    const sven = addSignedInUser(hub, 'sven', SYSTEM_CONFIG_EDIT)
    now += 11 * MINUTE
    for (const [port, passphrase] of [
      [8001, undefined],
      [8002, ''],
      [8003, stored.passphrase]
    ] as const) {
      const { result } = await sven.send(setSettings, { srt: { port, 'pb-key-len': 16, passphrase } })
      assert.equal(outcomeOf(result), 'admitted', `${passphrase}`)
      assert.deepEqual(settings.get('srt'), { ...stored, port })
    }
    const off = await sven.send(setSettings, { srt: { port: 8004, 'pb-key-len': 0 } })
    assert.equal(off.result, NOT_PERMITTED)
    assert.deepEqual(settings.get('srt'), { ...stored, port: 8003 })
  } finally {
    await hub.close()
  }
})

test.run()
