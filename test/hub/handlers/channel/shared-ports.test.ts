// The ports that all channels share, as callers set and see them.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { INVALID_ARG, NOT_EXIST, PORT_OCCUPIED } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { CHANNEL_VIEW, SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/permissions.ts'
import { getSettings, type Settings, setSettings } from '../../../../contract/settings.ts'
import {
  addChannel,
  addChannelOutputs,
  dropChannelClients,
  enableChannel,
  queryChannel,
  setChannel
} from '../../../../contract/stream/channel.ts'
import { CONNECTION, HTTP, INPUT_PUSHED, OUTPUT_PLAYED, RTMP, SRT } from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { retryPorts, STATUS, systemStatus } from '../../../../contract/system.ts'
import { clip, endAll, receive, send, until } from '../../../engine/media.ts'
import { freeTcpPort, freeUdpPort } from '../../../kit/free-port.ts'
import { type Client, join, startHub, type TestHub } from '../../../kit/hub.ts'

const test = suite('shared ports, answered')
const PASSPHRASE = 'a word of honour'

let hub: TestHub
let admin: Client
test.before(() => {
  clip()
})
test.before.each(async () => {
  hub = await startHub()
  admin = hub.enter()
})
test.after.each(() => hub.close())
test.after(endAll)

const srtOf = async (client: Client) => (await client.send(getSettings, {})).settings.srt
const system = async (client = admin) => (await client.send(systemStatus, {})).status.system

