// The outputs of a channel on its page, each with its own switch; what a phone takes from there; and how loud the input is.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FREE_LIMITS } from '../../../contract/license.ts'
import { CHANNEL_VIEW, INPUT_OUTPUT_VIEW } from '../../../contract/permissions.ts'
import {
  addChannelOutputs,
  enableChannel,
  enableChannelOutputs,
  setChannelInput
} from '../../../contract/stream/channel.ts'
import { CONNECTION, HTTP, RTMP, SOURCE } from '../../../contract/stream/protocols.ts'
import { addOutput } from '../../../contract/stream/source.ts'
import { addedInput, addedOutput, card, channel, channelForEach, id, measured, open } from '../../kit/channel-page.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, other } from '../../kit/hub-for-each.ts'
import { CARRIES } from '../../kit/measured.ts'
import { all, click, clipboard, nameOf, none, one, says } from '../../kit/page.ts'
import { readQr } from '../../kit/qr.ts'
import { until } from '../../kit/until.ts'

const test = suite('channel outputs')

channelForEach(test)

async function giveInput(): Promise<void> {
  await other.send(setChannelInput, { id, input: await addedInput('Studio') })
}
const toggle = async (name: string) => one<HTMLInputElement>('checkbox', name, await card('Outputs'))
const enabled = async () => (await channel()).outputs.list.map(({ enable }) => enable)

test('an output is switched off and on by itself, and the switch shows what the hub says', async () => {
  const first = await addedOutput('Foyer', 9001)
  await addedOutput('Hall', 9002)
  await other.send(enableChannel, { id, enable: true })
  await open()
  const foyer = await toggle('Foyer')
  assert.equal(foyer.getAttribute('role'), 'switch')
  assert.equal(foyer.checked, true)
  await click(foyer)
  await until(() => !foyer.checked, 'it is off')
  assert.deepEqual(await enabled(), [false, true])
  await says('Foyer Stopped', await card('Outputs'))
  const limits = (count: number) =>
    hub.hub.store.settings.set('license-limits', { ...FREE_LIMITS, 'max-output-count': count })
  limits(1)
  await click(foyer)
  await says(/license allows 1/)
  assert.deepEqual([foyer.checked, await enabled()], [false, [false, true]])
  limits(2)
  await other.send(enableChannelOutputs, { id, outputs: [first], enable: true })
  await until(() => foyer.checked, 'somebody else switched it on')
})

test('an output that carries is switched off after a question', async () => {
  await giveInput()
  const output = await addedOutput('Foyer', 9001)
  await other.send(enableChannel, { id, enable: true })
  measured(CARRIES, { [output]: CARRIES })
  await open()
  await says('4.2 Mbps', await card('Outputs'))
  await click(await toggle('Foyer'))
  await click(await one('button', 'Cancel', await one('dialog', 'Stop Foyer?')))
  await none('dialog')
  assert.deepEqual([(await toggle('Foyer')).checked, await enabled()], [true, [true]])
  await click(await toggle('Foyer'))
  await click(await one('button', 'Stop Foyer', await one('dialog')))
  await says('Operation succeeded')
  assert.deepEqual(await enabled(), [false])
})

test('who may not control channels sees how the switches are', async () => {
  await addedOutput('Foyer', 9001)
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await open('viewer')
  const foyer = await toggle('Foyer')
  assert.deepEqual([foyer.checked, foyer.disabled], [true, true])
})

test('an output says how many take it, and what to do when it fails', async () => {
  await giveInput()
  const [foyer, hall] = [await addedOutput('Foyer', 9001), await addedOutput('Hall', 9002)]
  await other.send(enableChannel, { id, enable: true })
  const failed = {
    ...CARRIES,
    state: SOURCE.failed,
    connState: CONNECTION.notAuthorized,
    reason: 'wrong-passphrase'
  } as const
  measured(CARRIES, { [foyer]: { ...CARRIES, clientNum: 3 }, [hall]: failed })
  await open()
  await says('Connected: 3', await card('Outputs'))
  await says('Give the caller the passphrase that is set here.', await card('Outputs'))
})

/** Whether all that is drawn is on screen, and the way to tell those who ask. */
function screen(): { scroll(visible: boolean): void } {
  const frames = new Set<(visible: boolean) => void>()
  class Observer {
    #tell: (visible: boolean) => void
    constructor(heard: IntersectionObserverCallback) {
      this.#tell = (isIntersecting) =>
        heard([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver)
    }
    observe() {
      frames.add(this.#tell)
      this.#tell(true)
    }
    disconnect() {
      frames.delete(this.#tell)
    }
  }
  Object.assign(globalThis, { IntersectionObserver: Observer })
  return {
    scroll(visible) {
      for (const tell of frames) tell(visible)
    }
  }
}

test('the level of the sound is asked for and shown as long as it is on screen', async () => {
  await giveInput()
  await other.send(enableChannel, { id, enable: true })
  measured(CARRIES)
  const { scroll } = screen()
  const report = { since: 1, kbps: 1, 'kbps-avg': 1, 'kbps-peak': 1, bytes: 1 }
  const now = await channel()
  let level: number[] | undefined
  let asked = 0
  const console = await open()
  console.instead = (path) => {
    if (!path.includes('/channel/query') || !path.includes('level=1')) return undefined
    asked++
    const input = now.input && { ...now.input, report: { ...report, ...(level && { level }) } }
    return Response.json({ result: 0, channel: { ...now, input } })
  }
  const input = await card('Input')
  // Room for what comes.
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
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.ok(asked - before <= 1, `asked ${asked - before} times more`)
  scroll(true)
  await until(() => asked > before + 1, 'it is asked for again')
})

/** What the code in the dialog says. */
async function scanned(): Promise<string> {
  const code = await one('img', 'QR code', await one('dialog', 'QR code'))
  const [, , side = ''] = (code.getAttribute('viewBox') ?? '').split(' ')
  return readQr(code.querySelector('path')?.getAttribute('d') ?? '', Number(side) - 8)
}

/** A channel with an output that is had at the hub, and one that goes elsewhere. */
async function giveOutputs(): Promise<void> {
  const pages = await other.send(addOutput, { name: 'Pages', protocol: HTTP, config: { key: 'hall-key' } })
  const away = { url: 'rtmp://192.0.2.9/live', key: 'k' }
  const cdn = await other.send(addOutput, { name: 'CDN', protocol: RTMP, config: away })
  await other.send(addChannelOutputs, { id, outputs: [pages.id, cdn.id] })
}

test('a phone takes what is had at the hub from a QR code, with its key', async () => {
  await giveOutputs()
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
  assert.equal(await scanned(), keyed)
  await says('/hls/****/index.m3u8', await one('dialog'))
  await click(all('button', 'Close', await one('dialog'))[0] as HTMLElement)
  await none('dialog')
})

test('the QR code of who may not know the key is without it', async () => {
  await giveOutputs()
  await addUser(hub, 'viewer', CHANNEL_VIEW | INPUT_OUTPUT_VIEW)
  await open('viewer')
  await click(await one('button', 'QR code', await card('Outputs')))
  assert.equal(await scanned(), `${location.origin}/hls/****/index.m3u8`)
})

test('a hub that draws no QR codes is said to be one', async () => {
  await giveOutputs()
  const console = await open()
  console.instead = async (path) => (path.endsWith('/qr/draw') ? new Response('', { status: 404 }) : undefined)
  await click(await one('button', 'QR code', await card('Outputs')))
  await says('Not yet supported', await one('alert', undefined, await one('dialog', 'QR code')))
})

test.run()
