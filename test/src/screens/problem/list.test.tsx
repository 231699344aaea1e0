import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { VIEWER_PERMISSIONS } from '../../../../contract/access/permissions.ts'
import { UNSUPPORTED, WRITE_FAILED } from '../../../../contract/codes.ts'
import { acceptDevices } from '../../../../contract/device/device.ts'
import { DEVICE_WARNING_BITS } from '../../../../contract/device/status.ts'
import { listProblems } from '../../../../contract/problem.ts'
import { addChannel, addChannelOutputs, enableChannel } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, SOURCE_STATE, SRT } from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'
import { until } from '../../../kit/until.ts'

const test = suite('problems')

hubForEach(test)

const FAILED = { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.refused, kbps: 0, livingTimeS: 0 }

/** A started channel with an output that has failed. @returns the ids of channel and output */
async function addFailingChannel(name: string, isCarrying: boolean): Promise<[channel: number, output: number]> {
  const { id } = await other.send(addChannel, { name })
  const config = { mode: 'caller', 'dst-ip': '192.0.2.30', 'dst-port': 7000 + (id % 1000) } as const
  const output = await other.send(addOutput, { name: `${name} server`, protocol: SRT, config })
  const second = { ...config, 'dst-port': config['dst-port'] + 1000 }
  const good = await other.send(addOutput, { name: `${name} archive`, protocol: SRT, config: second })
  await other.send(addChannelOutputs, { id, outputs: [output.id, good.id] })
  await other.send(enableChannel, { id, enable: true })
  const input = isCarrying ? CARRYING_LEG : FAILED
  setObservedChannel(hub, id, input, { [output.id]: FAILED, [good.id]: input })
  return [id, output.id]
}

const lines = () => [...document.querySelectorAll<HTMLElement>('.problem')]
const lineOf = (name: string) => lines().find((line) => line.querySelector('strong')?.textContent === name)
async function findLine(name: string): Promise<HTMLElement> {
  await until(() => lineOf(name) !== undefined, `the problem ${name}; there are: ${lines().map(visibleText)}`)
  return lineOf(name) as HTMLElement
}

test('problems are listed worst first, each with word, cause and the way to the place where it is mended', async () => {
  const [first = '', second = ''] = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn: [first, second] })
  hub.parts.registry.setOnline(second)
  hub.parts.registry.setObservation(second, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  const [down] = await addFailingChannel('Late', false)
  const [, output] = await addFailingChannel('News', true)
  await openConsole(hub, { at: '/problems' })
  await waitForText(/Down/, await findLine('Late'))
  await waitForText(/Down .*refused/, await findLine('News: News server'))
  await waitForText(/Offline .*offline/, await findLine('Hall 1'))
  await waitForText(/Warning .*No signal/, await findLine('Hall 2'))
  const tones = lines().map((line) => line.dataset.tone)
  assert.deepEqual(tones, ['bad', 'bad', 'warn', 'warn'])
  const hrefOf = async (name: string, link: string) =>
    (await findByRole<HTMLAnchorElement>('link', link, await findLine(name))).hash
  assert.equal(await hrefOf('Late', 'Open channel'), `#/stream/channel/detail/${down}`)
  assert.equal(await hrefOf('News: News server', 'Edit output'), `#/stream/output?key=News+server&edit=${output}`)
  assert.equal(await hrefOf('Hall 1', 'Open device'), `#/device/detail/${first}/0`)
})

test('the link of a failed output opens its dialog', async () => {
  await addFailingChannel('News', true)
  await openConsole(hub, { at: '/problems' })
  const line = await findLine('News: News server')
  await click(await findByRole('link', 'Edit output', line))
  await findByRole('dialog', 'Edit News server')
})

test('a problem disappears when it is mended', async () => {
  const [sn = ''] = registerDevices(hub, 1)
  await other.send(acceptDevices, { sn: [sn] })
  await openConsole(hub, { at: '/problems' })
  await findLine('Hall 1')
  hub.parts.registry.setOnline(sn)
  await waitForText('No problems', document.querySelector('main') as HTMLElement)
})

test('the filters are in the URL', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  await addFailingChannel('Late', false)
  const console = await openConsole(hub, { at: '/problems?kind=device' })
  await findLine('Hall 1')
  assert.equal(lines().length, 1)
  await click(await findByRole('button', 'Acknowledged'))
  await waitForText('No problem matches the filter', document.querySelector('main') as HTMLElement)
  assert.equal(console.currentPath(), '/problems?kind=device&show=acknowledged')
})

