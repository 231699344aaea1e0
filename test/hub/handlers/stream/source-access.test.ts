import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ALL_PERMISSIONS, DEVICE_SECURITY, USER_CONTROL } from '../../../../contract/access/permissions.ts'
import { getSession, logoutByGet } from '../../../../contract/access/session.ts'
import { ALL_GROUPS } from '../../../../contract/access/visibility.ts'
import { NAME_EXISTS, NOT_EXIST, PORT_OCCUPIED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { deleteNdiPresets, listNdiPresets } from '../../../../contract/ndi/preset.ts'
import { ndiPreviewId } from '../../../../contract/ndi/preview-id.ts'
import {
  addChannel,
  addChannelOutputs,
  deleteChannelOutputs,
  deleteChannels,
  setChannel,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { SRT, UDP } from '../../../../contract/stream/protocols.ts'
import {
  addInput,
  addOutput,
  deleteInputs,
  deleteOutputs,
  listInputs,
  listOutputs,
  setInput,
  setOutput
} from '../../../../contract/stream/source.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { createPreviewAccess } from '../../../../hub/auth/preview-access.ts'
import { listDeclaredCalls } from '../../../../make/wire/declared-calls.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { READS_BY_POST } from '../../../kit/hub/read-calls.ts'
import { HARMLESS_REQUESTS } from '../../every-call-requests.ts'

const test = suite('access to inputs and outputs')
const HIDDEN = { 'group-mask': 1, 'usr-mask': 0 }
const NDI_URL = 'ntkndi://ndi?name=ZEBRA%20(Cam)'
/** Everything that only the hidden channel uses has this in its name or address. */
const SECRET = /zebra/i
let vera: Client
/** A channel without and one with access for vera. */
let news = 0
let sport = 0
let camera = 0
let feed = 0
let target = 0
hubForEach(test)

const input = async (client: Client, name: string, url: string) =>
  (await client.send(addInput, { name, config: { type: 1, url } })).id
const output = async (client: Client, name: string, port: number) =>
  (await client.send(addOutput, { name, protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': port } })).id
const inputsOf = async (client: Client) =>
  (await client.send(listInputs, { sort: 'name' })).list.map(({ name }) => name)
const outputsOf = async (client: Client) =>
  (await client.send(listOutputs, { sort: 'name' })).list.map(({ name }) => name)
const hide = (id: number) => admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, ...HIDDEN } })

test.before.each(async () => {
  vera = addSignedInUser(hub, 'vera', ALL_PERMISSIONS & ~USER_CONTROL & ~DEVICE_SECURITY)
  news = (await admin.send(addChannel, { name: 'Zebra news' })).id
  sport = (await admin.send(addChannel, { name: 'Sport' })).id
  await hide(news)
  camera = await input(admin, 'Zebra camera', 'srt://zebra.example:9900')
  feed = await input(admin, 'Shared feed', 'udp://127.0.0.1:5999')
  const ndi = await input(admin, 'Zebra NDI', NDI_URL)
  const pushed = await input(admin, 'Zebra listener', 'srt://:5700?mode=listener')
  await admin.send(setChannelInput, { id: news, input: camera })
  const { result } = await admin.send(setChannel, {
    id: news,
    name: 'Zebra news',
    config: { backups: [ndi, feed, pushed] }
  })
  assert.equal(result, SUCCESS)
  await admin.send(setChannelInput, { id: sport, input: feed })
  target = await output(admin, 'Zebra CDN', 5998)
  const listener = { mode: 'listener', 'bind-port': 5701 } as const
  const { id } = await admin.send(addOutput, { name: 'Zebra players', protocol: SRT, config: listener })
  await admin.send(addChannelOutputs, { id: news, outputs: [target, id] })
  await admin.send(addChannelOutputs, { id: sport, outputs: [await output(admin, 'Sport CDN', 5997)] })
})

test('no call that reads shows what only a hidden channel uses', async () => {
  const reads = listDeclaredCalls().filter(
    (call) => (call.method === 'GET' || READS_BY_POST.includes(call)) && call !== logoutByGet && call.access !== 'admin'
  )
  const requests = [
    {},
    { key: 'zebra' },
    { type: 'operation' },
    { type: 'system' },
    { type: 'operation', format: 'csv' }
  ]
  const revealing = new Set<string>()
  for (const call of reads) {
    // They end with the connection.
    if (['/preview/open', '/channel/watch'].includes(call.path)) continue
    for (const request of [...requests, ...(HARMLESS_REQUESTS.get(call) ?? [])]) {
      const text = async (client: Client) => {
        const response = await (call.method === 'GET'
          ? client.raw('GET', `/api${call.path}?${new URLSearchParams(request as Record<string, string>)}`)
          : client.raw('POST', `/api${call.path}`, {
              body: JSON.stringify(request),
              headers: { 'content-type': 'application/json' }
            }))
        return await response.text()
      }
      if (SECRET.test(await text(admin))) revealing.add(call.path)
      assert.ok(!SECRET.test(await text(vera)), `${call.path} ${JSON.stringify(request)}`)
    }
  }
  for (const path of ['/input/source/list', '/output/list', '/ndi/preset/list', '/ndi/source/list', '/log/list'])
    assert.ok(revealing.has(path), `${path} has something to hide`)
})

test('an input or output of a hidden channel does not exist for calls that change or use it', async () => {
  const config = { type: 1 as const, url: 'srt://other.example:9900' }
  const udp = { 'dst-ip': '127.0.0.1', 'dst-port': 5996 }
  const answers = (inputId: number, outputId: number) =>
    Promise.all([
      vera.send(setInput, { id: inputId, name: 'Mine', config }),
      vera.send(deleteInputs, { id: inputId, force: true }),
      vera.send(deleteNdiPresets, { id: inputId }),
      vera.send(setOutput, { id: outputId, name: 'Mine', protocol: UDP, config: udp }),
      vera.send(deleteOutputs, { id: outputId, force: true }),
      vera.send(setChannelInput, { id: sport, input: inputId }),
      vera.send(setChannel, { id: sport, name: 'Sport', config: { backups: [inputId] } }),
      vera.send(addChannelOutputs, { id: sport, outputs: [outputId] })
    ])
  const hidden = await answers(camera, target)
  assert.deepEqual(
    hidden.map(({ result }) => result),
    hidden.map(() => NOT_EXIST)
  )
  assert.deepEqual(hidden, await answers(999_999, 999_999), 'nor does the answer differ')
  const replaced = await vera.send(addInput, { name: 'Zebra camera', config, force: true })
  assert.deepEqual(
    [replaced.result, replaced['owner-i'], replaced['owner-hidden']],
    [NAME_EXISTS, undefined, undefined]
  )
  assert.match(hub.parts.store.sources.input(camera)?.url ?? '', SECRET)
})

test('a port that a hidden input or output uses is taken, without its name', async () => {
  for (const [port, name] of [
    [5700, 'Zebra listener'],
    [5701, 'Zebra players']
  ] as const) {
    const add = (client: Client) =>
      client.send(addOutput, { name: 'Mine', protocol: SRT, config: { mode: 'listener', 'bind-port': port } })
    const [own, foreign] = [await add(admin), await add(vera)]
    assert.equal(own.holder?.name, name)
    assert.deepEqual([foreign.result, foreign.port, foreign.holder], [PORT_OCCUPIED, port, undefined])
  }
})

test('an input of several channels is visible with one of them', async () => {
  assert.deepEqual(await inputsOf(vera), ['Shared feed'])
  assert.deepEqual(await outputsOf(vera), ['Sport CDN'])
  assert.equal((await vera.send(systemStatus, {})).status.system.output['num-all'], 1)
  assert.equal((await admin.send(systemStatus, {})).status.system.output['num-all'], 3)
  await admin.send(setChannelInput, { id: sport, input: 0 })
  assert.deepEqual(await inputsOf(vera), [])
})

test('what no channel uses any more keeps the access of the last one, also after that was deleted', async () => {
  await admin.send(deleteChannelOutputs, { id: news, outputs: [target] })
  await admin.send(setChannelInput, { id: news, input: 0 })
  assert.deepEqual([await inputsOf(vera), await outputsOf(vera)], [['Shared feed'], ['Sport CDN']])
  await admin.send(deleteChannels, { id: [news, sport] })
  assert.deepEqual([await inputsOf(vera), await outputsOf(vera)], [['Shared feed'], ['Sport CDN']])
  assert.equal((await admin.send(listInputs, {})).total, 4)
})

test('what no channel has used yet is visible by the global default of channels, and to its creator', async () => {
  await input(admin, 'Library', 'srt://library.example:9900')
  assert.ok((await inputsOf(vera)).includes('Library'))
  await admin.send(setGlobalChannel, { security: HIDDEN })
  const [mine, sent] = [await input(vera, 'Mine', 'srt://mine.example:9900'), await output(vera, 'Mine', 5995)]
  assert.deepEqual([await inputsOf(vera), await outputsOf(vera)], [['Mine'], ['Mine']])
  await admin.send(setChannelInput, { id: news, input: mine })
  await admin.send(addChannelOutputs, { id: news, outputs: [sent] })
  assert.deepEqual([await inputsOf(vera), await outputsOf(vera)], [[], []], 'the channel decides')
})

test('the next user with the number of a deleted one sees nothing of his', async () => {
  await admin.send(setGlobalChannel, { security: HIDDEN })
  const { id } = (await vera.send(getSession, {})).user
  await input(vera, 'Mine', 'srt://mine.example:9900')
  hub.parts.store.sourceAccess.removeUserFromMasks(id)
  assert.deepEqual(await inputsOf(vera), [])
})

test('the operation log leaves out lines about them, also after they were deleted', async () => {
  const lines = async (client: Client) => {
    const { list } = await client.send(listLog, { type: 'operation' })
    return list.flatMap(({ text = '' }) => (/(input|output)/i.test(text) ? [text] : []))
  }
  assert.doesNotMatch(JSON.stringify(await lines(vera)), SECRET)
  assert.match(JSON.stringify(await lines(vera)), /Shared feed/)
  await admin.send(deleteInputs, { id: camera, force: true })
  await admin.send(deleteOutputs, { id: target, force: true })
  assert.doesNotMatch(JSON.stringify(await lines(vera)), SECRET)
  assert.match(JSON.stringify(await lines(admin)), /Delete inputs: Zebra camera/)
})

test('the picture of an NDI source that only a hidden channel uses is refused', async () => {
  const session = hub.parts.store.users
    .sessions({ createdSince: 0, seenSince: 0, now: 0 })
    .find(({ user }) => user === 'vera')?.hash
  const stored = hub.parts.store.sources.inputByName('Zebra NDI')?.url ?? ''
  const canSee = () =>
    createPreviewAccess(hub.parts.store, hub.parts.gate, () => [])(session ?? '')(ndiPreviewId(stored) ?? '')
  assert.equal(canSee(), false)
  await admin.send(setChannelSecurity, {
    id: news,
    security: { 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 0 }
  })
  assert.equal(canSee(), true)
  assert.equal((await vera.send(listNdiPresets, {})).total, 1)
  assert.equal((await admin.send(setChannelInput, { id: news, input: 0 })).result, SUCCESS)
})

test.run()