async function start(config: object = { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' }): Promise<number> {
  const { id } = await admin.send(addChannel, { name: 'Hall', config })
  await admin.send(enableChannel, { id, enable: true })
  return id
}
const channel = async (id: number, more: object = {}) => (await admin.send(queryChannel, { id, ...more })).channel
/** Waits for a condition that is asked for. */
async function wait(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 15_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('settings: the ports, and a passphrase that is kept when none is given and told only to who may edit', async () => {
  const { rtmp } = (await admin.send(getSettings, {})).settings
  assert.deepEqual([await srtOf(admin), rtmp], [{ port: 8000, 'pb-key-len': 0, passphrase: '' }, { port: 1935 }])
  const refused = await admin.send(setSettings, { srt: { port: 8001, 'pb-key-len': 16 } })
  assert.deepEqual([refused.result, refused.field], [INVALID_ARG, 'srt.passphrase'])
  const set = (srt: Settings['srt']) => admin.send(setSettings, { srt })
  assert.equal((await set({ port: 8001, 'pb-key-len': 16, passphrase: PASSPHRASE })).result, 0)
  assert.equal((await set({ port: 8002, 'pb-key-len': 32, passphrase: '' })).result, 0)
  assert.deepEqual(await srtOf(admin), { port: 8002, 'pb-key-len': 32, passphrase: PASSPHRASE })
  assert.deepEqual(await srtOf(join(hub, 'vera', SYSTEM_CONFIG_VIEW)), { port: 8002, 'pb-key-len': 32 })
  assert.deepEqual(await srtOf(join(hub, 'edith', SYSTEM_CONFIG_VIEW | SYSTEM_CONFIG_EDIT)), await srtOf(admin))
  for (const srt of [
    { port: 0, 'pb-key-len': 0 },
    { port: 65536, 'pb-key-len': 0 },
    { port: 8000, 'pb-key-len': 8 },
    { port: 8000, 'pb-key-len': 16, passphrase: 'short' }
  ])
    assert.equal((await set(srt as Settings['srt'])).result, INVALID_ARG, JSON.stringify(srt))
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.ok(!JSON.stringify(list).includes(PASSPHRASE))
  const { port } = await hub.listen(0, 0, { srt: 8002, rtmp: 1935 })
  // No channel wants them yet, and they are told all the same.
  assert.deepEqual((await system()).ports, { srt: { port: 8002, passphrase: PASSPHRASE }, rtmp: { port: 1935 } })
  for (const [name, rights] of Object.entries({ vic: SYSTEM_CONFIG_VIEW, carl: CHANNEL_VIEW })) {
    const { ports } = await system(join(hub, name, rights))
    assert.deepEqual(ports?.srt, { port: 8002 }, name)
  }
  assert.equal((await set({ port: 8002, 'pb-key-len': 0 })).result, 0)
  assert.deepEqual((await system()).ports?.srt, { port: 8002 })
  assert.equal((await admin.send(setSettings, { rtmp: { port } })).result, PORT_OCCUPIED)
})

test('who pushes is the input, with protocol and address; players are listed by page, counted, and thrown out', async () => {
  await hub.listen(0, 0)
  const id = await start()
  await wait('the ports are open', async () => {
    const { ports } = await system()
    return Boolean(ports?.srt.port && ports.rtmp.port)
  })
  const before = await channel(id)
  assert.deepEqual([before.input?.type, before.input?.name, before.clients.total], [INPUT_PUSHED, '', 0])
  assert.deepEqual([before.input?.['conn-state'], before.input?.reason], [CONNECTION.waiting, undefined])
  assert.equal(before.input?.['preview-id'], undefined, 'nothing to be seen')
  const { ports } = await system(join(hub, 'carl', CHANNEL_VIEW))
  assert.deepEqual((await system(join(hub, 'nora', 0))).ports, undefined)
  send('flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/PUSH-1`)
  await wait('it carries', async () => (await channel(id)).input?.['conn-state'] === CONNECTION.connected)
  const { input, clients } = await channel(id)
  assert.deepEqual([input?.id, input?.type, input?.protocol, input?.addr], [0, INPUT_PUSHED, RTMP, '127.0.0.1'])
  assert.deepEqual([clients.total, clients.list[0]?.type], [1, INPUT_PUSHED])
  assert.equal(input?.['preview-id'], `CHANNEL-${id}`)
  const players = [1, 2].map(() => receive(`srt://127.0.0.1:${ports?.srt.port}`, ['-srt_streamid', 'PLAY-1']))
  await wait('both play', async () => (await system()).client['num-live'] === 2)
  const page = (await channel(id, { 'client-start': 1, 'client-count': 1 })).clients
  assert.deepEqual([page.start, page.total, page.list.length], [1, 3, 1])
  assert.deepEqual([page.list[0]?.type, page.list[0]?.protocol], [OUTPUT_PLAYED, SRT])
  const one = page.list[0]?.id ?? 0
  assert.equal((await admin.send(dropChannelClients, { id, clients: [one, 999] })).result, NOT_EXIST)
  assert.equal((await admin.send(dropChannelClients, { id, clients: [one] })).result, 0)
  await until('one is gone', () => players.filter((player) => player.running()).length === 1)
  await admin.send(setChannel, { id, name: 'Hall', config: { 'play-key': 'PLAY-2' } })
  await until('the other has an old key', () => players.every((player) => !player.running()))
  const { config } = await channel(id)
  assert.deepEqual([config.protocol, config['allow-ip'], config['push-key']], [{ rtmp: true, srt: true }, [], 'PUSH-1'])
  const allowed = { protocol: { rtmp: false, srt: true }, 'allow-ip': ['10.0.0.0/8'] }
  assert.equal((await admin.send(setChannel, { id, name: 'Hall', config: allowed })).result, 0)
  await wait('who comes from elsewhere is gone', async () => (await channel(id)).clients.total === 0)
  assert.deepEqual((await channel(id)).config['allow-ip'], ['10.0.0.0/8'])
  send('flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/PUSH-1`)
  await wait('it is said why nothing comes', async () => Boolean((await channel(id)).input?.reason))
  const { reason, 'next-step': step } = (await channel(id)).input ?? {}
  assert.match(`${reason} ${step}`, /not allowed.+allowed addresses/)
  assert.equal((await admin.send(enableChannel, { id, enable: false })).result, 0)
  assert.equal((await channel(id)).input, null)
})

test('who takes an output over HLS is listed with it, counted once, and thrown out; the channel’s addresses hold for it', async () => {
  const { port } = await hub.listen(0, 0)
  const id = await start()
  const web = { name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } }
  const { id: output } = await admin.send(addOutput, web)
  await admin.send(addChannelOutputs, { id, outputs: [output] })
  await wait('the port is open', async () => Boolean((await system()).ports?.rtmp.port))
  send('flv', `rtmp://127.0.0.1:${(await system()).ports?.rtmp.port}/live/PUSH-1`)
  const get = (file: string) => fetch(`http://127.0.0.1:${port}/hls/HLS-1/${file}`)
  await wait('a segment', async () => (await get('index.m3u8')).status === 200)
  const [segment = ''] = /^\d+\.ts$/m.exec(await (await get('index.m3u8')).text()) ?? []
  await (await get(segment)).bytes()
  const [sender, player] = (await channel(id)).clients.list
  assert.deepEqual([sender?.type, sender?.output], [INPUT_PUSHED, undefined])
  assert.deepEqual(
    [player?.type, player?.protocol, player?.addr, player?.output],
    [OUTPUT_PLAYED, HTTP, '127.0.0.1', output]
  )
  assert.ok(player && player.kbps > 50, `${player?.kbps} kbps`)
  assert.equal((await channel(id)).outputs.list[0]?.['client-num'], 1)
  assert.equal((await system()).client['num-live'], 1)
  assert.equal((await admin.send(dropChannelClients, { id, clients: [player.id] })).result, 0)
  assert.equal((await get('index.m3u8')).status, 403)
  assert.deepEqual((await channel(id)).clients.total, 1)
  assert.equal((await admin.send(dropChannelClients, { id, clients: [player.id] })).result, NOT_EXIST)
  const log = (await admin.send(listLog, { type: 'operation' })).list
  assert.ok(log.some(({ event, detail }) => event === '/channel/client/drop' && detail === 'Hall: 127.0.0.1'))
})

test('who guesses keys is told to wait, and one line of the log says so', async () => {
  const { port } = await hub.listen(0, 0)
  const get = async (key: string) => (await fetch(`http://127.0.0.1:${port}/hls/${key}/index.m3u8`)).status
  for (let n = 0; n < 10; n++) assert.equal(await get(`KEY-${n}`), 404)
  for (let n = 10; n < 20; n++) assert.equal(await get(`KEY-${n}`), 429)
  const { list } = await admin.send(listLog, { type: 'system' })
  const lines = list.filter(({ event }) => event === 'keys-guessed')
  assert.deepEqual([lines.length, lines[0]?.detail], [1, '127.0.0.1'])
  assert.doesNotMatch(JSON.stringify(list), /KEY-/)
})

test('who is turned away at a shared port is said once a minute, with the reason and without the key', async () => {
  await hub.listen(0, 0)
  const id = await start()
  await wait('the ports are open', async () => {
    const { ports } = await system()
    return Boolean(ports?.srt.port && ports.rtmp.port)
  })
  const { ports } = await system()
  const rtmp = (key: string) => send('flv', `rtmp://127.0.0.1:${ports?.rtmp.port}/live/${key}`)
  const srt = (key: string) => send('mpegts', '-srt_streamid', key, `srt://127.0.0.1:${ports?.srt.port}?pkt_size=1316`)
  const turnedAway = async (...callers: ReturnType<typeof send>[]) => {
    for (const code of await Promise.all(callers.map((caller) => caller.done))) assert.ok(code)
  }
  await turnedAway(rtmp('WRONG-1'), srt('WRONG-2'))
  rtmp('PUSH-1')
  await wait('it carries', async () => (await channel(id)).input?.['conn-state'] === CONNECTION.connected)
  await turnedAway(rtmp('PUSH-1'), srt('PUSH-1'))
  await turnedAway(rtmp('PUSH-1'), rtmp('WRONG-3'))
  const said = async () =>
    (await admin.send(listLog, { type: 'system' })).list
      .filter(({ event }) => event === 'caller-refused')
      .map(({ detail }) => detail)
      .sort()
  await wait('all is said', async () => (await said()).length >= 4)
  // A minute may end between two of the same.
  assert.deepEqual(
    [...new Set(await said())],
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

test('an SRT port that is taken is a bit of the status with the reason, is logged once, and clears by itself when another is set', async () => {
  const taken = createSocket('udp4')
  const port = await freeUdpPort()
  await new Promise<void>((resolve) => taken.bind(port, '127.0.0.1', resolve))
  await hub.listen(0, 0, { srt: port, rtmp: await freeTcpPort() })
  await start()
  await wait('it fails', async () => ((await system()).status['status-code'] & STATUS.srtFailed) !== 0)
  assert.deepEqual((await system()).ports?.srt, {
    reason: `port ${port} is in use by another program`,
    'next-step': 'Choose another port, or end what uses it.'
  })
  assert.equal((await admin.send(retryPorts, {})).result, 0)
  const failures = async () =>
    (await admin.send(listLog, { type: 'system' })).list.filter(({ event }) => event === 'port-failed')
  await wait('it is logged', async () => (await failures()).length === 1)
  const other = await freeUdpPort()
  assert.equal((await admin.send(setSettings, { srt: { port: other, 'pb-key-len': 0 } })).result, 0)
  await wait('it is open', async () => (await system()).ports?.srt.port === other)
  assert.equal((await system()).status['status-code'] & STATUS.srtFailed, 0)
  taken.close()
})

test.run()
