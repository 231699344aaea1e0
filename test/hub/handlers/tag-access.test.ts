// Access to channels and devices by tag, and the ways in which somebody could gain access with a tag.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  CHANNEL_CONTROL,
  CHANNEL_EDIT,
  CHANNEL_VIEW,
  DEVICE_CONTROL,
  DEVICE_SECURITY,
  DEVICE_VIEW,
  GROUP_ADMIN,
  INPUT_OUTPUT_EDIT,
  INPUT_OUTPUT_VIEW
} from '../../../contract/access/permissions.ts'
import { getSession } from '../../../contract/access/session.ts'
import { addToken, NEVER_EXPIRES, TOKEN_SCOPES } from '../../../contract/access/token.ts'
import { deleteGroup, deleteUsers } from '../../../contract/access/user.ts'
import { ALL_GROUPS, type Visibility } from '../../../contract/access/visibility.ts'
import { listVisibleObjects } from '../../../contract/access/visible-objects.ts'
import type { RequestTo } from '../../../contract/calls.schema.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, listDevices, setDeviceSecurity } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { addChannel, channelDashboard, deleteChannels, queryChannel } from '../../../contract/stream/channel.ts'
import { duplicateChannel } from '../../../contract/stream/channel-actions.ts'
import { setChannelSecurity } from '../../../contract/stream/channel-security.ts'
import { addTag, assignTags, deleteTag, listTags, setTag, setTagSecurity } from '../../../contract/tag.ts'
import { listTrash, restoreTrash } from '../../../contract/trash.ts'
import { createPreviewAccess } from '../../../hub/auth/preview-access.ts'
import { collectTables, redactTables } from '../../../hub/export/collect.ts'
import { mergeTables } from '../../../hub/export/merge.ts'
import { previewOfChannel } from '../../../hub/preview/preview-id.ts'
import { addSignedInUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'

const test = suite('access by tag')
hubForEach(test)

const EDIT = CHANNEL_VIEW | CHANNEL_CONTROL | CHANNEL_EDIT | INPUT_OUTPUT_VIEW | INPUT_OUTPUT_EDIT
const NOBODY: Visibility = { 'group-mask': 0, 'usr-mask': 0 }
const CLOSED = { 'is-inherit': 0, ...NOBODY }
/** May edit channels, inputs and devices, and sees what is open to everyone. */
let editor: Client
/** Sees what he is given. */
let guest: Client
let guestBit = 0
/** A channel that only administrators see, and one that everyone sees. */
let secret = 0
let open = 0
let tag = 0

test.before.each(async () => {
  editor = addSignedInUser(hub, 'editor', EDIT | DEVICE_VIEW | DEVICE_CONTROL)
  guest = addSignedInUser(hub, 'guest', CHANNEL_VIEW | INPUT_OUTPUT_VIEW | DEVICE_VIEW)
  guestBit = (await guest.send(getSession, {})).user.id
  secret = (await admin.send(addChannel, { name: 'Secret' })).id
  open = (await admin.send(addChannel, { name: 'Open' })).id
  await admin.send(setChannelSecurity, { id: secret, security: CLOSED })
  tag = (await admin.send(addTag, { name: 'Guests', color: 'teal' })).id
})

/** A program with a token of an administrator that has every scope. */
async function withToken(): Promise<Client> {
  const { token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: [...TOKEN_SCOPES] })
  return Object.assign(hub.client(), { token })
}
const give = (usr = guestBit, id = tag, client = admin) =>
  client.send(setTagSecurity, { id, security: { 'group-mask': 0, 'usr-mask': usr } })
const assign = async (client: Client, request: RequestTo<'POST /tag/assign'>) =>
  (await client.send(assignTags, request)).result
const namesOf = async (client: Client) =>
  (await client.send(channelDashboard, { sort: 'name' })).list.map(({ name }) => name)
const sees = async (client: Client, id: number) => (await client.send(queryChannel, { id })).result === SUCCESS
const tagsOf = async (id: number) => (await admin.send(queryChannel, { id })).channel.tags
const own = async (client: Client) => (await client.send(getSession, {})).user.id
const bitOf = (name: string) => hub.parts.store.users.byName(name)?.id ?? 0
const lastEntry = async (client: Client) => (await client.send(listTrash, {})).list[0]
async function restoreLast(client: Client) {
  const entry = await lastEntry(client)
  return client.send(restoreTrash, { id: entry?.id ?? 0 })
}
async function addDevice(): Promise<string> {
  const [sn = ''] = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn: [sn] })
  return sn
}

