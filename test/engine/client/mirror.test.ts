import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, PROTOCOL_DEFAULT, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { Mirror } from '../../../engine/client/mirror.ts'
import type { ObservedLeg, WantedChannel } from '../../../engine/interfaces/channel.ts'

const test = suite('mirror of the engine')

const OFFLINE: ObservedLeg = {
  state: SOURCE_STATE.offline,
  connState: CONNECTION_STATE.disconnected,
  kbps: 0,
  livingTimeS: 0,
  reason: 'device-offline'
}
const WANTED: WantedChannel = {
  id: 1,
  name: 'Service',
  enable: true,
  input: { id: 5, name: 'Encoder', kind: 'device', sn: 'A' },
  backups: [{ id: 6, name: 'Spare', kind: 'device', sn: 'B' }],
  outputs: [{ id: 7, name: 'Decoder', protocol: PROTOCOL_DEFAULT, config: { sn: 'C', latency: 200 } }]
}

function mirrorOf(input: ObservedLeg): Mirror {
  const mirror = new Mirror({ onChannelChange() {}, onPortsChange() {} })
  const observed = { ...input, input, backups: [[6, OFFLINE] as const], outputs: [[7, OFFLINE] as const] }
  mirror.update({ channels: [{ id: 1, observed, totals: { input: 0, outputs: [] } }], processCount: 0 } as never)
  return mirror
}

test('a leg whose device is offline says why, as far as the hub knows', () => {
  const { reason, input, backups, outputs } = mirrorOf(OFFLINE).observe(1, WANTED, (sn) =>
    sn === 'B' ? 'device-offline' : `device-${sn === 'A' ? 'updating' : 'login'}`
  )
  assert.deepEqual(
    [reason, input.reason, backups?.get(6)?.reason, outputs.get(7)?.reason],
    ['device-updating', 'device-updating', 'device-offline', 'device-login']
  )
})

test('another reason of the engine stays, and without a hub that knows more the device is offline', () => {
  const silent: ObservedLeg = { ...OFFLINE, reason: 'device-silent' }
  assert.equal(mirrorOf(silent).observe(1, WANTED, () => 'device-updating').input.reason, 'device-silent')
  assert.equal(mirrorOf(OFFLINE).observe(1, WANTED).input.reason, 'device-offline')
})

test.run()
