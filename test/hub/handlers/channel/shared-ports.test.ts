// The ports that all channels share, through the API.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { CHANNEL_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_EXIST, PORT_OCCUPIED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { getSettings, type Settings, setSettings } from '../../../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  dropChannelClients,
  enableChannel,
  queryChannel,
  setChannel
} from '../../../../contract/stream/channel.ts'
import {
  CONNECTION_STATE,
  HTTP,
  INPUT_PUBLISHER,
  OUTPUT_PLAYER,
  RTMP,
  SRT
} from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { retryPorts, SYSTEM_STATUS_BITS, systemStatus } from '../../../../contract/system.ts'
import { cleanUpMedia, clipPath, sendClip, startReceiver } from '../../../kit/engine/media.ts'
import { addSignedInUser, type Client } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { freeTcpPort, freeUdpPort } from '../../../kit/net/free-port.ts'
import { until } from '../../../kit/until.ts'

const test = suite('shared ports in the API')
const PASSPHRASE = 'a word of honour'

test.before(() => {
  clipPath()
})
hubForEach(test)
test.after(cleanUpMedia)

const srtSettings = async (client: Client) => (await client.send(getSettings, {})).settings.srt
const systemState = async (client = admin) => (await client.send(systemStatus, {})).status.system

async function start(config: object = { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' }): Promise<number> {
  const { id } = await admin.send(addChannel, { name: 'Hall', config })
  await admin.send(enableChannel, { id, enable: true })
  return id
}
const channel = async (id: number, more: object = {}) => (await admin.send(queryChannel, { id, ...more })).channel
test('settings: the ports; the passphrase stays if a request leaves it out, and only editors see it', async () => {
  const { rtmp } = (await admin.send(getSettings, {})).settings
  assert.deepEqual([await srtSettings(admin), rtmp], [{ port: 8000, 'pb-key-len': 0, passphrase: '' }, { port: 1935 }])
  const refusal = await admin.send(setSettings, { srt: { port: 8001, 'pb-key-len': 16 } })
  assert.deepEqual([refusal.result, refusal.field], [INVALID_ARG, 'srt.passphrase'])
  const setSrt = (srt: Settings['srt']) => admin.send(setSettings, { srt })
  assert.equal((await setSrt({ port: 8001, 'pb-key-len': 16, passphrase: PASSPHRASE })).result, SUCCESS)
  assert.equal((await setSrt({ port: 8002, 'pb-key-len': 32, passphrase: '' })).result, SUCCESS)
  assert.deepEqual(await srtSettings(admin), { port: 8002, 'pb-key-len': 32, passphrase: PASSPHRASE })
  assert.deepEqual(await srtSettings(addSignedInUser(hub, 'vera', SYSTEM_CONFIG_VIEW)), {
    port: 8002,
    'pb-key-len': 32
  })
  assert.deepEqual(
    await srtSettings(addSignedInUser(hub, 'edith', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)),
    await srtSettings(admin)
  )
  for (const srt of [
    { port: 0, 'pb-key-len': 0 },
    { port: 65536, 'pb-key-len': 0 },
    { port: 8000, 'pb-key-len': 8 },
    { port: 8000, 'pb-key-len': 16, passphrase: 'short' }
  ])
    assert.equal((await setSrt(srt as Settings['srt'])).result, INVALID_ARG, JSON.stringify(srt))
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.ok(!JSON.stringify(list).includes(PASSPHRASE))
  const { port } = await hub.listen(0, 0, { srt: 8002, rtmp: 1935 })
  // The ports are reported although no channel uses them yet.
  const { files: _, ...shared } = (await systemState()).ports ?? {}
  assert.deepEqual(shared, { srt: { port: 8002, passphrase: PASSPHRASE }, rtmp: { port: 1935 } })
  for (const [name, rights] of Object.entries({ vic: SYSTEM_CONFIG_VIEW, carl: CHANNEL_VIEW })) {
    const { ports } = await systemState(addSignedInUser(hub, name, rights))
    assert.deepEqual(ports?.srt, { port: 8002 }, name)
  }
  assert.equal((await setSrt({ port: 8002, 'pb-key-len': 0 })).result, SUCCESS)
  assert.deepEqual((await systemState()).ports?.srt, { port: 8002 })
  assert.equal((await admin.send(setSettings, { rtmp: { port } })).result, PORT_OCCUPIED)
})

test('a publisher is the input, with protocol and address; players are listed in pages, counted, and can be disconnected', async () => {
  await hub.listen(0, 0)
  const id = await start()
  await until(async () => {
    const { ports } = await systemState()
    return Boolean(ports?.srt.port && ports.rtmp.port)
  }, 'the ports are open')
  const before = await channel(id)
  assert.deepEqual([before.input?.type, before.input?.name, before.clients.total], [INPUT_PUBLISHER, '', 0])
  assert.deepEqual([before.input?.['conn-state'], before.input?.health?.message], [CONNECTION_STATE.waiting, undefined])
  assert.equal(before.input?.['preview-id'], undefined, 'nothing is visible')
  const { ports } = await systemState(addSignedInUser(hub, 'carl', CHANNEL_VIEW))
  assert.deepEqual((await systemState(addSignedInUser(hub, 'nora', 0))).ports, undefined)
  sendClip('flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/PUSH-1`)
  await until(
    async () => (await channel(id)).input?.['conn-state'] === CONNECTION_STATE.connected,
    'the input is connected'
  )
  const { input, clients } = await channel(id)
  assert.deepEqual([input?.id, input?.type, input?.protocol, input?.addr], [0, INPUT_PUBLISHER, RTMP, '127.0.0.1'])
  assert.deepEqual([clients.total, clients.list[0]?.type], [1, INPUT_PUBLISHER])
  assert.equal(input?.['preview-id'], `CHANNEL-${id}`)
  const players = [1, 2].map(() => startReceiver(`srt://127.0.0.1:${ports?.srt.port}`, ['-srt_streamid', 'PLAY-1']))
  await until(async () => (await systemState()).client['num-live'] === 2, 'both play')
  const page = (await channel(id, { 'client-start': 1, 'client-count': 1 })).clients
  assert.deepEqual([page.start, page.total, page.list.length], [1, 3, 1])
  assert.deepEqual([page.list[0]?.type, page.list[0]?.protocol], [OUTPUT_PLAYER, SRT])
  const playerId = page.list[0]?.id ?? 0
  assert.equal((await admin.send(dropChannelClients, { id, clients: [playerId, 999] })).result, NOT_EXIST)
  assert.equal((await admin.send(dropChannelClients, { id, clients: [playerId] })).result, SUCCESS)
  await until(() => players.filter((player) => player.isRunning()).length === 1, 'one player is disconnected')
  await admin.send(setChannel, { id, name: 'Hall', config: { 'play-key': 'PLAY-2' } })
  await until(() => players.every((player) => !player.isRunning()), 'the player with the old key is disconnected')
  const { config } = await channel(id)
  assert.deepEqual([config.protocol, config['allow-ip'], config['push-key']], [{ rtmp: true, srt: true }, [], 'PUSH-1'])
  assert.equal(config['replace-publisher'], false)
  await admin.send(setChannel, { id, name: 'Hall', config: { 'replace-publisher': true } })
  assert.equal((await channel(id)).config['replace-publisher'], true)
  const allowed = { protocol: { rtmp: false, srt: true }, 'allow-ip': ['10.0.0.0/8'] }
  assert.equal((await admin.send(setChannel, { id, name: 'Hall', config: allowed })).result, SUCCESS)
  await until(
    async () => (await channel(id)).clients.total === 0,
    'the publisher with a forbidden address is disconnected'
  )
  assert.deepEqual((await channel(id)).config['allow-ip'], ['10.0.0.0/8'])
  sendClip('flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/PUSH-1`)
  await until(async () => Boolean((await channel(id)).input?.health?.message), 'the input has a reason')
  assert.match((await channel(id)).input?.health?.message ?? '', /not on the allow list.+the allow list/s)
  assert.equal((await admin.send(enableChannel, { id, enable: false })).result, SUCCESS)
  assert.equal((await channel(id)).input, null)
})

test('an HLS player is listed with its output, counted once, and can be disconnected; the channel’s allowed addresses apply', async () => {
  const { port } = await hub.listen(0, 0)
  const id = await start()
  const web = { name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } } as const
  const { id: output } = await admin.send(addOutput, web)
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await until(async () => Boolean((await systemState()).ports?.rtmp.port), 'the port is open')
  sendClip('flv', `rtmp://127.0.0.1:${(await systemState()).ports?.rtmp.port}/live/PUSH-1`)
  const { port: filesPort = 0 } = hub.parts.webPorts.ports.files.observe()
  const get = (file: string, at = filesPort) => fetch(`http://127.0.0.1:${at}/hls/HLS-1/${file}`)
  await until(async () => (await get('index.m3u8')).status === 200, 'a segment')
  const [segment = ''] = /^\d+\.ts$/m.exec(await (await get('index.m3u8')).text()) ?? []
  assert.equal((await get(segment, port)).status, 200, 'the web server has the same files')
  await (await get(segment)).bytes()
  await until(async () => (await channel(id)).clients.total === 2, 'the player is listed')
  const [sender, player] = (await channel(id)).clients.list
  assert.deepEqual([sender?.type, sender?.output], [INPUT_PUBLISHER, undefined])
  assert.deepEqual(
    [player?.type, player?.protocol, player?.addr, player?.output],
    [OUTPUT_PLAYER, HTTP, '127.0.0.1', output]
  )
  assert.ok(player && player.kbps > 50, `${player?.kbps} kbps`)
  assert.equal((await channel(id)).outputs.list[0]?.['client-num'], 1)
  assert.equal((await systemState()).client['num-live'], 1)
  assert.equal((await admin.send(dropChannelClients, { id, clients: [player.id] })).result, SUCCESS)
  assert.equal((await get('index.m3u8')).status, 403)
  assert.deepEqual((await channel(id)).clients.total, 1)
  assert.equal((await admin.send(dropChannelClients, { id, clients: [player.id] })).result, NOT_EXIST)
  const log = (await admin.send(listLog, { type: 'operation' })).list
  assert.ok(log.some(({ event, detail }) => event === '/channel/client/drop' && detail === 'Hall: 127.0.0.1'))
})

test('a client that guesses keys is throttled, and this is logged once', async () => {
  const { port } = await hub.listen(0, 0)
  const get = async (key: string) => (await fetch(`http://127.0.0.1:${port}/hls/${key}/index.m3u8`)).status
  for (let n = 0; n < 10; n++) assert.equal(await get(`KEY-${n}`), 404)
  for (let n = 10; n < 20; n++) assert.equal(await get(`KEY-${n}`), 429)
  const { list } = await admin.send(listLog, { type: 'system' })
  const lines = list.filter(({ event }) => event === 'keys-guessed')
  assert.deepEqual([lines.length, lines[0]?.detail], [1, '127.0.0.1'])
  assert.doesNotMatch(JSON.stringify(list), /KEY-/)
})

test('a refused client is logged once a minute, with the reason and without the key', async () => {
  await hub.listen(0, 0)
  const id = await start()
  await until(async () => {
    const { ports } = await systemState()
    return Boolean(ports?.srt.port && ports.rtmp.port)
  }, 'the ports are open')
  const { ports } = await systemState()
  const rtmp = (key: string) => sendClip('flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/${key}`)
  const srt = (key: string) =>
    sendClip('mpegts', '-srt_streamid', key, `srt://127.0.0.1:${ports?.srt.port}?pkt_size=1316`)
  const waitForRefusal = async (...callers: ReturnType<typeof sendClip>[]) => {
    for (const code of await Promise.all(callers.map((caller) => caller.exited))) assert.ok(code)
  }
  await waitForRefusal(rtmp('WRONG-1'), srt('WRONG-2'))
  rtmp('PUSH-1')
  await until(
    async () => (await channel(id)).input?.['conn-state'] === CONNECTION_STATE.connected,
    'the input is connected'
  )
  await waitForRefusal(rtmp('PUSH-1'), srt('PUSH-1'))
  await waitForRefusal(rtmp('PUSH-1'), rtmp('WRONG-3'))
  const refusalEntries = async () =>
    (await admin.send(listLog, { type: 'system' })).list
      .filter(({ event }) => event === 'caller-refused')
      .map(({ detail }) => detail)
      .sort()
  await until(async () => (await refusalEntries()).length >= 4, 'all refusals are logged')
  // The minute of the rate limit may end between two refusals.
  assert.deepEqual(
    [...new Set(await refusalEntries())],
    [
      'Hall, RTMP, 127.0.0.1: #key-in-use',
      'Hall, SRT, 127.0.0.1: #key-in-use',
      'RTMP, 127.0.0.1: #key-unknown',
      'SRT, 127.0.0.1: #key-unknown'
    ]
  )
  const { list } = await admin.send(listLog, { type: 'system' })
  assert.doesNotMatch(JSON.stringify(list), /WRONG-|PUSH-1/)
})

test('an occupied SRT port sets a status bit with the reason, is logged once, and clears when another port is set', async () => {
  const blocker = createSocket('udp4')
  const port = await freeUdpPort()
  await new Promise<void>((resolve) => blocker.bind(port, '127.0.0.1', resolve))
  await hub.listen(0, 0, { srt: port, rtmp: await freeTcpPort() })
  await start()
  await until(
    async () => ((await systemState()).status['status-code'] & SYSTEM_STATUS_BITS.srtFailed) !== 0,
    'the port has failed'
  )
  assert.deepEqual((await systemState()).ports?.srt, {
    reason: `port ${port} is in use by another program`,
    'next-step': 'Choose another port, or stop the program that uses it.'
  })
  assert.equal((await admin.send(retryPorts, {})).result, SUCCESS)
  const failureEntries = async () =>
    (await admin.send(listLog, { type: 'system' })).list.filter(({ event }) => event === 'port-failed')
  await until(async () => (await failureEntries()).length === 1, 'the failure is logged')
  const other = await freeUdpPort()
  assert.equal((await admin.send(setSettings, { srt: { port: other, 'pb-key-len': 0 } })).result, SUCCESS)
  await until(async () => (await systemState()).ports?.srt.port === other, 'the port is open')
  assert.equal((await systemState()).status['status-code'] & SYSTEM_STATUS_BITS.srtFailed, 0)
  blocker.close()
})

test.run()
