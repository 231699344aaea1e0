import * as assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { changePassword } from '../../contract/access/session.ts'
import { listCatalogs } from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { listDevices } from '../../contract/device/device.ts'
import { getSettings, setSettings } from '../../contract/settings.ts'
import { channelDashboard, setChannelInput } from '../../contract/stream/channel.ts'
import { CONNECTION_STATE, SRT } from '../../contract/stream/protocols.ts'
import { listOutputs, type Output, type SrtOutput, setOutput } from '../../contract/stream/source.ts'
import { systemStatus } from '../../contract/system.ts'
import { type DemoPeer, startDemoPeers } from '../../fleet/demo-peers.ts'
import { createHello } from '../../fleet/identity.ts'
import { createRoster } from '../../fleet/roster.ts'
import { type SetUpOptions, setUpOnce } from '../../fleet/set-up.ts'
import { cleanUpMedia, clipPath, sendClip } from '../kit/engine/media.ts'
import { md5, startHub, type TestHub } from '../kit/hub/hub.ts'
import { LIMIT, until } from '../kit/until.ts'

const test = suite('set-up')
let folder: string
let hub: TestHub
let hubUrl: string
/** Commands that the fleet received. */
let commands: string[]
let logged: string[]

test.before(() => {
  clipPath()
})
test.after(cleanUpMedia)
test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-'))
  hub = await startHub()
  hubUrl = `http://127.0.0.1:${(await hub.listen(0, 0)).port}`
  commands = []
  logged = []
})
test.after.each(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** Registers `count` devices with the hub, and runs the set-up. */
async function setUp(count: number, options: Partial<SetUpOptions> = {}): Promise<void> {
  const entries = createRoster(count)
  for (const entry of entries) hub.parts.registry.register(createHello(entry, entry.name, 'seed'), '127.0.0.1')
  await setUpOnce({
    supervisor: {
      entries,
      stop: (sn) => commands.push(`${sn} off`),
      sendCommand: (sn, order) => commands.push(`${sn} ${order}`)
    },
    folder,
    hubUrl,
    log: (text) => logged.push(text),
    signal: new AbortController().signal,
    timeout: { hub: LIMIT, devices: 3000 },
    ...options
  })
}

const isDone = () => existsSync(join(folder, 'set-up.json'))

test('most devices are accepted, three are pending, one is rejected, two are off, three have a warning', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const count = async (state: 'accepted' | 'waiting' | 'rejected') =>
    (await admin.send(listDevices, { 'reg-state': state })).total
  assert.deepEqual([await count('accepted'), await count('waiting'), await count('rejected')], [20, 3, 1])
  assert.deepEqual(commands.map((text) => text.split(' ')[1]).sort(), ['full', 'no-signal', 'no-signal', 'off', 'off'])
  assert.ok(isDone())
})

test('the channels have an input with a backup, players, a wrong passphrase, no input, and a schedule', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const { list } = await admin.send(channelDashboard, { sort: 'name', 'output-count': 16 })
  assert.deepEqual(
    list.map(({ name, config, input, backups = [], outputs }) => [
      name,
      config.enable,
      input?.name,
      backups.map((backup) => backup.name),
      outputs.list.map((output) => output.name)
    ]),
    [
      ['Campus news', false, 'Campus News Desk', [], ['Campus news SRT']],
      ['Chapel relay', true, 'Chapel Right', [], ['Partner studio (passphrase partner-studio)']],
      ['Guest contribution', true, '', [], ['Guest contribution SRT']],
      ['Lecture hall 2.14', true, 'Lecture 2.14', [], ['Lecture hall 2.14 SRT']],
      [
        'Sunday service',
        true,
        'Main Hall PTZ',
        ['Chapel Right'],
        ['Sunday service SRT', 'Sunday service website', 'Lobby Screen']
      ]
    ]
  )
  assert.ok((list[0]?.['next-edge']?.at ?? 0) * 1000 > Date.now() + 60 * 60_000, 'the next start is hours ahead')
  // Every output that takes players has one, and the receiver of the failing output waits for it.
  const peers = JSON.parse(readFileSync(join(folder, 'demo-peers.json'), 'utf8')) as DemoPeer[]
  assert.deepEqual(
    peers.map((peer) => (peer.kind === 'player' ? new URL(peer.url).protocol : peer.kind)),
    ['srt:', 'http:', 'srt:', 'receiver', 'srt:', 'srt:']
  )
})

test('outputs are at free ports, whatever else uses them', async () => {
  const sockets = [9001, 9002, 9004].map((port) =>
    createSocket('udp4')
      .on('error', () => {})
      .bind(port, '127.0.0.1')
  )
  try {
    await setUp(24)
    const admin = await hub.signIn()
    const outputs = await admin.send(listOutputs, {})
    const ports = outputs.list.flatMap(({ config }) => (config as SrtOutput)['bind-port'] ?? [])
    assert.equal(new Set(ports).size, 4)
    assert.ok(ports.every((port) => port === 9003 || port >= 9005))
  } finally {
    for (const socket of sockets) socket.close()
  }
})

