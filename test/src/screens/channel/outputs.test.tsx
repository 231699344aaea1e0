// Outputs on the page of a channel, each with its own switch; QR codes of their URLs; the audio level of the input.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/access/permissions.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { FREE_LIMITS } from '../../../../contract/license/license.ts'
import {
  addChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, HTTP, RTMP, RTSP, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import { $lastResponseAt } from '../../../../src/link/fetch-json.ts'
import { linkTo } from '../../../../src/paths.ts'
import { currentLink } from '../../../../src/state/location.ts'
import {
  addRtmpInput,
  addSrtOutput,
  channelForEach,
  channelId,
  fetchChannel,
  findCard,
  openChannelPage,
  setObserved
} from '../../../kit/console/channel-page.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  recordClipboard,
  selectOption,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { readQr } from '../../../kit/console/read-qr.ts'
import { findForm } from '../../../kit/console/source-list.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel outputs')

channelForEach(test)

async function addStudioInput(): Promise<void> {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
}
const outputSwitch = async (name: string) => findByRole<HTMLInputElement>('checkbox', name, await findCard('Outputs'))
const enabledOutputs = async () => (await fetchChannel()).outputs.list.map(({ enable }) => enable)

test('a single output is switched off and on, and the switch shows the state of the hub', async () => {
  const first = await addSrtOutput('Foyer', 9001)
  await addSrtOutput('Hall', 9002)
  await other.send(enableChannel, { id: channelId, enable: true })
  await openChannelPage()
  const foyer = await outputSwitch('Foyer')
  assert.equal(foyer.getAttribute('role'), 'switch')
  assert.equal(foyer.checked, true)
  await click(foyer)
  await until(() => !foyer.checked, 'it is off')
  assert.deepEqual(await enabledOutputs(), [false, true])
  await waitForText('Foyer Stopped', await findCard('Outputs'))
  const limits = (count: number) =>
    hub.parts.store.settings.set('license-limits', { ...FREE_LIMITS, 'max-output-count': count })
  limits(1)
  await click(foyer)
  await waitForText(/license allows 1/)
  assert.deepEqual([foyer.checked, await enabledOutputs()], [false, [false, true]])
  const add = await findByRole('button', 'Add output')
  await until(() => add.dataset.tip === 'Active outputs: 1, the license allows 1', 'the reason at the button')
  assert.equal(add.getAttribute('aria-disabled'), 'true')
  assert.equal(foyer.parentElement?.dataset.tip, 'Active outputs: 1, the license allows 1')
  limits(2)
  await other.send(enableChannelOutputs, { id: channelId, outputs: [first], enable: true })
  await until(() => foyer.checked, 'the switch is on')
})

