// Export without secrets, and import: difference, parts, secrets that stay, refusals.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS, GROUP_ADMIN } from '../../../contract/access/permissions.ts'
import { login } from '../../../contract/access/session.ts'
import { addUser, deleteUsers, listUsers } from '../../../contract/access/user.ts'
import { applyImport, compareImport, PASSPHRASE_TRIES } from '../../../contract/backup/export.ts'
import {
  FILE_TYPE_ERROR,
  INVALID_DATA,
  MISMATCH,
  NOT_EXIST,
  STATE_CHANGED,
  SUCCESS,
  VERIFY_FAILED
} from '../../../contract/codes.ts'
import { listDevices } from '../../../contract/device/device.ts'
import { setSettings } from '../../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  deleteChannelOutputs,
  deleteChannels,
  enableChannel,
  setChannel
} from '../../../contract/stream/channel.ts'
import { UDP } from '../../../contract/stream/protocols.ts'
import { addInput, addOutput, listInputs, setInput } from '../../../contract/stream/source.ts'
import { type ExportSource, readArchive, writeArchive } from '../../../hub/export/archive.ts'
import { SigningKey } from '../../../hub/export/signing-key.ts'
import { HUB_TABLES, TABLE_NAMES } from '../../../hub/export/tables.ts'
import { FACTOR, fillHub, INVITATION_CODE, MARK } from '../../kit/hub/backup/filled-hub.ts'
import { compare, downloadExport, importExport, sealedExport, upload } from '../../kit/hub/backup/import-export.ts'
import { md5, newPassword, startHub } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('import')
hubForEach(test)

const PASSPHRASE = 'a long passphrase'

/** The archive with other data, signed by a key of its own. */
async function altered(bytes: Buffer, change: (data: never) => void): Promise<Buffer> {
  const { data, host, version } = await readArchive(bytes)
  const json = JSON.parse(data.toString('utf8'))
  change(json as never)
  const source: ExportSource = { host, version, data: Buffer.from(JSON.stringify(json)), sealed: undefined }
  return writeArchive(source, new SigningKey(':memory:'))
}

type Data = { tables: Record<string, Record<string, string | number | null>[]> }

test('every table of the database is in an export, or is listed with those that are not', () => {
  const tables = hub.parts.store.database
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map(({ name }) => name)
  assert.deepEqual(tables.sort(), [...TABLE_NAMES, ...HUB_TABLES].sort())
})

test('an export without a passphrase contains no secret', async () => {
  const { chosen } = await fillHub(hub, admin)
  const text = (await downloadExport(admin)).toString('latin1')
  for (const secret of [MARK, FACTOR, ...chosen]) assert.ok(!text.includes(secret), secret)
  assert.ok(!new RegExp(`\\D${INVITATION_CODE}\\D`).test(text))
  const sealed = (await sealedExport(hub, PASSPHRASE)).toString('latin1')
  for (const secret of [MARK, FACTOR, PASSPHRASE, ...chosen]) assert.ok(!sealed.includes(secret), secret)
})

test('an export that is imported into its own hub changes nothing, and secrets stay', async () => {
  await fillHub(hub, admin)
  const { difference, uploaded } = await compare(admin, await downloadExport(admin))
  assert.deepEqual([difference.parts, difference.channels, difference.notes], [[], [], []])
  assert.deepEqual([uploaded.signer, uploaded.sealed], ['own', false])
  const before = hub.parts.store.database.all('SELECT * FROM channel')
  assert.equal((await admin.send(applyImport, { id: uploaded.id, digest: difference.digest })).result, SUCCESS)
  assert.deepEqual(hub.parts.store.database.all('SELECT * FROM channel'), before)
})

test('who sees an output that no channel uses is the same after an import, here and in another hub', async () => {
  const { channel } = await fillHub(hub, admin)
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': 5990 }
  const { id } = await admin.send(addOutput, { name: 'Free', protocol: UDP, config })
  await admin.send(addChannelOutputs, { id: channel, outputs: [id] })
  await admin.send(deleteChannelOutputs, { id: channel, outputs: [id] })
  const rowOf = ({ parts: { store } }: typeof hub) => store.sourceAccess.all().find((row) => row.source_id === id)
  assert.equal(rowOf(hub)?.channel_id, channel)
  const bytes = await downloadExport(admin)
  await admin.send(addChannelOutputs, { id: 100_002, outputs: [id] })
  await importExport(admin, bytes)
  assert.equal(rowOf(hub)?.channel_id, channel)
  const other = await startHub()
  try {
    await importExport(other.clientAs(), bytes)
    assert.equal(rowOf(other)?.channel_id, channel)
  } finally {
    await other.close()
  }
})

