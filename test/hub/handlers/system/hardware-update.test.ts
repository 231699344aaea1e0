// The calls for hardware updates, with the demonstration program.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getRevisions } from '../../../../contract/change-feed.ts'
import {
  DEVICE_BUSY,
  IN_PROGRESS,
  NOT_EXIST,
  OFF_AIR,
  SUCCESS,
  UNSUPPORTED,
  WRONG_STATE
} from '../../../../contract/codes.ts'
import {
  cancelHardwareUpdate,
  hardwareUpdateStatus,
  startHardwareUpdate
} from '../../../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../../../contract/installation-state.ts'
import { listLog } from '../../../../contract/log.ts'
import { rebootSystem } from '../../../../contract/machine/power.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { addInput } from '../../../../contract/stream/source.ts'
import {
  CAPTURE_CARD,
  COMPONENT,
  type Demonstration,
  DOWNLOAD,
  HANG,
  print,
  programFolder,
  startDemonstration,
  stateLine,
  writeProgram
} from '../../../kit/hub/hardware-program.ts'
import { admin, hub, hubForEach, replaceHub } from '../../../kit/hub/hub-for-each.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('calls for hardware updates')
programFolder(test)
hubForEach(test)

const { failed, idle, updating, done, download } = INSTALLATION_STATE
const status = () => admin.send(hardwareUpdateStatus, {})

async function useProgram(path: string): Promise<void> {
  await replaceHub({ hardwareUpdate: path })
  await until(async () => (await status()).components.length > 0, 'the components')
}

async function useDemonstration(): Promise<Demonstration> {
  const demonstration = startDemonstration()
  await useProgram(demonstration.path)
  return demonstration
}

/** The oldest line of a log about an event. */
const loggedAs = async (type: 'operation' | 'system', event: string) =>
  (await admin.send(listLog, { type, start: 0, count: 10 })).list.findLast((entry) => entry.event === event)

test('a hub whose image has no program says so', async () => {
  const { result, available, components } = await status()
  assert.deepEqual([result, available, components], [SUCCESS, false, []])
  assert.equal((await admin.send(startHardwareUpdate, {})).result, UNSUPPORTED)
  assert.equal((await admin.send(cancelHardwareUpdate, {})).result, UNSUPPORTED)
})

test('an update is shown with its components, and is logged', async () => {
  const demonstration = await useDemonstration()
  demonstration.holdAt(DOWNLOAD)
  const before = await status()
  assert.deepEqual([before.available, before.state, before.tone, before.text], [true, idle, 'off', 'Idle'])
  assert.deepEqual(before.components[0], {
    id: 'front-panel',
    name: 'Front panel',
    version: '1.3',
    offered: '1.4',
    tone: 'warn',
    text: 'Update available'
  })
  const { revs: revisions } = await admin.send(getRevisions, {})
  assert.equal((await admin.send(startHardwareUpdate, {})).result, SUCCESS)
  assert.equal((await admin.send(startHardwareUpdate, {})).result, IN_PROGRESS)
  await until(async () => (await status()).text === 'Downloading, 0 %', 'the download')
  demonstration.holdAt(CAPTURE_CARD)
  await until(async () => (await status()).text === 'Updating Capture card 1, 50 %', 'the capture card')
  demonstration.release()
  await until(async () => (await status()).state === done, 'the end of the update')
  await demonstration.whenEnded()
  assert.notEqual((await admin.send(getRevisions, {})).revs.status, revisions.status)
  const { components } = await status()
  assert.deepEqual(
    components.map(({ version, text }) => [version, text]),
    [
      ['1.4', 'Needs a reboot to take effect'],
      ['2.1.0', 'Up to date']
    ]
  )
  const names = 'Front panel 1.3 → 1.4, Capture card 1 2.0.3 → 2.1.0'
  assert.equal((await loggedAs('operation', startHardwareUpdate.path))?.detail, names)
  assert.equal((await loggedAs('system', 'hardware-updated'))?.detail, names)
  assert.equal((await admin.send(startHardwareUpdate, {})).result, NOT_EXIST)
})

test('a failure is shown in the language of the request with the words of the program', async () => {
  const demonstration = await useDemonstration()
  demonstration.set('fail')
  await admin.send(startHardwareUpdate, {})
  await until(async () => (await status()).state === failed, 'the failure')
  await demonstration.whenEnded()
  const { 'hardware-fault': fault, cause } = await status()
  assert.equal(fault, 'failed')
  assert.equal(cause, 'The update program reports a failure: Capture card 1: verification failed at block 7')
  const response = await admin.raw('GET', '/api/hardware-update/status', { headers: { 'accept-language': 'zh' } })
  assert.match(await response.text(), /"text":"失败".*"cause":"更新程序报告失败：Capture card 1/)
  assert.equal((await admin.send(cancelHardwareUpdate, {})).result, SUCCESS)
  assert.equal((await status()).state, idle)
  assert.equal((await admin.send(cancelHardwareUpdate, {})).result, NOT_EXIST)
})

test('the program can refuse to cancel, in its own words', async () => {
  const update = `${print(stateLine(download, { progress: 5 }))}; ${HANG}`
  await useProgram(writeProgram({ update, cancel: "echo 'The card is locked' >&2; exit 1" }))
  await admin.send(startHardwareUpdate, {})
  await until(async () => (await status()).state === download, 'the download')
  const { result, message } = await admin.send(cancelHardwareUpdate, {})
  assert.equal(result, WRONG_STATE)
  assert.equal(message, 'The update program ended without a result: The card is locked')
})

test('a component that is being written is not cancelled, and the machine is not restarted', async () => {
  await useProgram(writeProgram({ update: `${print(stateLine(updating, { component: 'capture-1' }))}; ${HANG}` }))
  Object.assign(hub.parts.machine.power, { requirePossible: async () => {} })
  await admin.send(startHardwareUpdate, {})
  await until(async () => (await status()).components[0]?.text === 'Updating', 'the component')
  assert.equal((await admin.send(cancelHardwareUpdate, {})).result, WRONG_STATE)
  const { result, message } = await admin.send(rebootSystem, { force: true })
  assert.deepEqual(
    [result, message],
    [DEVICE_BUSY, 'Reboot busy\nHardware of this machine is being updated. Try again when the update has ended.']
  )
})

for (const [interrupts, isAsked] of [
  ['all', true],
  [[], false]
] as const)
  test(`an update that interrupts ${JSON.stringify(interrupts)} ${isAsked ? 'asks' : 'does not ask'} for a channel on air`, async () => {
    const component = JSON.stringify({ ...JSON.parse(COMPONENT), interrupts })
    await useProgram(writeProgram({ status: print(component, stateLine(idle)), update: print(stateLine(done)) }))
    const { id } = await admin.send(addChannel, { name: 'Hall' })
    const config = { type: 1, url: 'rtmp://192.0.2.20/live/hall' } as const
    await admin.send(setChannelInput, { id, input: (await admin.send(addInput, { name: 'In', config })).id })
    await admin.send(enableChannel, { id, enable: true })
    setObservedChannel(hub, id, CARRYING_LEG)
    const response = await admin.send(startHardwareUpdate, { 'dry-run': 'if-off-air' })
    assert.equal(response.result, isAsked ? OFF_AIR : SUCCESS)
    assert.deepEqual(
      response['off-air']?.map(({ name, effect }) => [name, effect]),
      isAsked ? [['Hall', 'restarts']] : undefined
    )
    assert.equal(await loggedAs('operation', startHardwareUpdate.path).then(Boolean), !isAsked)
  })

test.run()