test('a live output is switched off after a confirmation', async () => {
  await addStudioInput()
  const output = await addSrtOutput('Foyer', 9001)
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved(CARRYING_LEG, { [output]: CARRYING_LEG })
  await openChannelPage()
  await waitForText('4.2 Mbps', await findCard('Outputs'))
  await click(await outputSwitch('Foyer'))
  const question = await findByRole('dialog', 'Channels are interrupted')
  await waitForText('News stays on air, but receivers are disconnected. Outputs: Foyer.', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.deepEqual([(await outputSwitch('Foyer')).checked, await enabledOutputs()], [true, [true]])
  await click(await outputSwitch('Foyer'))
  await click(await findByRole('button', 'Proceed anyway', await findByRole('dialog')))
  await waitForText('Foyer stopped')
  assert.deepEqual(await enabledOutputs(), [false])
})

test('a user without permission to control channels sees the switches disabled, with the reason', async () => {
  await addSrtOutput('Foyer', 9001)
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openChannelPage('viewer')
  const foyer = await outputSwitch('Foyer')
  assert.deepEqual([foyer.checked, foyer.disabled], [true, true])
  assert.equal(foyer.closest('[data-tip]')?.getAttribute('data-tip'), 'You do not have operation permission')
})

test('an output shows its number of clients, and the next step when it fails', async () => {
  await addStudioInput()
  const [foyer, hall] = [await addSrtOutput('Foyer', 9001), await addSrtOutput('Hall', 9002)]
  await other.send(enableChannel, { id: channelId, enable: true })
  const failed = {
    ...CARRYING_LEG,
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.notAuthorized,
    reason: 'wrong-passphrase'
  } as const
  setObserved(CARRYING_LEG, { [foyer]: { ...CARRYING_LEG, clientNum: 3 }, [hall]: failed })
  await openChannelPage()
  await waitForText('3 connected', await findCard('Outputs'))
  await waitForText('Set the same passphrase at the caller.', await findCard('Outputs'))
})

/** Installs an IntersectionObserver whose result the test sets for all observed elements. */
function installObserver(): { scroll(visible: boolean): void } {
  const observers = new Set<(visible: boolean) => void>()
  class Observer {
    #notify: (visible: boolean) => void
    constructor(callback: IntersectionObserverCallback) {
      this.#notify = (isIntersecting) =>
        callback([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver)
    }
    observe() {
      observers.add(this.#notify)
      this.#notify(true)
    }
    disconnect() {
      observers.delete(this.#notify)
    }
  }
  Object.assign(globalThis, { IntersectionObserver: Observer })
  return {
    scroll(visible) {
      for (const observer of observers) observer(visible)
    }
  }
}

test('an output to a service is named after it, unless the user has named it', async () => {
  await openChannelPage()
  await click(await findByRole('button', 'Add output', await findCard('Outputs')))
  const { field, list, write } = await findForm(/^Add output/, 'Add output')
  const name = async () => (await field('Name')).value
  const channel = (await fetchChannel()).name
  assert.equal(await name(), `${channel} 1`)
  await selectOption(await list('Destination'), 'YouTube')
  assert.equal(await name(), `${channel} YouTube`)
  await selectOption(await list('Destination'), 'Facebook Live')
  assert.equal(await name(), `${channel} Facebook Live`)
  await write({ Name: 'Sunday' })
  await selectOption(await list('Destination'), 'YouTube')
  assert.equal(await name(), 'Sunday')
})

test('the audio level is requested and shown only while it is on screen', async () => {
  await addStudioInput()
  await other.send(enableChannel, { id: channelId, enable: true })
  setObserved(CARRYING_LEG)
  const { scroll } = installObserver()
  let level: number[] | undefined
  let requestCount = 0
  const console = await openChannelPage()
  console.intercept = (path) => {
    if (!path.includes('/channel/levels')) return undefined
    if (path.includes(`ids=${channelId}`)) requestCount++
    return Response.json({ result: SUCCESS, list: [{ id: channelId, ...(level && { level }) }] })
  }
  const picture = await findCard('Picture on air')
  const meters = () => queryAllByRole('meter', undefined, picture)
  // Empty meters reserve the space before the first value, which the hub has only after its first measurement.
  await until(() => meters().length === 2, 'two bars')
  const values = () =>
    meters().map((meter) => [meter.getAttribute('aria-valuetext'), meter.getAttribute('aria-valuenow')])
  assert.deepEqual(values(), [
    ['–', '-60'],
    ['–', '-60']
  ])
  await until(() => values()[0]?.[0] === 'No audio', 'no measurement for 3 s')
  level = [-18.4, -0.5]
  await waitForText('L -18 dBFS R -1 dBFS', picture)
  assert.deepEqual(
    meters().map((meter) => [nameOf(meter), meter.getAttribute('aria-valuetext')]),
    [
      ['Audio L', '-18 dBFS'],
      ['Audio R', '-1 dBFS']
    ]
  )
  level = [-18.4, -0.5, -30]
  await waitForText('1 -18 dBFS 2 -1 dBFS 3 -30 dBFS', picture)
  scroll(false)
  await until(() => meters().length === 0, 'nothing is shown off screen')
  const countBefore = requestCount
  for (let beat = 0; beat < 2; beat++) {
    const last = $lastResponseAt.get()
    await until(() => $lastResponseAt.get() > last + 500, 'a heartbeat of the hub')
  }
  assert.ok(requestCount - countBefore <= 1, `asked ${requestCount - countBefore} times more`)
  scroll(true)
  await until(() => requestCount > countBefore + 1, 'a new request')
})

/** Decodes the QR code in the dialog. */
async function readQrCode(): Promise<string> {
  const code = await findByRole('img', 'QR code', await findByRole('dialog', 'QR code'))
  const [, , side = ''] = (code.getAttribute('viewBox') ?? '').split(' ')
  return readQr(code.querySelector('path')?.getAttribute('d') ?? '', Number(side) - 8)
}

/** Adds an output that players open at the hub, and one that is pushed to another server. */
async function addTwoOutputs(): Promise<void> {
  const pages = await other.send(addOutput, { name: 'Pages', protocol: HTTP, config: { key: 'hall-key' } })
  const rtmpConfig = { url: 'rtmp://192.0.2.9/live', key: 'k' }
  const cdn = await other.send(addOutput, { name: 'CDN', protocol: RTMP, config: rtmpConfig })
  await other.send(addChannelOutputs, { id: channelId, outputs: [pages.id, cdn.id] })
}

test('the URL of an output at the hub is shown as a QR code with its key', async () => {
  await addTwoOutputs()
  await openChannelPage()
  const outputs = await findCard('Outputs')
  await waitForText('CDN', outputs)
  const copied = recordClipboard()
  const keyed = `${location.origin}/hls/hall-key/index.m3u8`
  await until(() => {
    queryAllByRole('button', /^Copy/, outputs)[0]?.click()
    return copied.at(-1) === keyed
  }, 'its key')
  assert.ok(!document.body.innerHTML.includes('hall-key'))
  const button = await findByRole('button', 'QR code', outputs)
  await click(button)
  assert.equal(await readQrCode(), keyed)
  await waitForText('/hls/****/index.m3u8', await findByRole('dialog'))
  await click(queryAllByRole('button', 'Close', await findByRole('dialog'))[0] as HTMLElement)
  await waitForNone('dialog')
})

test('the QR code of a user without permission to edit has no key', async () => {
  await addTwoOutputs()
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await openChannelPage('viewer')
  await click(await findByRole('button', 'QR code', await findCard('Outputs')))
  assert.equal(await readQrCode(), `${location.origin}/hls/****/index.m3u8`)
})

test('a hub that cannot draw QR codes is reported', async () => {
  await addTwoOutputs()
  const console = await openChannelPage()
  console.intercept = async (path) => (path.endsWith('/qr/draw') ? new Response('', { status: 404 }) : undefined)
  await click(await findByRole('button', 'QR code', await findCard('Outputs')))
  await waitForText('Not yet supported', await findByRole('alert', undefined, await findByRole('dialog', 'QR code')))
})

test('an output is edited where its failure is shown', async () => {
  await addSrtOutput('Foyer', 9001)
  await openChannelPage()
  await click(await findByRole('button', 'Edit: Foyer', await findCard('Outputs')))
  const dialog = await findByRole('dialog', 'Edit Foyer')
  await fill(await findByRole('textbox', 'Port', dialog), '9055')
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  await waitForText('Foyer saved Open')
  assert.match((await fetchChannel()).outputs.list[0]?.addr ?? '', /:9055$/)
})

test('a link with an output opens its dialog once', async () => {
  const id = await addSrtOutput('Foyer', 9001)
  await openConsole(hub, { at: linkTo('channelDetail', { channelId: String(channelId), output: String(id) }) })
  const dialog = await findByRole('dialog', 'Edit Foyer')
  await click(await findByRole('button', 'Cancel', dialog))
  await waitForNone('dialog')
  assert.equal(currentLink(), linkTo('channelDetail', { channelId: String(channelId) }))
})

test('an RTSP output with a sub stream shows both URLs, with a copy button each', async () => {
  const config = { port: 8554, key: 'hall', 'is-sub': true, 'sub-key': "hall's [small]".replace(' ', '.') }
  const { id } = await other.send(addOutput, { name: 'Eye', protocol: RTSP, config })
  await other.send(addChannelOutputs, { id: channelId, outputs: [id] })
  await openChannelPage()
  const outputs = await findCard('Outputs')
  await waitForText('Sub stream rtsp://hub.test:8554/****', outputs)
  const copied = recordClipboard()
  for (const button of queryAllByRole('button', /^Copy/, outputs)) await click(button)
  assert.deepEqual(copied, ['rtsp://hub.test:8554/hall', "rtsp://hub.test:8554/hall's.%5Bsmall%5D"])
})

test.run()