test('the difference lists added, changed and removed objects, and the channels that stop, start or restart', async () => {
  const { channel } = await fillHub(hub, admin)
  const [input] = (await admin.send(listInputs, { key: 'UDP' })).list
  const bytes = await downloadExport(admin)
  await admin.send(setInput, {
    id: input?.id as number,
    name: 'UDP in',
    config: { type: 1, url: 'udp://239.9.9.9:5004' }
  })
  await admin.send(deleteChannels, { id: channel })
  await admin.send(addChannel, { name: 'New' })
  const [, idle] = hub.parts.store.channels.all().map(({ id }) => id)
  await admin.send(enableChannel, { id: 100002, enable: false })
  await admin.send(enableChannel, { id: idle as number, enable: true })
  const { difference } = await compare(admin, bytes)
  const [streams, ...others] = difference.parts
  assert.deepEqual(others, [])
  assert.deepEqual(streams?.items.map(({ kind, name, change }) => `${kind} ${name} ${change}`).sort(), [
    'channel New removed',
    'channel Studio 1 added',
    'channel Studio 2 changed',
    'input UDP in changed'
  ])
  assert.deepEqual(
    difference.channels.map(({ name, effect }) => [name, effect]),
    [
      ['Studio 2', 'starts'],
      ['New', 'stops'],
      ['Studio 1', 'starts']
    ]
  )
  // The keys of a channel that is gone are not in the export.
  assert.deepEqual(difference.notes, [
    { note: 'key', names: ['Studio 1'], text: 'Channels that get new keys: Studio 1' }
  ])
})

test('without a passphrase, streams whose secrets are missing do not go on air in another hub, and new users cannot sign in', async () => {
  await fillHub(hub, admin)
  const bytes = await downloadExport(admin)
  const other = await startHub()
  try {
    const client = other.clientAs()
    const difference = await importExport(client, bytes)
    const names = Object.fromEntries(difference.notes.map(({ note, names }) => [note, names]))
    assert.deepEqual(names.password, ['Vera'])
    assert.deepEqual(names.secret, ['SRT in', 'RTMP in', 'RTSP in', 'HTTP in', 'RTMP out', 'SRT out'])
    assert.deepEqual(names.device?.sort(), ['Hall 1', 'Hall 2', 'Player'])
    assert.deepEqual(names.setting?.sort(), ['security', 'srt'])
    const channels = other.parts.store.channels.all().map(({ name, enable }) => [name, enable])
    assert.deepEqual(channels, [
      ['Studio 1', 0],
      ['Studio 2', 1]
    ])
    const outputs = other.parts.store.channels.outputIds(100_002)
    assert.deepEqual(
      outputs.map((id) => other.parts.store.sources.output(id)?.enable),
      [0, 1]
    )
    const attempt = await other.client().send(login, { id: 'Vera', pass: md5('Vera-1234') })
    assert.equal(attempt.result, MISMATCH)
    assert.equal((await other.client().send(login, { id: 'Admin', pass: md5('Admin') })).result, SUCCESS)
    const waiting = await client.send(listDevices, { 'reg-state': 'waiting' })
    assert.equal(waiting.total, 4)
  } finally {
    await other.close()
  }
})

test('the user who imports keeps the session, the password and the membership in the Admin group', async () => {
  const bytes = await downloadExport(admin)
  await admin.send(addUser, { name: 'Olga', 'group-id': GROUP_ADMIN, ...newPassword('Olga-1234') })
  const olga = hub.clientAs('Olga')
  const { uploaded, difference } = await compare(olga, bytes)
  assert.deepEqual(difference.notes, [{ note: 'admin', names: ['Olga'], text: 'You stay an administrator: Olga' }])
  assert.equal((await olga.send(applyImport, { id: uploaded.id, digest: difference.digest })).result, SUCCESS)
  const { users } = await olga.send(listUsers, { type: 'usr' })
  assert.deepEqual(users?.map(({ name }) => name).sort(), ['Admin', 'Olga'])
  const again = await hub.client().send(login, { id: 'Olga', pass: md5('Olga-1234') })
  assert.equal(again.result, SUCCESS)
})

