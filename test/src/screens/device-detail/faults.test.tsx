// Errors and warnings that a device reports, from demo devices that fail so, through the hub, to the sentence on the
// page of the device.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../../contract/codes.ts'
import { rebootDevices, startLive, startRecording, stopLive } from '../../../../contract/device/action.ts'
import { LIVE_ERRORS, QUICK_STREAM_ERRORS } from '../../../../contract/device/live.ts'
import { RECORDING_ERRORS } from '../../../../contract/device/recording.ts'
import { ACTION_ERROR_SENTENCES } from '../../../../contract/text/error-sentences.ts'
import { FAULTS } from '../../../../fleet/apis/faults.ts'
import type { Behaviour } from '../../../../fleet/behaviour.ts'
import { linkTo } from '../../../../src/paths.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { type SimulatedFleet, startSimulatedFleet } from '../../../kit/fleet/simulated-fleet.ts'

const test = suite('faults of devices')
let fleet: SimulatedFleet
// Closes the devices before the hub.
test.after.each(async () => {
  await closeConsole()
  fleet.close()
})
hubForEach(test, { actions: { response: 3000, poll: 3000 } })
test.before.each(async () => {
  fleet = await startSimulatedFleet(hub, other)
})

type Error = keyof typeof ACTION_ERROR_SENTENCES
type Row = readonly [behaviour: Behaviour, error: Error]

const openPage = (sn: string) => openConsole(hub, { at: linkTo('deviceDetail', { sn, catalog: '0' }) })

/** Reads the messages on the screen away. */
async function dismissMessages(): Promise<void> {
  for (const button of queryAllByRole('button', 'Dismiss')) await click(button)
  await waitForNone('button', 'Dismiss')
}

const seen = new Set<Error>()

/** Puts a device into each fault and presses a button: its page shows the sentence of the error and what to do. */
async function assertRefusals(sn: string, button: string, rows: readonly Row[]): Promise<void> {
  for (const [behaviour, error] of rows) {
    fleet.device(sn).applyCommand(behaviour)
    await hub.parts.actions.pollNow(sn)
    await clickWhenFree(button)
    for (const [sentence] of ACTION_ERROR_SENTENCES[error]) await waitForText(sentence, await findByRole('alert'))
    // A code of the device is not explained by the last change of the device in the hub, which has a date.
    assert.doesNotMatch(visibleText(await findByRole('alert')), /\b20\d\d\b/)
    await dismissMessages()
    seen.add(error)
  }
  fleet.device(sn).applyCommand('normal')
  await hub.parts.actions.pollNow(sn)
}

const STORAGE_ROWS: readonly Row[] = [
  ['usb-lost', 'usb-lost'],
  ['usb-missing', 'usb-missing'],
  ['usb-full', 'usb-full'],
  ['slow-writes', 'slow-writes'],
  ['read-only', 'read-only'],
  ['full', 'storage-full'],
  ['storage-missing', 'storage-missing'],
  ['system-busy', 'system-busy'],
  ['no-signal', 'no-signal'],
  ['operation-running', 'operation-running']
]
const LIVE_ROWS: readonly Row[] = [
  ['bad-settings', 'bad-settings'],
  ['codec-error', 'codec-error'],
  ['no-signal', 'no-signal'],
  ['live-locked', 'locked'],
  ['network-down', 'network-down'],
  ['test-running', 'test-running'],
  ['operation-running', 'operation-running']
]

test('a recording or live stream that an Ultra Encode refuses is explained', async () => {
  const sn = await fleet.add('encodeAio')
  await openPage(sn)
  await assertRefusals(sn, 'Start recording', STORAGE_ROWS)
  await assertRefusals(sn, 'Start streaming', LIVE_ROWS)
})

test('a recording or Quick Stream that a Director refuses is explained', async () => {
  const sn = await fleet.add('directorMini')
  await openPage(sn)
  await assertRefusals(sn, 'Start recording', [
    ...STORAGE_ROWS,
    ['ndi-limit', 'ndi-limit'],
    ['ndi-no-signal', 'ndi-no-signal'],
    ['full-ndi', 'full-ndi-unsupported']
  ])
  await assertRefusals(sn, 'Start streaming', [
    ...LIVE_ROWS,
    ['none-configured', 'none-configured'],
    ['too-many', 'too-many']
  ])
  await other.send(startLive, { sn: [sn] })
  await assertRefusals(sn, 'Stop streaming', [
    ['none-active', 'none-active'],
    ['operation-running', 'operation-running'],
    ['test-running', 'test-running']
  ])
})

test('every error of recordings, live streams and Quick Stream was seen', () => {
  const all = [...RECORDING_ERRORS, ...LIVE_ERRORS, ...QUICK_STREAM_ERRORS].filter((error) => error !== 'rebooting')
  assert.deepEqual(
    all.filter((error) => !seen.has(error)),
    []
  )
})

test('a device of each generation that is already about to reboot says so', async () => {
  for (const model of ['encodeHdmi', 'hdmiToNdi', 'xmit'] as const) {
    const sn = await fleet.add(model)
    fleet.device(sn).applyCommand('rebooting')
    const { message } = await other.send(rebootDevices, { sn: [sn] })
    assert.equal(message, 'Busy: the device is rebooting\nTry again in a moment.', model)
  }
})

test('a fault without a code of the generation does not make a call fail', async () => {
  const sn = await fleet.add('encodeAio')
  for (const behaviour of ['ndi-limit', 'too-many', 'none-active'] as const) {
    assert.ok(!('usapi' in FAULTS[behaviour]))
    fleet.device(sn).applyCommand(behaviour)
    for (const call of [startRecording, startLive, stopLive])
      assert.equal((await other.send(call, { sn: [sn] })).result, SUCCESS, behaviour)
  }
})

test('a recording that ends because the drive is removed is shown with its cause, on each generation', async () => {
  for (const model of ['streamHdmi', 'encodeAio', 'directorMini'] as const) {
    const sn = await fleet.add(model)
    assert.equal((await other.send(startRecording, { sn: [sn] })).result, SUCCESS)
    fleet.device(sn).applyCommand('usb-lost')
    await hub.parts.actions.pollNow(sn)
    await openPage(sn)
    await waitForText('The USB drive was removed', await findByRole('article', 'Recording and streaming'))
    await closeConsole()
  }
})

test.run()
