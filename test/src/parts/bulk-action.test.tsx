import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { CLIENT_OFFLINE, DEVICE_TYPE_ERROR, NOT_EXIST, OFF_AIR, SUCCESS } from '../../../contract/codes.ts'
import type { ActionResult } from '../../../contract/device/action.ts'
import { runBulk } from '../../../src/parts/bulk-action.ts'
import type { BulkJob } from '../../../src/parts/bulk-run.ts'
import { $toasts } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import * as OUTCOME from '../../../src/text/outcomes.ts'
import { responseLines } from '../../../src/text/response-message.ts'
import { closeDialogs, DialogHost } from '../../../src/ui/dialog/dialog-host.tsx'
import { mount } from '../../kit/console/mount.ts'
import {
  click,
  findByRole,
  nameOf,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForRender,
  waitForText
} from '../../kit/console/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('bulk action')

interface SentCall {
  sn: string[]
  answer: (answer: Envelope & { details?: ActionResult[] }) => Promise<void>
}

let calls: SentCall[] = []

test.before.each(() => {
  setLanguage('en')
  $toasts.set([])
  calls = []
})

const serials = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `SN${from + index}`)

/** Starts a job for devices 1 to `count`. Its calls wait in `calls` for their replies. */
function startJob(count: number, options: Partial<BulkJob> = {}): Promise<boolean> {
  mount(<DialogHost />)
  return runBulk({
    title: 'Reboot',
    outcome: OUTCOME.rebooting,
    batchSize: 20,
    devices: serials(count).map((sn) => ({ sn, name: `Hall ${sn.slice(2)}` })),
    sendBatch: (sn) =>
      new Promise((resolve) => {
        calls.push({
          sn,
          async answer(answer) {
            resolve(answer)
            await waitForRender()
          }
        })
      }),
    ...options
  })
}

/** Replies to a call with a result for each of its devices. */
const replyForEach = ({ sn, answer }: SentCall, resultOf: (sn: string) => Partial<ActionResult>) =>
  answer({ result: SUCCESS, details: sn.map((serial) => ({ sn: serial, result: SUCCESS, ...resultOf(serial) })) })
const succeed = (call: SentCall | undefined) => call && replyForEach(call, () => ({ result: SUCCESS }))
const dialog = () => findByRole('dialog', 'Reboot')
async function closeDialog(progress: HTMLElement): Promise<void> {
  await click(queryAllByRole('button', 'Close', progress).at(-1) as HTMLElement)
  await waitForNone('dialog')
}
const toasts = () => $toasts.get().map(({ response }) => response.result)

test('the result of a single device is shown as a notification', async () => {
  const job = startJob(1)
  await calls[0]?.answer({ result: CLIENT_OFFLINE, details: [{ sn: 'SN1', result: CLIENT_OFFLINE }] })
  assert.equal(await job, false)
  assert.deepEqual(toasts(), [10007])
  assert.equal(queryAllByRole('dialog').length, 0)
})

test('a message of the hub for a device is shown as it is', async () => {
  const job = startJob(1)
  await calls[0]?.answer({
    result: -9,
    api: 'usapi',
    message: 'No USB drive\nConnect a USB drive.',
    details: [
      { sn: 'SN1', result: -9, api: 'usapi', reason: 'usb-missing', message: 'No USB drive\nConnect a USB drive.' }
    ]
  })
  assert.equal(await job, false)
  const [toast] = $toasts.get()
  assert.deepEqual(responseLines(toast?.response ?? { result: SUCCESS }), ['No USB drive', 'Connect a USB drive.'])
})

test('devices are sent in batches, two calls at a time', async () => {
  const job = startJob(50)
  assert.deepEqual(
    calls.map(({ sn }) => sn),
    [serials(20), serials(20, 21)]
  )
  await succeed(calls[1])
  assert.equal(calls.length, 3)
  assert.deepEqual(calls[2]?.sn, serials(10, 41))
  await succeed(calls[0])
  await succeed(calls[2])
  assert.equal(await job, true)
  assert.equal(calls.length, 3)
  assert.deepEqual(toasts(), [0])
  assert.equal(queryAllByRole('dialog').length, 0)
})

test('channels that go off air are asked about, once for each batch, and the progress waits', async () => {
  const job = startJob(21)
  const refuse = (call: SentCall | undefined, name: string) =>
    call?.answer({
      result: OFF_AIR,
      'off-air': [{ id: 1, name, effect: 'restarts', outputs: ['CDN'], viewers: 3 }]
    })
  await refuse(calls[0], 'News')
  await refuse(calls[1], 'Sport')
  const question = await findByRole('dialog', 'Channels are interrupted')
  await waitForText('News is interrupted, and continues. Outputs: CDN. Viewers: 3.', question)
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForText('Sport is interrupted, and continues. Outputs: CDN. Viewers: 3.')
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'Channels are interrupted')))
  await until(() => calls.length === 3, 'the first batch is sent again')
  assert.deepEqual(calls[2]?.sn, serials(20))
  await succeed(calls[2])
  assert.equal(await job, false)
  const progress = await dialog()
  await waitForText('20 of 21 done, 1 failed', progress)
  await waitForText('Cancelled', await findByRole('row', 'Hall 21', progress))
  await closeDialog(progress)
})