test('users who become administrators or get further permissions are named', async () => {
  await fillHub(hub, admin)
  const bytes = await altered(await downloadExport(admin), (({
    tables,
    withheld
  }: Data & { withheld: Record<string, string[]> }) => {
    withheld.user?.push(`${1 << 20}`)
    const [first, vera] = [tables.user?.[0], tables.user?.find(({ name }) => name === 'Vera')]
    tables.user?.push({ ...first, id: 1 << 20, name: 'Mallory' } as never)
    Object.assign(tables.user_group?.find(({ id }) => id === vera?.group_id) ?? {}, { permission: ALL_PERMISSIONS })
  }) as never)
  const { difference } = await compare(admin, bytes)
  const names = Object.fromEntries(difference.notes.map(({ note, names }) => [note, names]))
  assert.deepEqual([names['new-admin'], names.permission], [['Mallory'], ['Vera']])
})

test('an import of one part leaves the others alone', async () => {
  await fillHub(hub, admin)
  const bytes = await downloadExport(admin)
  const vera = hub.parts.store.users.byName('Vera')
  await admin.send(deleteUsers, { id: vera?.id as number })
  await admin.send(addInput, { name: 'Later', config: { type: 1, url: 'udp://239.9.9.9:5004' } })
  const { difference } = await compare(admin, bytes, { parts: ['users'] })
  assert.deepEqual(
    difference.parts.map(({ part }) => part),
    ['users']
  )
  await importExport(admin, bytes, { parts: ['users'] })
  assert.ok(hub.parts.store.users.byName('Vera'))
  assert.equal((await admin.send(listInputs, { key: 'Later' })).total, 1)
})

test('the names of the hub stay: an import does not take away the one that is in use', async () => {
  const bytes = await altered(await downloadExport(admin), ({ tables }: Data) =>
    replaceSetting(tables, 'hosts', '{"names":["other.example"]}')
  )
  await admin.send(setSettings, { hosts: { names: ['headend.example'] } })
  const { difference } = await compare(admin, bytes)
  assert.deepEqual(difference.parts, [])
  await importExport(admin, bytes)
  assert.deepEqual(hub.parts.store.settings.get('hosts').names, ['headend.example'])
})

test('several objects of a kind change in one import, and objects can swap names', async () => {
  const add = async (name: string) => (await admin.send(addChannel, { name })).id
  const [first, second, third] = [await add('First'), await add('Second'), await add('Third')]
  const bytes = await sealedExport(hub, PASSPHRASE)
  const before = hub.parts.store.database.all('SELECT id, name, play_key FROM channel ORDER BY id')
  for (const [id, name] of [
    [first, 'Other'],
    [second, 'First'],
    [third, 'Second'],
    [first, 'Third']
  ] as const)
    await admin.send(setChannel, { id, name })
  await importExport(admin, bytes, { passphrase: PASSPHRASE })
  assert.deepEqual(hub.parts.store.database.all('SELECT id, name, play_key FROM channel ORDER BY id'), before)
})

test('an import is refused if the configuration has changed since the comparison', async () => {
  const bytes = await downloadExport(admin)
  const { uploaded, difference } = await compare(admin, bytes)
  await admin.send(addChannel, { name: 'Meanwhile' })
  const request = { id: uploaded.id, digest: difference.digest }
  assert.equal((await admin.send(applyImport, request)).result, STATE_CHANGED)
  assert.equal(hub.parts.store.channels.all().length, 1)
})

test('five wrong passphrases remove the upload', async () => {
  const { id } = await upload(admin, await sealedExport(hub, PASSPHRASE))
  for (let left = PASSPHRASE_TRIES - 1; left >= 0; left--) {
    const reply = await admin.send(compareImport, { id, passphrase: 'wrong' })
    assert.deepEqual([reply.result, reply.left, reply['export-fault']], [MISMATCH, left, 'passphrase'])
  }
  assert.equal((await admin.send(compareImport, { id, passphrase: PASSPHRASE })).result, NOT_EXIST)
})

test('an export of another user is not found', async () => {
  const { id } = await upload(admin, await downloadExport(admin))
  hub.parts.store.database.transaction(() => hub.parts.store.users.add(2, 'Olga', 1, '', false))
  assert.equal((await hub.clientAs('Olga').send(compareImport, { id })).result, NOT_EXIST)
})

