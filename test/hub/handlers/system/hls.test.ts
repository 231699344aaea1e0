// The switch of all HLS outputs: what it stops, what continues, and what the hub says meanwhile.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { getSettings, type SettingsRequest, setSettings } from '../../../../contract/settings.ts'
import { addChannel, addChannelOutputs, enableChannel, queryChannel } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, HTTP } from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { listPorts } from '../../../../contract/web/ports.ts'
import { cleanUpMedia, clipPath, sendClip } from '../../../kit/engine/media.ts'
import { createUdpTarget } from '../../../kit/fault/media.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('HLS switch')
test.before(() => {
  clipPath()
})
hubForEach(test)
test.after(cleanUpMedia)

const switchHls = (enable: boolean, who = admin) => who.send(setSettings, { hls: { enable } })
const hls = async () => (await admin.send(listPorts, {})).hls
const fetchList = (port: number) => fetch(`http://127.0.0.1:${port}/hls/HLS-1/index.m3u8`)

test('HLS is on by default; SYSTEM_CONFIG_EDIT switches it, and the operation log says how', async () => {
  assert.deepEqual((await admin.send(getSettings, {})).settings.hls, { enable: true })
  assert.deepEqual(await hls(), { enable: true, running: 0, players: 0 })
  const viewer = addSignedInUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  assert.equal((await switchHls(false, viewer)).result, NOT_PERMITTED)
  assert.equal((await hls()).enable, true)
  for (const request of [{ hls: {} }, { hls: { enable: 'no' } }, { hls: null }])
    assert.equal((await admin.send(setSettings, request as unknown as SettingsRequest)).result, INVALID_ARG)
  // `viewer` has the first custom group.
  hub.parts.store.database.run(
    `UPDATE user_group SET permission = ${SYSTEM_CONFIG_EDIT} WHERE name = 'group of viewer'`
  )
  assert.equal((await switchHls(false, viewer)).result, SUCCESS)
  assert.equal((await hls()).enable, false)
  const [entry] = (await admin.send(listLog, { type: 'operation' })).list
  assert.equal(entry?.detail, 'hls #off')
})

test('off stops the HLS outputs at once and nothing else, the channel says why, and on starts them again', async () => {
  const { port } = await hub.listen(0, 0)
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { 'push-key': 'PUSH-1' } })
  await admin.send(enableChannel, { id, enable: true })
  const web = { name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } } as const
  const udp = { name: 'Hall screen', ...(await createUdpTarget()) }
  const outputs = [(await admin.send(addOutput, web)).id, (await admin.send(addOutput, udp)).id]
  assert.equal((await admin.send(addChannelOutputs, { id, outputs })).result, SUCCESS)
  const rtmpPort = async () => (await admin.send(systemStatus, {})).status.system.ports?.rtmp.port
  await until(async () => (await rtmpPort()) !== undefined, 'the port is open')
  sendClip('flv', `rtmp://127.0.0.1:${await rtmpPort()}/live/PUSH-1`)
  const output = async (index: number) => (await admin.send(queryChannel, { id })).channel.outputs.list[index]
  await until(async () => (await fetchList(port)).status === 200, 'a playlist')
  const [segment = ''] = /^\d+\.ts$/m.exec(await (await fetchList(port)).text()) ?? []
  await (await fetch(`http://127.0.0.1:${port}/hls/HLS-1/${segment}`)).bytes()
  await until(async () => (await hls()).players === 1, 'the player is counted')
  assert.deepEqual(await hls(), { enable: true, running: 1, players: 1 })
  await until(async () => (await output(1))?.['conn-state'] === CONNECTION_STATE.connected, 'the other output runs')
  const uptime = (await output(1))?.['living-time-s'] ?? 0

  assert.equal((await switchHls(false)).result, SUCCESS)
  assert.equal((await fetchList(port)).status, 404)
  assert.deepEqual(await hls(), { enable: false, running: 0, players: 0 })
  const [stopped, other] = [await output(0), await output(1)]
  assert.deepEqual(
    [stopped?.enable, stopped?.kbps, stopped?.health?.verdict, stopped?.health?.reason, stopped?.health?.['next-step']],
    [true, 0, 'stopped', 'hls-off', 'enable-hls']
  )
  assert.equal(other?.['conn-state'], CONNECTION_STATE.connected)
  assert.ok((other?.['living-time-s'] ?? -1) >= uptime, 'the other output was not interrupted')
  assert.equal(other?.health?.reason, undefined)

  assert.equal((await switchHls(true)).result, SUCCESS)
  await until(async () => (await fetchList(port)).status === 200, 'the playlist is back')
  await until(async () => (await output(0))?.health?.verdict === 'on-air', 'the output is on air')
  assert.equal((await output(0))?.health?.reason, undefined)
})

test('players of a hub whose HLS is off do not count as guessing keys', async () => {
  const { port } = await hub.listen(0, 0)
  await switchHls(false)
  for (let n = 0; n < 30; n++) assert.equal((await fetchList(port)).status, 404)
  assert.equal(await (await fetchList(port)).text(), 'HLS is turned off\n')
  const { list } = await admin.send(listLog, { type: 'system' })
  assert.ok(list.every(({ event }) => event !== 'keys-guessed'))
})

test.run()