test('a user sees the channels and devices with a tag that gives access, as long as they have it', async () => {
  const sn = await addDevice()
  await admin.send(setDeviceSecurity, { sn, security: CLOSED })
  assert.deepEqual(await namesOf(guest), ['Open'])
  assert.equal((await guest.send(listDevices, {})).total, 0)
  await give()
  await assign(admin, { channels: [secret], sn: [sn], add: [tag] })
  assert.deepEqual(await namesOf(guest), ['Open', 'Secret'])
  assert.equal((await guest.send(listDevices, {})).total, 1)
  assert.deepEqual(await namesOf(editor), ['Open'], 'nobody else sees it')
  await assign(admin, { channels: [secret], sn: [sn], remove: [tag] })
  assert.deepEqual(await namesOf(guest), ['Open'])
  assert.equal((await guest.send(listDevices, {})).total, 0)
})

test('a user group sees the channels with a tag, and everyone with the mask of all groups', async () => {
  await assign(admin, { channels: [secret], add: [tag] })
  const group = hub.parts.store.users.byId(guestBit)?.group_id ?? 0
  const set = (mask: number) => admin.send(setTagSecurity, { id: tag, security: { 'group-mask': mask, 'usr-mask': 0 } })
  await set(group)
  assert.deepEqual([await sees(guest, secret), await sees(editor, secret)], [true, false])
  await set(ALL_GROUPS)
  assert.deepEqual([await sees(guest, secret), await sees(editor, secret)], [true, true])
  await set(0)
  assert.deepEqual([await sees(guest, secret), await sees(editor, secret)], [false, false])
})

test('a change applies at once to lists, live pictures and what a session has open', async () => {
  await give()
  const session = hub.parts.store.users.sessions(hub.parts.gate.sessionLimits()).find(({ user }) => user === 'guest')
  const maySeePicture = () =>
    createPreviewAccess(hub.parts.store, hub.parts.gate, () => [])(session?.hash ?? '')(previewOfChannel(secret))
  let rechecks = 0
  hub.parts.accessChanges.reduced.on(() => rechecks++)
  const changes: [() => Promise<unknown>, boolean][] = [
    [() => assign(admin, { channels: [secret], add: [tag] }), true],
    [() => give(0), false],
    [() => give(), true],
    [() => assign(admin, { channels: [secret], remove: [tag] }), false],
    [() => assign(admin, { channels: [secret], add: [tag] }), true],
    [() => admin.send(deleteTag, { id: tag }), false]
  ]
  for (const [number, [change, isSeen]] of changes.entries()) {
    const before = await guest.send(channelDashboard, {})
    const text = `change ${number + 1}`
    await change()
    assert.equal(maySeePicture(), isSeen, text)
    assert.equal(rechecks, number + 1, text)
    const after = await guest.send(channelDashboard, { since: before.rev })
    assert.equal(after.partial, undefined, `${text}: the whole list is fetched again`)
    assert.equal(after.total, isSeen ? 2 : 1, text)
  }
})

test('only the Admin group, with a session, sets who gets access by a tag', async () => {
  const crew = await own(editor)
  assert.equal((await give(crew, tag, editor)).result, NOT_PERMITTED)
  const security = addSignedInUser(hub, 'security', EDIT | DEVICE_VIEW | DEVICE_SECURITY)
  assert.equal((await give(crew, tag, security)).result, NOT_PERMITTED)
  const program = await withToken()
  assert.equal((await give(crew, tag, program)).result, NOT_PERMITTED)
  assert.equal((await give(0x40000000)).result, INVALID_ARG)
  assert.equal((await give(crew, 99)).result, NOT_EXIST)
})

