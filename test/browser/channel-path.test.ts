// The page of a channel as its signal path: on one screen, on a phone, on a backup, and with a picture that has
// stopped.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  queryChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia, type RunningProcess, sendClip } from '../kit/engine/media.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'

const test = suite('signal path')

let environment: BrowserEnvironment
let id = 0
let main: RunningProcess
let backup: RunningProcess

/** Adds an input that receives UDP, and sends to it. */
async function addSource(name: string): Promise<{ input: number; sender: RunningProcess }> {
  const port = await freeUdpPort()
  const config = { type: 1, url: `udp://127.0.0.1:${port}` } as const
  const { id: input } = await environment.hub.send(addInput, { name, config })
  return { input, sender: sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`) }
}

test.before(async () => {
  environment = await startEnvironment()
  const { hub } = environment
  await hub.signIn()
  const hall = await addSource('Main hall')
  const gallery = await addSource('Gallery')
  main = hall.sender
  backup = gallery.sender
  const config = { backups: [gallery.input], slate: false }
  ;({ id } = await hub.send(addChannel, { name: 'Sunday service', config }))
  await hub.send(setChannelInput, { id, input: hall.input })
  const players = { mode: 'listener', 'bind-port': await freeUdpPort() } as const
  const closed = { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': await freeUdpPort() } as const
  const outputs = [
    await hub.send(addOutput, { name: 'Players', protocol: SRT, config: players }),
    await hub.send(addOutput, { name: 'Diocese', protocol: SRT, config: closed })
  ]
  await hub.send(addChannelOutputs, { id, outputs: outputs.map((output) => output.id) })
  await hub.send(enableChannel, { id, enable: true })
})
test.after(async () => {
  await environment?.close()
  await cleanUpMedia()
})

const at = () => linkTo('channelDetail', { channelId: String(id) })
const tag = (page: Page) => page.locator('.path .picture-tag')
const node = (page: Page, name: string) =>
  page.locator('.node').filter({ has: page.getByRole('heading', { name, exact: true }) })
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  assert.ok(box, selector)
  return box
}

test('everything needed in an incident is on one screen of 1440x900', () =>
  environment.visit({ at: at(), size: [1440, 900] }, async (page) => {
    await tag(page).getByText('Main').waitFor()
    await node(page, 'Diocese').locator('.fault').waitFor()
    const path = await boxOf(page, '.path')
    assert.ok(path.y + path.height <= 900, `the path ends at ${path.y + path.height}`)
    assert.ok(path.x + path.width <= 1440, `the path ends at ${path.x + path.width}`)
    // One line for each of two inputs and two outputs.
    await page.waitForFunction(() => {
      const flows = [...document.querySelectorAll<SVGElement>('.wires path')].map(({ dataset }) => dataset.flow)
      return flows.sort().join(' ') === 'failed idle idle live'
    })
    await node(page, 'Diocese').getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog', { name: 'Edit Diocese' }).waitFor()
  }))

test('at 360 px the path runs downwards and nothing is cut', () =>
  environment.visit({ at: at(), size: [360, 740] }, async (page) => {
    await node(page, 'Players').waitFor()
    const isDownwards = await page.evaluate(() => {
      const [inputs, picture, outputs] = ['.path-column:first-child', '.path-air', '.path-air + .path-column'].map(
        (selector) => document.querySelector(selector)?.getBoundingClientRect()
      )
      return inputs && picture && outputs && inputs.bottom <= picture.top && picture.bottom <= outputs.top
    })
    assert.equal(isDownwards, true)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.verdict *, .path *')]
        .filter((element) => !element.closest('.unseen, .wires'))
        .filter((element) => element.getBoundingClientRect().right > innerWidth)
        .map((element) => element.outerHTML.slice(0, 80))
    )
    assert.deepEqual(cut, [])
  }))

test('on a backup the picture is that of the outputs and says so, and the main input says why', () =>
  environment.visit({ at: at(), size: [1440, 900] }, async (page) => {
    await tag(page).getByText('Main').waitFor()
    await main.kill()
    await page.getByText('Running on backup 1: main input lost').first().waitFor()
    await tag(page)
      .getByText(/^Backup 1 · picture \d/)
      .waitFor()
    await node(page, 'Gallery').getByText('On air').waitFor()
    await node(page, 'Main hall').and(page.locator('[data-flow=failed]')).waitFor()
    await page.locator('.path .picture:not([data-stale])').waitFor()
    const { channel } = await environment.hub.send(queryChannel, { id })
    assert.equal(channel['preview-id'], `CHANNEL-${id}`)
  }))

test('a picture that has stopped is dimmed and says its age, and a stopped channel has no picture', () =>
  environment.visit({ at: at(), size: [1440, 900] }, async (page) => {
    await page.locator('.path .picture img').waitFor()
    await backup.kill()
    await page.locator('.path .picture[data-stale]').waitFor()
    await tag(page)
      .getByText(/Last picture \d+ s ago/)
      .waitFor()
    await environment.hub.send(enableChannel, { id, enable: false })
    await page.locator('.path .picture').getByText('Stopped').waitFor()
    assert.equal(await page.locator('.path img').count(), 0)
  }))

test.run()
