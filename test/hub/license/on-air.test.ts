// A licence that ends while a channel is on air, with real streams.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { suite } from 'uvu'
import { LICENSE_LIMIT, SUCCESS } from '../../../contract/codes.ts'
import { acceptDevices, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { deactivateLicense } from '../../../contract/license/calls.ts'
import { FREE_LIMITS, LICENSE_STATE } from '../../../contract/license/license.ts'
import { addChannel, enableChannel, queryChannel } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { systemStatus } from '../../../contract/system.ts'
import { signStatement } from '../../../license/statement.ts'
import { type Receiver, sendClip, setUpMedia, startReceiver } from '../../kit/engine/media.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const MACHINE = 'a'.repeat(32)
const HOUR = 60 * 60 * 1000
const issuer = generateKeyPairSync('ed25519')

const test = suite('channel on air while its licence ends')
let hub: TestHub
let admin: Client
setUpMedia(test)
test.before.each(async () => {
  hub = await startHub({ license: { trusted: [issuer.publicKey], machine: MACHINE } })
  admin = hub.clientAs()
  await hub.listen(0, 0)
})
test.after.each(() => hub.close())

/** Installs a licence that ends in some milliseconds. */
function install(lifetime: number): void {
  const statement = {
    title: 'Diocese',
    sn: 'A1',
    machine: MACHINE,
    permissions: 1,
    limits: { ...FREE_LIMITS, 'max-live-count': 2 },
    issued: Date.now() - HOUR,
    expires: Date.now() + lifetime,
    'support-end': 0
  }
  const { state } = hub.parts.license.install(signStatement(statement, issuer.privateKey))
  assert.equal(state, LICENSE_STATE.valid)
}

/** Starts a channel with a publisher and a player. */
async function goOnAir(): Promise<{ id: number; player: Receiver }> {
  const { id } = await admin.send(addChannel, { name: 'Hall', config: { 'push-key': 'PUSH-1', 'play-key': 'PLAY-1' } })
  assert.equal((await admin.send(enableChannel, { id, enable: true })).result, SUCCESS)
  const ports = async () => (await admin.send(systemStatus, {})).status.system.ports
  await until(async () => Boolean((await ports())?.rtmp.port && (await ports())?.srt.port), 'the ports are open')
  const { rtmp, srt } = (await ports()) ?? {}
  sendClip('flv', `rtmp://127.0.0.1:${rtmp?.port}/live/PUSH-1`)
  await until(async () => (await connectionOf(id)) === CONNECTION_STATE.connected, 'the publisher is connected')
  const player = startReceiver(`srt://127.0.0.1:${srt?.port}`, ['-srt_streamid', 'PLAY-1'])
  await until(() => player.bytes() > 0, 'media arrives')
  return { id, player }
}
const connectionOf = async (id: number) => (await admin.send(queryChannel, { id })).channel.input?.['conn-state']
const licenseState = async () => (await admin.send(systemStatus, {})).status['license-reg']?.status

/** Asserts that the same connections go on carrying media. */
async function assertContinues({ id, player }: { id: number; player: Receiver }): Promise<void> {
  const bytes = player.bytes()
  await until(() => player.bytes() > bytes + 50_000, 'media still arrives')
  assert.ok(player.isRunning())
  const { channel } = await admin.send(queryChannel, { id })
  assert.deepEqual([channel.config.enable, channel.input?.['conn-state']], [true, CONNECTION_STATE.connected])
}

test('a channel on air continues when its licence expires, and so do accepted devices', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  assert.equal((await admin.send(acceptDevices, { sn: [sn] })).result, SUCCESS)
  const onAir = await goOnAir()
  install(3000)
  assert.equal(await licenseState(), LICENSE_STATE.valid)
  await until(async () => (await licenseState()) === LICENSE_STATE.expired, 'the licence has expired')
  await assertContinues(onAir)
  assert.equal(hub.parts.store.devices.bySerial(sn)?.reg_state, REGISTRATION_STATE.accepted)
})

test('a channel on air continues when its licence is removed, or lowered to less than is in use', async () => {
  const onAir = await goOnAir()
  install(HOUR)
  assert.equal((await admin.send(deactivateLicense, { 'user-name': 'Diocese' })).result, SUCCESS)
  await assertContinues(onAir)
  install(HOUR)
  const { store } = hub.parts
  store.settings.set('license-limits', { ...FREE_LIMITS, 'max-live-count': 1, 'max-channel-count': 1 })
  const refused = await admin.send(addChannel, { name: 'Second' })
  assert.deepEqual([refused.result, refused.of], [LICENSE_LIMIT, 'max-channel-count'])
  await assertContinues(onAir)
})

test.run()