test('an editor cannot put a tag that gives access on a channel, an input or a device, nor take it off', async () => {
  const sn = await addDevice()
  await give(await own(editor))
  await assign(admin, { channels: [open], sn: [sn], add: [tag] })
  const { id: other } = await admin.send(addChannel, { name: 'Other' })
  for (const request of [
    { channels: [other], add: [tag] },
    { channels: [open], remove: [tag] },
    { channels: [open, other], add: [tag] },
    { sn: [sn], remove: [tag] }
  ])
    assert.equal(await assign(editor, request), NOT_PERMITTED, JSON.stringify(request))
  assert.deepEqual([await tagsOf(open), await tagsOf(other)], [[tag], undefined])
  const { id: plain } = await admin.send(addTag, { name: 'Plain', color: 'red' })
  assert.equal(await assign(editor, { channels: [open], add: [plain, tag] }), SUCCESS, 'nothing changes for the tag')
  assert.deepEqual(await tagsOf(open), [tag, plain])
})

test('who may set the access of devices adds such a tag to devices, and to nothing else', async () => {
  const sn = await addDevice()
  await give()
  await assign(admin, { channels: [open], add: [tag] })
  const security = addSignedInUser(hub, 'security', EDIT | DEVICE_VIEW | DEVICE_CONTROL | DEVICE_SECURITY)
  assert.equal(await assign(security, { sn: [sn], add: [tag] }), SUCCESS)
  assert.equal(await assign(security, { channels: [open], remove: [tag] }), NOT_PERMITTED)
})

test('a token of an administrator cannot add a tag that gives access', async () => {
  await give()
  const program = await withToken()
  assert.equal(await assign(program, { channels: [secret], add: [tag] }), NOT_PERMITTED)
  assert.deepEqual(await tagsOf(secret), undefined)
})

test('an editor cannot rename, recolour or delete a tag that gives access, whether an object has it or not', async () => {
  await give()
  for (const text of ['without an object', 'with one']) {
    assert.equal((await editor.send(setTag, { id: tag, name: 'Crew', color: 'teal' })).result, NOT_PERMITTED, text)
    assert.equal((await editor.send(setTag, { id: tag, name: 'Guests', color: 'red' })).result, NOT_PERMITTED, text)
    assert.equal((await editor.send(deleteTag, { id: tag })).result, NOT_PERMITTED, text)
    await assign(admin, { channels: [open], add: [tag] })
  }
  assert.equal((await admin.send(setTag, { id: tag, name: 'Crew', color: 'red' })).result, SUCCESS)
})