test('a file that is not an export, or is damaged or altered, is refused', async () => {
  const bytes = await downloadExport(admin)
  assert.equal((await upload(admin, Buffer.from('hello'))).result, FILE_TYPE_ERROR)
  assert.equal((await upload(admin, bytes.subarray(0, bytes.length / 2))).result, VERIFY_FAILED)
  const changed = Buffer.from(bytes)
  changed[changed.indexOf('Admin')] = 0x61
  assert.deepEqual(await upload(admin, changed).then(({ result }) => result), VERIFY_FAILED)
})

function replaceSetting(tables: Data['tables'], name: string, value: string): void {
  tables.setting = [...(tables.setting ?? []).filter((row) => row.name !== name), { name, value }]
}

/** Changes of the data that are refused, with the object that the refusal names. */
const REFUSED: readonly [title: string, change: (data: Data) => void][] = [
  ['a URL that a call refuses', ({ tables }) => Object.assign(tables.input?.[0] ?? {}, { url: 'file:///etc/passwd' })],
  ['a name that a call refuses', ({ tables }) => Object.assign(tables.channel?.[0] ?? {}, { name: ' \u0000' })],
  ['a column that does not exist', ({ tables }) => Object.assign(tables.user?.[0] ?? {}, { root: 1 })],
  ['a table that is not configuration', ({ tables }) => Object.assign(tables, { session: [{ hash: 'x' }] })],
  ['two objects with one ID', ({ tables }) => Object.assign(tables.input?.[0] ?? {}, { id: tables.input?.[1]?.id })],
  [
    'an input and an output with one ID',
    ({ tables }) => Object.assign(tables.input?.[4] ?? {}, { id: tables.output?.[0]?.id })
  ],
  ['a reference to nothing', ({ tables }) => Object.assign(tables.channel?.[0] ?? {}, { input_id: 4 })],
  [
    'device groups in a circle',
    ({ tables }) => Object.assign(tables.catalog?.[0] ?? {}, { parent_id: tables.catalog?.[1]?.id })
  ],
  ['no administrator', ({ tables }) => tables.user?.splice(0, 1)],
  [
    'a setting out of range',
    ({ tables }) => Object.assign(tables.setting?.find(({ name }) => name === 'expired-time') ?? {}, { value: '0' })
  ],
  ['invalid JSON', ({ tables }) => Object.assign(tables.output?.[0] ?? {}, { config: '{' })],
  ['a route to no source', ({ tables }) => Object.assign(tables.ndi_matrix_destination?.[0] ?? {}, { source: 9 })],
  [
    'the Admin group as a group of another type',
    ({ tables }) => Object.assign(tables.user_group?.[0] ?? {}, { type: 8 })
  ],
  ['no group Viewer', ({ tables }) => tables.user_group?.splice(2, 1)],
  ['a device group with the ID of no group', ({ tables }) => Object.assign(tables.catalog?.[0] ?? {}, { id: 0 })],
  ['an input with an ID below 1', ({ tables }) => tables.input?.push({ ...tables.input[0], id: -7, name: 'Below' })],
  [
    'a channel whose ID leaves none for the next one',
    ({ tables }) => Object.assign(tables.channel?.[1] ?? {}, { id: Number.MAX_SAFE_INTEGER })
  ],
  ['presets that are not a list', ({ tables }) => replaceSetting(tables, 'output-presets', '{}')],
  ['a preset that is not an object', ({ tables }) => replaceSetting(tables, 'output-presets', '[null]')],
  ['a setting without a value', ({ tables }) => replaceSetting(tables, 'device-config', 'null')],
  ['visibility without a value', ({ tables }) => replaceSetting(tables, 'device-security', 'null')]
]

for (const [title, change] of REFUSED)
  test(`refused: ${title}`, async () => {
    await fillHub(hub, admin)
    const bytes = await altered(await downloadExport(admin), change as never)
    const uploaded = await upload(admin, bytes)
    const { result } = uploaded.result === SUCCESS ? await admin.send(compareImport, { id: uploaded.id }) : uploaded
    if (title === 'no administrator') assert.equal(result, SUCCESS)
    else assert.equal(result, INVALID_DATA)
  })

test.run()