test('a list that cannot be loaded says why, and loads on retry', async () => {
  const console = await openConsole(hub, { at: '/profile' })
  console.intercept = (path) => (path.includes('/problem/list') ? Response.json({ result: WRITE_FAILED }) : undefined)
  location.hash = '#/problems'
  const alert = await findByRole('alert', /^Failed to load/)
  console.intercept = () => undefined
  await click(await findByRole('button', 'Retry', alert))
  await waitForText('No problems', document.querySelector('main') as HTMLElement)
})

test('a problem is acknowledged with a note that everyone sees, and that can be withdrawn', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 1) })
  await openConsole(hub, { at: '/problems' })
  await click(await findByRole('button', 'Acknowledge', await findLine('Hall 1')))
  const dialog = await findByRole('dialog', 'Acknowledge Hall 1')
  const note = await findByRole<HTMLInputElement>('textbox', 'Note', dialog)
  await fill(note, 'x'.repeat(201))
  await click(await findByRole('button', 'Acknowledge', dialog))
  await waitForFieldMessage(note, 'At most 200 characters')
  await fill(note, 'In repair until Friday')
  await click(await findByRole('button', 'Acknowledge', dialog))
  await waitForText(/Acknowledged by Admin \d+ s ago ?: In repair until Friday/, await findLine('Hall 1'))
  const { list } = await other.send(listProblems, {})
  assert.deepEqual([list[0]?.ack?.by, list[0]?.ack?.note], ['Admin', 'In repair until Friday'])
  await click(await findByRole('button', 'Not acknowledged'))
  await waitForText('No problem matches the filter')
  await click(await findByRole('button', 'Acknowledged'))
  await click(await findByRole('button', 'Undo', await findLine('Hall 1')))
  await waitForText('No problem matches the filter')
  assert.equal((await other.send(listProblems, {})).list[0]?.ack, undefined)
})

test('all problems that the filters show are acknowledged together', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 3) })
  await addFailingChannel('Late', false)
  await openConsole(hub, { at: '/problems?kind=device' })
  await findLine('Hall 3')
  await click(await findByRole('button', 'Acknowledge all'))
  const dialog = await findByRole('dialog', 'Acknowledge 3 problems')
  await click(await findByRole('button', 'Acknowledge', dialog))
  for (const name of ['Hall 1', 'Hall 2', 'Hall 3']) await waitForText(/Acknowledged by Admin/, await findLine(name))
  await waitForNone('button', 'Acknowledge all')
  const { list } = await other.send(listProblems, {})
  assert.deepEqual(
    list.filter(({ ack }) => !ack).map(({ name }) => name),
    ['Late']
  )
})

test('a user without permission to acknowledge sees no buttons for it', async () => {
  await other.send(acceptDevices, { sn: registerDevices(hub, 2) })
  await addUser(hub, 'one', VIEWER_PERMISSIONS)
  await openConsole(hub, { at: '/problems', user: 'one' })
  const line = await findLine('Hall 1')
  assert.equal(line.querySelector('button, input'), null)
})

test('against a hub that does not list problems they are computed, and cannot be acknowledged', async () => {
  const [offline = '', warning = ''] = registerDevices(hub, 2)
  await other.send(acceptDevices, { sn: [offline, warning] })
  hub.parts.registry.setOnline(warning)
  hub.parts.registry.setObservation(warning, { status: {}, warns: DEVICE_WARNING_BITS.noSignal })
  await addFailingChannel('Late', false)
  await addFailingChannel('News', true)
  const console = await openConsole(hub, { at: '/profile' })
  console.intercept = (path) =>
    path.includes('/problem/list') ? Response.json({ result: UNSUPPORTED }, { status: 404 }) : undefined
  location.hash = '#/problems'
  await waitForText(/Down/, await findLine('Late'))
  await waitForText(/Down .*refused/, await findLine('News: News server'))
  await waitForText(/Warning .*No signal/, await findLine('Hall 2'))
  const line = await findLine('Hall 1')
  await waitForText(/Offline .*offline/, line)
  assert.equal(line.querySelector('button'), null)
})

test('on a phone a button shows the filters', async () => {
  document.documentElement.style.setProperty('--size', 'xxs')
  try {
    await addFailingChannel('News', true)
    await openConsole(hub, { at: '/problems' })
    const line = await findLine('News: News server')
    await waitForNone('combobox', 'Type')
    const problems = line.closest<HTMLElement>('.card') ?? undefined
    await click(await findByRole('button', 'Filters and actions', problems))
    await findByRole('combobox', 'Type', problems)
  } finally {
    document.documentElement.style.removeProperty('--size')
  }
})

test.run()
