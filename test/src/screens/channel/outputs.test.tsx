// Outputs on the page of a channel, each with its own switch; QR codes of their URLs; the audio level of the input.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FREE_LIMITS } from '../../../../contract/license.ts'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../../contract/permissions.ts'
import {
  addChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  setChannelInput
} from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE, HTTP, RTMP, SOURCE_STATE } from '../../../../contract/stream/protocols.ts'
import { addOutput } from '../../../../contract/stream/source.ts'
import {
  addedInput,
  addedOutput,
  card,
  channel,
  channelForEach,
  id,
  measured,
  open
} from '../../../kit/channel-page.ts'
import { addUser } from '../../../kit/hub.ts'
import { hub, other } from '../../../kit/hub-for-each.ts'
import { CARRIES } from '../../../kit/measured.ts'
import { all, click, clipboard, nameOf, none, one, says } from '../../../kit/page.ts'
import { readQr } from '../../../kit/qr.ts'
import { until } from '../../../kit/until.ts'

const test = suite('channel outputs')

channelForEach(test)

async function addStudioInput(): Promise<void> {
  await other.send(setChannelInput, { id, input: await addedInput('Studio') })
}
const outputSwitch = async (name: string) => one<HTMLInputElement>('checkbox', name, await card('Outputs'))
const enabledOutputs = async () => (await channel()).outputs.list.map(({ enable }) => enable)

test('an output is switched off and on by itself, and the switch shows the state of the hub', async () => {
  const first = await addedOutput('Foyer', 9001)
  await addedOutput('Hall', 9002)
  await other.send(enableChannel, { id, enable: true })
  await open()
  const foyer = await outputSwitch('Foyer')
  assert.equal(foyer.getAttribute('role'), 'switch')
  assert.equal(foyer.checked, true)
  await click(foyer)
  await until(() => !foyer.checked, 'it is off')
  assert.deepEqual(await enabledOutputs(), [false, true])
  await says('Foyer Stopped', await card('Outputs'))
  const limits = (count: number) =>
    hub.context.store.settings.set('license-limits', { ...FREE_LIMITS, 'max-output-count': count })
  limits(1)
  await click(foyer)
  await says(/license allows 1/)
  assert.deepEqual([foyer.checked, await enabledOutputs()], [false, [false, true]])
  limits(2)
  await other.send(enableChannelOutputs, { id, outputs: [first], enable: true })
  await until(() => foyer.checked, 'the switch is on')
})

test('a live output is switched off after a confirmation', async () => {
  await addStudioInput()
  const output = await addedOutput('Foyer', 9001)
  await other.send(enableChannel, { id, enable: true })
  measured(CARRIES, { [output]: CARRIES })
  await open()
  await says('4.2 Mbps', await card('Outputs'))
  await click(await outputSwitch('Foyer'))
  await click(await one('button', 'Cancel', await one('dialog', 'Stop Foyer?')))
  await none('dialog')
  assert.deepEqual([(await outputSwitch('Foyer')).checked, await enabledOutputs()], [true, [true]])
  await click(await outputSwitch('Foyer'))
  await click(await one('button', 'Stop Foyer', await one('dialog')))
  await says('Operation succeeded')
  assert.deepEqual(await enabledOutputs(), [false])
})

test('a user who may not control channels sees the switches disabled', async () => {
  await addedOutput('Foyer', 9001)
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await open('viewer')
  const foyer = await outputSwitch('Foyer')
  assert.deepEqual([foyer.checked, foyer.disabled], [true, true])
})

test('an output shows its number of clients, and the next step when it fails', async () => {
  await addStudioInput()
  const [foyer, hall] = [await addedOutput('Foyer', 9001), await addedOutput('Hall', 9002)]
  await other.send(enableChannel, { id, enable: true })
  const failed = {
    ...CARRIES,
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.notAuthorized,
    reason: 'wrong-passphrase'
  } as const
  measured(CARRIES, { [foyer]: { ...CARRIES, clientNum: 3 }, [hall]: failed })
  await open()
  await says('Connected: 3', await card('Outputs'))
  await says('Set the same passphrase at the caller.', await card('Outputs'))
})

