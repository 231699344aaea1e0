// What a demo device and the hub each show when the hub admits, refuses, rejects or deletes the device.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { acceptDevices, deleteDevices, REGISTRATION_STATE, rejectDevices } from '../../../contract/device/device.ts'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import type { LogType } from '../../../contract/log.ts'
import { setSettings } from '../../../contract/settings.ts'
import { LANGUAGE_COOKIE } from '../../../contract/text/language.ts'
import { registrationText } from '../../../fleet/network/registration-text.ts'
import { createRoster, type RosterEntry } from '../../../fleet/roster.ts'
import { createSimulatedDevice, type SimulatedDevice } from '../../../fleet/simulated-device.ts'
import { helloHeader, openLink } from '../../kit/fleet/link-device.ts'
import { admin, hub, hubForEach } from '../../kit/hub/hub-for-each.ts'
import { helloOf } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('outcomes of a registration')
let folder: string
let port: number
let devices: SimulatedDevice[]

test.after.each(() => {
  for (const device of devices) device.stop()
  rmSync(folder, { recursive: true, force: true })
})
hubForEach(test)
test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registrations-'))
  devices = []
  port = (await hub.listen(0, 0)).linkPort
})

const [ENTRY] = createRoster(1)
assert.ok(ENTRY)
const entry: RosterEntry = ENTRY

/** Starts a demo device. @returns the registration states that it had, each once, and the lines that it logged */
function start(change: Partial<RosterEntry> = {}, seed = 'seed') {
  const states: number[] = []
  const lines: string[] = []
  const device = createSimulatedDevice({
    entry: { ...entry, ...change },
    folder,
    seed,
    hub: { host: '127.0.0.1', port },
    report: ({ registration }) => {
      if (registration !== undefined && registration !== states.at(-1)) states.push(registration)
    },
    log: (text) => lines.push(text),
    timing: { reboot: 150, install: 50 }
  })
  devices.push(device)
  device.start()
  return { states, lines }
}

const logged = async (type: LogType, language: 'en' | 'zh' = 'en') => {
  const response = await admin.raw('GET', `/api/log/list?type=${type}`, {
    headers: { cookie: `${admin.cookie}; ${LANGUAGE_COOKIE}=${language}` }
  })
  const { list } = (await response.json()) as { list: { text: string }[] }
  return list.map(({ text }) => text)
}

test('a device is registering until the hub decides, then pending, accepted and deleted', async () => {
  const { states, lines } = start()
  const { registering, pending, accepted, deleted } = REGISTRATION_STATE
  await until(() => states.at(-1) === pending, 'the device waits for approval')
  await admin.send(acceptDevices, { sn: [entry.sn] })
  await until(() => states.at(-1) === accepted, 'the device is accepted')
  assert.deepEqual(lines, [])
  await admin.send(deleteDevices, { sn: [entry.sn] })
  await until(() => lines.length === 1, 'the device logs that it was deleted')
  assert.deepEqual(states, [registering, pending, accepted, deleted])
  assert.deepEqual(lines, [`${entry.sn} ${entry.name}: deleted from the hub`])
})

test('a device that a user rejects logs it', async () => {
  const { states, lines } = start()
  await until(() => states.at(-1) === REGISTRATION_STATE.pending, 'the device waits for approval')
  await admin.send(rejectDevices, { sn: [entry.sn] })
  await until(() => lines.length === 1, 'the device logs that it was rejected')
  assert.equal(states.at(-1), REGISTRATION_STATE.rejected)
  assert.match(lines[0] ?? '', /rejected by a user of the hub$/)
})

test('a wrong invitation code is logged by the device and by the hub', async () => {
  await admin.send(setSettings, { security: { 'enable-code': true, 'code-value': '0815' } })
  const { states, lines } = start()
  await until(() => lines.length === 1, 'the device logs the refusal')
  assert.deepEqual(states, [REGISTRATION_STATE.registering, REFUSAL_STATE.wrongCode])
  assert.deepEqual(lines, [`${entry.sn} ${entry.name}: refused: wrong invitation code`])
  assert.ok((await logged('device')).includes(`${entry.name} 127.0.0.1 refused: wrong invitation code`))
  assert.ok((await logged('device', 'zh')).includes(`${entry.name} 127.0.0.1 被拒绝接入：邀请码错误`))
})

test('a second device with the same serial number is refused, which both ends log', async () => {
  const first = start()
  await until(() => first.states.at(-1) === REGISTRATION_STATE.pending, 'the first device waits for approval')
  const second = start({ name: 'Copy' }, 'another seed')
  await until(() => second.lines.length === 1, 'the second device logs the refusal')
  assert.equal(second.states.at(-1), REFUSAL_STATE.exists)
  assert.match(second.lines[0] ?? '', /Copy: refused: another device has its serial number$/)
  assert.ok((await logged('device')).includes('Copy 127.0.0.1 refused: another device has its serial number'))
  assert.deepEqual(first.lines, [])
})

test('a device whose model contradicts its serial number is refused, which both ends log, the hub once a minute', async () => {
  const { states, lines } = start({ model: { ...entry.model, family: 1 } })
  await until(() => lines.length === 1, 'the device logs the refusal')
  assert.deepEqual(states, [REGISTRATION_STATE.registering, REFUSAL_STATE.illegalDevice])
  assert.match(lines[0] ?? '', /refused: the hub does not take it for a valid device$/)
  for (let n = 0; n < 20; n++) await openLink(port, { header: helloHeader({ ...helloOf(n), module: 1 }) })
  const refusals = (await logged('system')).filter((text) => text.includes('refused'))
  assert.deepEqual(refusals, ['127.0.0.1 refused: not a valid device'])
})

test('every state has a sentence of its own, and an unknown one its number', () => {
  const states = [...Object.values(REGISTRATION_STATE), ...Object.values(REFUSAL_STATE)]
  const sentences = states.map(registrationText)
  assert.equal(new Set(sentences).size, states.length)
  assert.ok(!sentences.some((text) => text.includes('unknown')))
  assert.equal(registrationText(199), 'unknown state 199')
  assert.equal(registrationText(undefined), '')
})

test.run()
