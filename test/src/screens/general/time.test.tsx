// The clock on the page of the general settings. In manage mode the services of the machine are replaced: they would
// set its clock.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { SetTimeRequest, TimeStatus } from '../../../../contract/machine/time.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { $time } from '../../../../src/screens/general/store.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  clickWhenFree,
  fill,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { until } from '../../../kit/until.ts'

const test = suite('clock in the general settings')

hubForEach(test)

const textbox = (name: string) => findByRole<HTMLInputElement>('textbox', name)

/** Saves a card, the only one with changes. */
async function save(card: string): Promise<void> {
  await waitForText(`Not saved: ${card}`)
  await clickWhenFree('Save')
}

const SYNCHRONISED: TimeStatus = {
  time: 0,
  zone: 'Asia/Shanghai',
  access: { machine: 'manage' },
  sync: {
    access: { machine: 'manage' },
    state: 'synchronised',
    enabled: true,
    offset: -0.0042,
    'last-update': Date.now() - 8000,
    servers: ['ntp.example'],
    sources: [
      {
        ...{ name: 'ntp.example', 'set-here': true, state: 'selected', stratum: 2, reach: 0b1110_1111 },
        ...{ 'last-answer-s': 12, offset: 0.000231, error: 0.0031 }
      },
      { name: '192.0.2.9', 'set-here': false, state: 'unreachable', reach: 0 }
    ]
  }
}

/** Replaces the clock of the machine. @returns the requests to change it, which `status` does not follow by itself */
function replaceClock(status: TimeStatus, aheadMs = 0): SetTimeRequest[] {
  const requests: SetTimeRequest[] = []
  Object.assign(hub.parts.machine, {
    time: {
      read: async () => ({ ...status, time: Date.now() + aheadMs }),
      set: async (request: SetTimeRequest) => void requests.push(request)
    }
  })
  return requests
}

test('in view mode the clock is shown beside that of the browser, with the sentence and without forms', async () => {
  await openConsole(hub, { at: ROUTES.general })
  await findByRole('heading', 'Time')
  await waitForText('Difference Less than 2 s')
  const [card, ...others] = document.querySelectorAll('.card:has(pre)')
  await waitForText('Host name Time zone of the hub Synchronization', card as HTMLElement)
  assert.deepEqual(others, [], 'one card for one cause')
  assert.equal(queryAllByRole('heading', 'Time zone of the hub').length, 0)
  assert.equal(queryAllByRole('heading', 'Set the clock').length, 0)
})

test('each time server is shown with reachability, stratum, offset and the age of its last answer', async () => {
  replaceClock(SYNCHRONISED)
  await openConsole(hub, { at: ROUTES.general })
  await waitForText('Synchronized')
  await waitForText('4.2 ms behind the time servers')
  await waitForText('7 of the last 8 requests answered · stratum 2 · +231 µs ± 3.1 ms')
  await waitForText(/last answer 1[2-6] s ago/)
  await waitForText('Not usable No answer yet · 0 of the last 8 requests answered · set on the machine')
  assert.equal(queryAllByRole('heading', 'Set the clock').length, 0, 'a clock that is synchronised is not set by hand')
})

test('a clock that is not synchronised is never shown as good', async () => {
  replaceClock(SYNCHRONISED)
  await openConsole(hub, { at: ROUTES.general })
  await waitForText('In use')
  for (const [state, text] of [
    ['waiting', 'no useful answer from a time server yet'],
    ['lost', 'the time servers do not answer'],
    ['off', 'the clock is not synchronized'],
    ['unknown', 'chrony does not answer'],
    ['correcting', 'Being corrected']
  ] as const) {
    replaceClock({ ...SYNCHRONISED, sync: { ...SYNCHRONISED.sync, state, sources: [] } })
    await $time.refresh()
    await waitForText(text)
    const card = (await findByRole('heading', 'Time')).closest('.card') as HTMLElement
    assert.equal(card.querySelectorAll('[data-tone="good"]').length, 0, state)
  }
})

test('two time servers must differ; they are saved with the switch', async () => {
  const requests = replaceClock(SYNCHRONISED)
  await openConsole(hub, { at: ROUTES.general })
  await fill(await textbox('Time server 2'), 'NTP.example')
  await save('Synchronization')
  await waitForText('Must differ from the other entry')
  assert.deepEqual(requests, [])
  await fill(await textbox('Time server 2'), '192.0.2.1')
  await save('Synchronization')
  await waitForText('Settings saved')
  assert.deepEqual(requests, [{ sync: true, server1: 'ntp.example', server2: '192.0.2.1' }])
})

test('with the synchronisation off the clock is set by hand or to that of the browser, which is beside the hub’s', async () => {
  const sync = { ...SYNCHRONISED.sync, state: 'off' as const, enabled: false, sources: [] }
  const requests = replaceClock({ ...SYNCHRONISED, sync }, -200_000)
  await openConsole(hub, { at: ROUTES.general })
  await waitForText('The hub is 3 min 20 s behind')
  const before = Date.now()
  await click(await findByRole('button', 'Use the time of this browser'))
  await waitForText('Clock set')
  assert.ok(Math.abs((requests[0]?.time ?? 0) - before) < 5000)
  const field = document.querySelector('input[type=datetime-local]') as HTMLInputElement
  await fill(field, '2026-03-01T09:30')
  await save('Set the clock')
  await until(() => requests.length === 2, 'the second request')
  assert.equal(requests[1]?.time, new Date('2026-03-01T09:30').getTime())
  await until(() => field.value === '', 'an empty field')
})

test('a part that is not set up has a card with the reason and the command, in place of its form', async () => {
  const access = {
    machine: 'manage',
    reason: 'chrony is not installed on the hub.',
    'next-step': 'Install it: sudo apt-get install -y chrony',
    command: 'sudo apt-get install -y chrony'
  } as const
  const { enabled: _, ...sync } = SYNCHRONISED.sync
  replaceClock({ ...SYNCHRONISED, sync: { ...sync, access: { ...access, package: 'chrony' }, state: 'unknown' } })
  await openConsole(hub, { at: ROUTES.general })
  await waitForText('chrony is not installed on the hub.')
  // The other card is about the host name: the hub of the test is in view mode.
  const card = [...document.querySelectorAll<HTMLElement>('.card:has(pre)')].at(-1)
  assert.ok(card)
  await waitForText(
    'Synchronization chrony is not installed on the hub. Install it: sudo apt-get install -y chrony',
    card
  )
  assert.ok(!visibleText(card).includes('Time zone of the hub'), 'the zone can be set')
  await findByRole('button', 'Copy', card)
  await findByRole('combobox', 'Time zone')
  await waitForNone('textbox', 'Time server 1')
  await waitForNone('heading', 'Set the clock')
})

test.run()
