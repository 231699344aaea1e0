import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import type { ActionResult } from '../../../contract/device/action.ts'
import { type Job, onMany } from '../../../src/parts/bulk-action.tsx'
import { $toasts } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { answerText } from '../../../src/text/response-message.ts'
import { closeDialogs, DialogHost } from '../../../src/ui/dialog/dialog-host.tsx'
import { mount } from '../../kit/mount.ts'
import { all, click, drawn, nameOf, none, one, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('many')

interface Made {
  sn: string[]
  answer: (answer: Envelope & { details?: ActionResult[] }) => Promise<void>
}

let made: Made[] = []

test.before.each(() => {
  setLanguage('en')
  $toasts.set([])
  made = []
})

const serials = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `SN${from + index}`)

/** Begins a job on devices 1 to `count`, whose calls wait in `made` for their answers. */
function begin(count: number, more: Partial<Job> = {}): Promise<boolean> {
  mount(<DialogHost />)
  return onMany({
    title: 'Reboot',
    batch: 20,
    devices: serials(count).map((sn) => ({ sn, name: `Hall ${sn.slice(2)}` })),
    make: (sn) =>
      new Promise((resolve) => {
        made.push({
          sn,
          async answer(answer) {
            resolve(answer)
            await drawn()
          }
        })
      }),
    ...more
  })
}

/** Answers each device of a call with what `resultOf` says. */
const each = ({ sn, answer }: Made, resultOf: (sn: string) => Partial<ActionResult>) =>
  answer({ result: 0, details: sn.map((one) => ({ sn: one, result: 0, ...resultOf(one) })) })
const well = (call: Made | undefined) => call && each(call, () => ({ result: 0 }))
const dialog = () => one('dialog', 'Reboot')
async function shut(shown: HTMLElement): Promise<void> {
  await click(all('button', 'Close', shown).at(-1) as HTMLElement)
  await none('dialog')
}
const toasts = () => $toasts.get().map(({ answer }) => answer.result)

test('one device is told of as any other call is', async () => {
  const done = begin(1)
  await made[0]?.answer({ result: 10007, details: [{ sn: 'SN1', result: 10007 }] })
  assert.equal(await done, false)
  assert.deepEqual(toasts(), [10007])
  assert.equal(all('dialog').length, 0)
})

test('what the hub says of a code of a device is what is said', async () => {
  const done = begin(1)
  await made[0]?.answer({
    result: -9,
    api: 'usapi',
    message: 'No USB drive\nPlug one in.',
    details: [{ sn: 'SN1', result: -9, api: 'usapi', reason: 'usb-missing', message: 'No USB drive\nPlug one in.' }]
  })
  assert.equal(await done, false)
  const [toast] = $toasts.get()
  assert.deepEqual(answerText(toast?.answer ?? { result: 0 }), ['No USB drive', 'Plug one in.'])
})

test('many go in batches, two at a time', async () => {
  const done = begin(50)
  assert.deepEqual(
    made.map(({ sn }) => sn),
    [serials(20), serials(20, 21)]
  )
  await well(made[1])
  assert.equal(made.length, 3)
  assert.deepEqual(made[2]?.sn, serials(10, 41))
  await well(made[0])
  await well(made[2])
  assert.equal(await done, true)
  assert.equal(made.length, 3)
  assert.deepEqual(toasts(), [0])
  assert.equal(all('dialog').length, 0)
})

test('what takes a while shows how far it is, and goes by itself when all went well', async () => {
  const done = begin(3)
  const shown = await dialog()
  await says('0 of 3 done, 0 not', shown)
  await says('Under way', await one('row', 'Hall 2', shown))
  await well(made[0])
  assert.equal(await done, true)
  await none('dialog')
  assert.deepEqual(toasts(), [0])
})

test('what failed stands first, with the reason of each, and only that is tried again', async () => {
  const done = begin(4)
  const results: Record<string, Partial<ActionResult>> = {
    SN2: { result: 10007 },
    SN4: { result: -12, api: 'usapi', message: 'The operation timed out\nLook before you try again.' }
  }
  const [call] = made
  assert.ok(call)
  await each(call, (sn) => results[sn] ?? {})
  assert.equal(await done, false)
  const shown = await dialog()
  await says('2 of 4 done, 2 not', shown)
  assert.deepEqual(all('row', undefined, shown).map(nameOf), ['Hall 2', 'Hall 4', 'Hall 1', 'Hall 3'])
  await says('The device is offline', await one('row', 'Hall 2', shown))
  await says('The operation timed out', await one('row', 'Hall 4', shown))
  await says('Done', await one('row', 'Hall 1', shown))
  assert.deepEqual(toasts(), [])
  await click(await one('button', 'Retry failed', shown))
  assert.deepEqual(made[1]?.sn, ['SN2', 'SN4'])
  await well(made[1])
  await none('dialog')
  assert.deepEqual(toasts(), [0])
})

test('what goes with its page comes again where something failed', async () => {
  const done = begin(2)
  await dialog()
  closeDialogs()
  await none('dialog')
  const [call] = made
  assert.ok(call)
  await each(call, (sn) => (sn === 'SN1' ? { result: 10007 } : {}))
  assert.equal(await done, false)
  const again = await dialog()
  await says('1 of 2 done, 1 not', again)
  await shut(again)
})

test('what has not begun is cancelled, what has is awaited, and the rest can be done later', async () => {
  const done = begin(50)
  const shown = await dialog()
  await click(await one('button', 'Cancel the rest', shown))
  await well(made[0])
  await well(made[1])
  assert.equal(await done, false)
  assert.equal(made.length, 2)
  await says('40 of 50 done, 10 not', shown)
  await says('Cancelled', await one('row', 'Hall 50', shown))
  await click(await one('button', 'Retry failed', shown))
  assert.deepEqual(made[2]?.sn, serials(10, 41))
  await well(made[2])
  await none('dialog')
})

test('an answer without details goes for all; a device that is gone does not keep the others from it', async () => {
  const done = begin(3)
  await made[0]?.answer({ result: 16 })
  for (const [index, result] of [0, 16, 0].entries()) {
    await until(() => made.length === index + 2, 'the next one')
    assert.deepEqual(made[index + 1]?.sn, [`SN${index + 1}`])
    await made[index + 1]?.answer({ result })
  }
  assert.equal(await done, false)
  const shown = await dialog()
  await says('2 of 3 done, 1 not', shown)
  await says('has been deleted by another user', await one('row', 'Hall 2', shown))
  await shut(shown)
})

test('a call that was not answered says so of all of its devices', async () => {
  const done = begin(2)
  await made[0]?.answer({ result: -90001 })
  assert.equal(await done, false)
  const shown = await dialog()
  await until(() => words(shown).split('Cannot connect to server').length === 3, 'both say so')
  await shut(shown)
})

test.run()