test('a tag is renamed only by those who may edit every object with it', async () => {
  const { id: plain } = await admin.send(addTag, { name: 'Plain', color: 'red' })
  await assign(admin, { channels: [open], add: [plain] })
  const rename = (name: string) => editor.send(setTag, { id: plain, name, color: 'red' })
  assert.equal((await rename('First')).result, SUCCESS)
  await assign(admin, { channels: [secret], add: [plain] })
  assert.equal((await rename('Second')).result, NOT_PERMITTED, 'a channel that the editor does not see has it')
  await assign(admin, { channels: [secret], remove: [plain] })
  const viewer = addSignedInUser(hub, 'operator', DEVICE_VIEW | DEVICE_CONTROL | CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  const sn = await addDevice()
  await assign(admin, { sn: [sn], add: [plain] })
  const byOperator = await viewer.send(setTag, { id: plain, name: 'Third', color: 'red' })
  assert.equal(byOperator.result, NOT_PERMITTED, 'he may edit the device, and not the channel')
})

test('who gets access by a tag is for administrators; that it gives access is for everybody who sees it', async () => {
  await give()
  const fields = async (client: Client) => {
    const [first] = (await client.send(listTags, {})).list
    return [first?.['gives-access'], first?.['group-mask'], first?.['usr-mask']]
  }
  assert.deepEqual(await fields(admin), [true, 0, guestBit])
  assert.deepEqual(await fields(editor), [true, undefined, undefined])
  await give(0)
  assert.deepEqual(await fields(admin), [undefined, undefined, undefined])
})

test('a deleted channel is seen and restored by whoever saw it because of its tag, and has the tag again', async () => {
  await give(await own(editor))
  await assign(admin, { channels: [secret], add: [tag] })
  assert.equal((await editor.send(deleteChannels, { id: [secret] })).result, SUCCESS)
  assert.equal((await lastEntry(editor))?.name, 'Secret')
  assert.deepEqual((await restoreLast(editor)).restored[0]?.['left-out'], [])
  assert.deepEqual(await tagsOf(secret), [tag], 'deletion and restoration do not take the tag off')
  assert.ok(await sees(editor, secret))
})

test('a channel is not restored with a tag that gives further users access since, unless by an administrator', async () => {
  await assign(admin, { channels: [open], add: [tag] })
  await editor.send(deleteChannels, { id: [open] })
  await give()
  const { restored } = await restoreLast(editor)
  assert.deepEqual(restored[0]?.['left-out'], [{ of: 'tag', was: 'Guests' }])
  assert.match(restored[0]?.notes[0] ?? '', /“Guests” gives access since/)
  assert.equal(await tagsOf(open), undefined)
  await admin.send(deleteChannels, { id: [open] })
  await assign(admin, { channels: [secret], add: [tag] })
  await admin.send(deleteChannels, { id: [secret] })
  await give((guestBit | bitOf('editor')) >>> 0)
  assert.equal(await lastEntry(editor).then((entry) => entry?.name), 'Open', 'the new access is not to the trash')
  await restoreLast(admin)
  assert.deepEqual(await tagsOf(secret), [tag])
})

test('a copy of a channel does not have its tags, and only its creator sees it besides those of the masks', async () => {
  await give(await own(editor))
  await assign(admin, { channels: [secret], add: [tag] })
  const { id: copy } = await editor.send(duplicateChannel, { id: secret })
  assert.equal(await tagsOf(copy), undefined)
  assert.deepEqual([await sees(editor, copy), await sees(guest, copy)], [true, false])
})

test('a deleted user loses access by tags, so that the next user with his id does not have it', async () => {
  await give()
  await assign(admin, { channels: [secret], add: [tag] })
  await admin.send(deleteUsers, { id: guestBit })
  assert.equal((await admin.send(listTags, {})).list[0]?.['gives-access'], undefined)
  await admin.send(setTagSecurity, { id: tag, security: { 'group-mask': 8, 'usr-mask': 0 } })
  await admin.send(deleteGroup, { id: 8 })
  assert.equal((await admin.send(listTags, {})).list[0]?.['gives-access'], undefined)
})

test('an entry of the trash does not name a deleted user', async () => {
  await give()
  await assign(admin, { channels: [secret], add: [tag] })
  await admin.send(deleteChannels, { id: [secret] })
  await admin.send(deleteUsers, { id: guestBit })
  const { access } = JSON.parse(hub.parts.store.trash.byObject('channel', secret)?.data ?? '')
  assert.deepEqual(access, { group_mask: 0, usr_mask: 0 })
})

test('an import translates who gets access by a tag to the users of this hub, by name', async () => {
  await give()
  const local = collectTables(hub.parts.store)
  const imported = redactTables({
    ...local,
    user: local.user.map((row) => (row.id === guestBit ? { ...row, id: 0x100000 } : row)),
    tag: [{ id: 7, name: 'Foreign', color: 'red', group_mask: 0, usr_mask: (0x100000 | 0x200000) >>> 0 }],
    tag_channel: []
  })
  const request = { local, imported, importer: 'Admin', unusablePassword: 'x' }
  const { tables } = mergeTables({ ...request, parts: new Set(['streams']) })
  assert.deepEqual(
    tables.tag.map((row) => [row.name, row.usr_mask]),
    [['Foreign', guestBit]]
  )
})

test('the list of what a user sees names the tag', async () => {
  await give()
  await assign(admin, { channels: [secret], add: [tag] })
  const { list } = await admin.send(listVisibleObjects, { usr: guestBit, of: 'channel' })
  assert.deepEqual(
    list.map(({ name, because, tag: by }) => [name, because, by]),
    [
      ['Open', 'everyone', undefined],
      ['Secret', 'tag', 'Guests']
    ]
  )
  const { list: lines } = await admin.send(listLog, { type: 'operation' })
  assert.ok(
    lines.some(({ text }) => text === 'Set access by tag: Guests: guest'),
    lines[1]?.text
  )
})

test('an administrator is not limited', async () => {
  await give()
  const other = addSignedInUser(hub, 'other', 0, GROUP_ADMIN)
  assert.equal(await assign(other, { channels: [open], add: [tag] }), SUCCESS)
})

test.run()