/** Installs an IntersectionObserver whose result the test sets for all observed elements. */
function installObserver(): { scroll(visible: boolean): void } {
  const observers = new Set<(visible: boolean) => void>()
  class Observer {
    #tell: (visible: boolean) => void
    constructor(callback: IntersectionObserverCallback) {
      this.#tell = (isIntersecting) =>
        callback([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver)
    }
    observe() {
      observers.add(this.#tell)
      this.#tell(true)
    }
    disconnect() {
      observers.delete(this.#tell)
    }
  }
  Object.assign(globalThis, { IntersectionObserver: Observer })
  return {
    scroll(visible) {
      for (const tell of observers) tell(visible)
    }
  }
}

test('the audio level is requested and shown only while it is on screen', async () => {
  await addStudioInput()
  await other.send(enableChannel, { id, enable: true })
  measured(CARRIES)
  const { scroll } = installObserver()
  const report = { since: 1, kbps: 1, 'kbps-avg': 1, 'kbps-peak': 1, bytes: 1 }
  const current = await channel()
  let level: number[] | undefined
  let requestCount = 0
  const console = await open()
  console.instead = (path) => {
    if (!path.includes('/channel/query') || !path.includes('level=1')) return undefined
    requestCount++
    const input = current.input && { ...current.input, report: { ...report, ...(level && { level }) } }
    return Response.json({ result: 0, channel: { ...current, input } })
  }
  const input = await card('Input')
  // Empty meters reserve the space before the first value.
  await until(() => all('meter', undefined, input).length === 2, 'two bars')
  assert.deepEqual(
    all('meter', undefined, input).map((meter) => meter.getAttribute('aria-valuetext')),
    ['–', '–']
  )
  level = [-18.4, -0.5]
  await says('Audio 1 -18 dBFS', input)
  await says('Audio 2 -1 dBFS', input)
  assert.deepEqual(
    all('meter', undefined, input).map((meter) => [nameOf(meter), meter.getAttribute('aria-valuetext')]),
    [
      ['Audio 1', '-18 dBFS'],
      ['Audio 2', '-1 dBFS']
    ]
  )
  scroll(false)
  await until(() => all('meter', undefined, input).length === 0, 'nothing is shown off screen')
  const countBefore = requestCount
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.ok(requestCount - countBefore <= 1, `asked ${requestCount - countBefore} times more`)
  scroll(true)
  await until(() => requestCount > countBefore + 1, 'a new request')
})

/** Decodes the QR code in the dialog. */
async function readQrCode(): Promise<string> {
  const code = await one('img', 'QR code', await one('dialog', 'QR code'))
  const [, , side = ''] = (code.getAttribute('viewBox') ?? '').split(' ')
  return readQr(code.querySelector('path')?.getAttribute('d') ?? '', Number(side) - 8)
}

/** Adds an output that players open at the hub, and one that is pushed to another server. */
async function addTwoOutputs(): Promise<void> {
  const pages = await other.send(addOutput, { name: 'Pages', protocol: HTTP, config: { key: 'hall-key' } })
  const rtmpConfig = { url: 'rtmp://192.0.2.9/live', key: 'k' }
  const cdn = await other.send(addOutput, { name: 'CDN', protocol: RTMP, config: rtmpConfig })
  await other.send(addChannelOutputs, { id, outputs: [pages.id, cdn.id] })
}

test('the URL of an output at the hub is shown as a QR code with its key', async () => {
  await addTwoOutputs()
  await open()
  const outputs = await card('Outputs')
  await says('CDN', outputs)
  const copied = clipboard()
  const keyed = `${location.origin}/hls/hall-key/index.m3u8`
  await until(() => {
    all('button', 'Copy', outputs)[0]?.click()
    return copied.at(-1) === keyed
  }, 'its key')
  assert.ok(!document.body.innerHTML.includes('hall-key'))
  const button = await one('button', 'QR code', outputs)
  await click(button)
  assert.equal(await readQrCode(), keyed)
  await says('/hls/****/index.m3u8', await one('dialog'))
  await click(all('button', 'Close', await one('dialog'))[0] as HTMLElement)
  await none('dialog')
})

test('the QR code of a user who may not know the key is without the key', async () => {
  await addTwoOutputs()
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await open('viewer')
  await click(await one('button', 'QR code', await card('Outputs')))
  assert.equal(await readQrCode(), `${location.origin}/hls/****/index.m3u8`)
})

test('a hub that cannot draw QR codes is reported', async () => {
  await addTwoOutputs()
  const console = await open()
  console.instead = async (path) => (path.endsWith('/qr/draw') ? new Response('', { status: 404 }) : undefined)
  await click(await one('button', 'QR code', await card('Outputs')))
  await says('Not yet supported', await one('alert', undefined, await one('dialog', 'QR code')))
})

test.run()