test('a shared port that another program uses is moved to the next free one, which is logged', async () => {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const taken = socket.address().port
  const other = await startHub()
  try {
    const { port } = await other.listen(0, 0, { srt: taken, rtmp: 0 })
    const admin = await other.signIn()
    assert.equal((await admin.send(setSettings, { srt: { port: taken, 'pb-key-len': 0 } })).result, SUCCESS)
    await setUp(1, { hubUrl: `http://127.0.0.1:${port}`, timeout: { hub: LIMIT, devices: 500 } })
    assert.match(logged.join('\n'), new RegExp(`SRT port ${taken} is in use: SRT clients connect to port \\d+`))
    const { settings } = await admin.send(getSettings, {})
    assert.ok((settings.srt?.port ?? 0) > taken)
  } finally {
    await other.close()
    socket.close()
  }
})

test('the failing output works with the passphrase in its name, which the set-up also prints', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const peers = startDemoPeers(folder)
  try {
    const relay = async () => {
      const { list } = await admin.send(channelDashboard, { 'output-count': 16 })
      return list.find(({ name }) => name === 'Chapel relay')
    }
    const id = (await relay())?.id ?? 0
    // The device of the test sends nothing: a publisher replaces it.
    assert.equal((await admin.send(setChannelInput, { id, input: 0 })).result, SUCCESS)
    const portOf = async () => (await admin.send(systemStatus, {})).status.system.ports?.rtmp.port
    await until(async () => (await portOf()) !== undefined, 'the RTMP port is open')
    sendClip('flv', `rtmp://127.0.0.1:${await portOf()}/live/${(await relay())?.config['push-key']}`)
    const stateOf = async () => (await relay())?.outputs.list[0]
    await until(async () => /different passphrase/.test((await stateOf())?.health?.message ?? ''), 'the output fails')
    const output = (await admin.send(listOutputs, {})).list.find(({ name }) =>
      name.startsWith('Partner studio')
    ) as Output
    const config = { ...output.config, passphrase: /\(passphrase (\S+)\)/.exec(output.name)?.[1] ?? '' } as SrtOutput
    assert.match(logged.join(), new RegExp(`must be ${config.passphrase}\\.`))
    assert.equal(
      (await admin.send(setOutput, { id: output.id, name: output.name, protocol: SRT, config })).result,
      SUCCESS
    )
    await until(async () => (await stateOf())?.['conn-state'] === CONNECTION_STATE.connected, 'the output works')
  } finally {
    peers.stop()
  }
})

test('some devices are in groups, one of which is a subgroup', async () => {
  await setUp(24)
  const admin = await hub.signIn()
  const { list } = await admin.send(listCatalogs, {})
  const campus = list.find(({ name }) => name === 'Campus')?.id
  assert.deepEqual(
    list.map((group) => [group.name, group['parent-id'], group['num-all']]),
    [
      ['Campus', 0, 4],
      ['Chapel', 0, 5],
      ['Lecture halls', campus, 3]
    ]
  )
})

test('the set-up runs once', async () => {
  await setUp(3)
  const admin = await hub.signIn()
  const total = async () => (await admin.send(channelDashboard, {})).total
  assert.equal(await total(), 5)
  const lines = logged.length
  await setUp(3)
  assert.equal(await total(), 5)
  assert.equal(logged.length, lines)
})

test('the set-up is skipped for good if the first password was changed, with one log line', async () => {
  const admin = await hub.signIn()
  const password = 'correct-horse'
  const request = { 'old-passwd': md5('Admin'), passwd: md5(password), password }
  assert.equal((await admin.send(changePassword, request)).result, SUCCESS)
  await setUp(3)
  assert.equal(logged.length, 1)
  assert.match(logged[0] ?? '', /skipped: the default password is no longer valid/)
  assert.ok(isDone())
  assert.equal((await (await hub.signIn('Admin', password)).send(listDevices, { 'reg-state': 'waiting' })).total, 3)
})

test('if the hub does not respond, the set-up runs again at the next start', async () => {
  await setUp(1, { hubUrl: 'http://127.0.0.1:9', timeout: { hub: 400, devices: 400 } })
  assert.match(logged[0] ?? '', /skipped: no hub responds/)
  assert.ok(!isDone())
})

test('the set-up is skipped if the hub responds in an unexpected way', async () => {
  for (const body of ['<html>', '{"result":0}', '[]', '{"result":6}']) {
    rmSync(join(folder, 'set-up.json'), { force: true })
    const server: Server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    logged = []
    await setUp(1, { hubUrl: url, timeout: { hub: 400, devices: 400 } })
    assert.equal(logged.length, 1, body)
    assert.match(logged[0] ?? '', /skipped/)
    server.closeAllConnections()
    server.close()
  }
})

test('the set-up ends without a log line if the fleet is closed', async () => {
  const controller = new AbortController()
  const running = setUp(1, {
    hubUrl: 'http://127.0.0.1:9',
    timeout: { hub: 60_000, devices: 1 },
    signal: controller.signal
  })
  controller.abort()
  await running
  assert.deepEqual(logged, [])
})

test.run()