test('a slow bulk action shows its progress, and closes when all devices succeeded', async () => {
  const job = startJob(3)
  const progress = await dialog()
  await waitForText('0 of 3 done, 0 failed', progress)
  await waitForText('In progress', await findByRole('row', 'Hall 2', progress))
  await succeed(calls[0])
  assert.equal(await job, true)
  await waitForNone('dialog')
  assert.deepEqual(toasts(), [0])
})

test('failed devices are listed first with their reasons, and only they are retried', async () => {
  const job = startJob(4)
  const results: Record<string, Partial<ActionResult>> = {
    SN2: { result: CLIENT_OFFLINE },
    SN4: { result: -12, api: 'usapi', message: 'The operation timed out\nLook before you try again.' }
  }
  const [call] = calls
  assert.ok(call)
  await replyForEach(call, (sn) => results[sn] ?? {})
  assert.equal(await job, false)
  const progress = await dialog()
  await waitForText('2 of 4 done, 2 failed', progress)
  assert.deepEqual(queryAllByRole('row', undefined, progress).map(nameOf), ['Hall 2', 'Hall 4', 'Hall 1', 'Hall 3'])
  await waitForText('The device is offline', await findByRole('row', 'Hall 2', progress))
  await waitForText('The operation timed out', await findByRole('row', 'Hall 4', progress))
  await waitForText('Done', await findByRole('row', 'Hall 1', progress))
  assert.deepEqual(toasts(), [])
  await click(await findByRole('button', 'Retry failed', progress))
  assert.deepEqual(calls[1]?.sn, ['SN2', 'SN4'])
  await succeed(calls[1])
  await waitForNone('dialog')
  assert.deepEqual(toasts(), [0])
})

test('a failure that another attempt cannot mend is not retried', async () => {
  const job = startJob(3)
  const results: Record<string, Partial<ActionResult>> = {
    SN1: { result: DEVICE_TYPE_ERROR },
    SN2: { result: CLIENT_OFFLINE }
  }
  const [call] = calls
  assert.ok(call)
  await replyForEach(call, (sn) => results[sn] ?? {})
  assert.equal(await job, false)
  const progress = await dialog()
  await click(await findByRole('button', 'Retry failed', progress))
  assert.deepEqual(calls[1]?.sn, ['SN2'])
  await succeed(calls[1])
  await waitForText('2 of 3 done, 1 failed', progress)
  assert.equal(queryAllByRole('button', 'Retry failed', progress).length, 0)
  await closeDialog(progress)
})

test('progress closed by navigation opens again when a device failed', async () => {
  const job = startJob(2)
  await dialog()
  closeDialogs()
  await waitForNone('dialog')
  const [call] = calls
  assert.ok(call)
  await replyForEach(call, (sn) => (sn === 'SN1' ? { result: CLIENT_OFFLINE } : {}))
  assert.equal(await job, false)
  const reopened = await dialog()
  await waitForText('1 of 2 done, 1 failed', reopened)
  await closeDialog(reopened)
})

test('waiting devices are cancelled, running ones are awaited, and the rest can be retried', async () => {
  const job = startJob(50)
  const progress = await dialog()
  await click(await findByRole('button', 'Cancel the rest', progress))
  await succeed(calls[0])
  await succeed(calls[1])
  assert.equal(await job, false)
  assert.equal(calls.length, 2)
  await waitForText('40 of 50 done, 10 failed', progress)
  await waitForText('Cancelled', await findByRole('row', 'Hall 50', progress))
  await click(await findByRole('button', 'Retry failed', progress))
  assert.deepEqual(calls[2]?.sn, serials(10, 41))
  await succeed(calls[2])
  await waitForNone('dialog')
})

test('a reply without details applies to all devices; a deleted device does not fail the others', async () => {
  const job = startJob(3)
  await calls[0]?.answer({ result: NOT_EXIST })
  for (const [index, result] of [0, 16, 0].entries()) {
    await until(() => calls.length === index + 2, 'the next one')
    assert.deepEqual(calls[index + 1]?.sn, [`SN${index + 1}`])
    await calls[index + 1]?.answer({ result })
  }
  assert.equal(await job, false)
  const progress = await dialog()
  await waitForText('2 of 3 done, 1 failed', progress)
  await waitForText('has been deleted by another user', await findByRole('row', 'Hall 2', progress))
  await closeDialog(progress)
})

test('a call without a response is shown as failed for each of its devices', async () => {
  const job = startJob(2)
  await calls[0]?.answer({ result: -90001 })
  assert.equal(await job, false)
  const progress = await dialog()
  await until(
    () => visibleText(progress).split('Cannot connect to server').length === 3,
    'both devices show the failure'
  )
  await closeDialog(progress)
})

test.run()
