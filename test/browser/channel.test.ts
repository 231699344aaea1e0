// A channel from the dialog to the stream of a player, and through a power failure of the hub.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { channelDashboard } from '../../contract/stream/channel.ts'
import { SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { openRoute } from '../kit/browser/open-route.ts'
import { forbidReload } from '../kit/browser/reload-check.ts'
import { cleanUpMedia, clipPath, decodeFrames, runProcess } from '../kit/engine/media.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('channel')

const DEVICE = 'Main Hall PTZ'
const NAME = 'Evening service'
const RATE = /\d (k|M)bps/

let environment: BrowserEnvironment
let port = 0

test.before(async () => {
  port = await freeUdpPort()
  environment = await startEnvironment({ devices: 1, clip: readFileSync(clipPath()) })
  await environment.accept(DEVICE)
})
test.after(async () => {
  await environment?.close()
  await cleanUpMedia()
})

const address = () => `srt://127.0.0.1:${port}?mode=caller`
const row = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: NAME }) })

/** Plays the output with an independent player. */
async function provePicture(): Promise<void> {
  const short = ['-probesize', '200000', '-analyzeduration', '1000000']
  const probe = runProcess(['-v', 'error', ...short, '-show_streams', '-of', 'json', '-i', address()], 'ffprobe')
  await probe.exited
  const { streams = [] } = JSON.parse(/^\{.*^\}/ms.exec(probe.output())?.[0] ?? '{}') as {
    streams?: { codec_type: string; codec_name: string; width?: number }[]
  }
  const video = streams.find((stream) => stream.codec_type === 'video')
  assert.equal(video?.codec_name, 'h264', probe.output())
  assert.equal(video.width, 160)
  const frames = await decodeFrames(address(), 25)
  assert.equal(frames.frameCount, 25, frames.log)
  assert.ok(frames.distinctFrames > 20, `${frames.distinctFrames} distinct frames of 25`)
}

test('a channel with a device and an SRT output is added and started, and a player receives moving video', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    await page.getByRole('button', { name: 'Add channel' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add channel' })
    await dialog.getByLabel('Name', { exact: true }).fill(NAME)
    await dialog.getByRole('group', { name: 'Source' }).getByRole('button', { name: 'Device' }).click()
    await dialog.getByRole('option', { name: DEVICE }).waitFor({ state: 'attached' })
    const option = await dialog.getByRole('option', { name: DEVICE }).getAttribute('value')
    await dialog.getByRole('combobox', { name: 'Device' }).selectOption(option)
    // The dialog proposes a free port when it has loaded the used ones.
    const portField = dialog.getByLabel('SRT output port')
    await page.waitForFunction((field) => (field as HTMLInputElement).value !== '', await portField.elementHandle())
    await portField.fill(String(port))
    await dialog.getByRole('button', { name: 'Add channel' }).click()
    await dialog.waitFor({ state: 'detached' })
    // It ends on the page of the channel, with its picture.
    await page.getByRole('heading', { name: NAME, level: 1 }).waitFor()
    await page.getByRole('img', { name: `Picture on air of ${NAME}` }).waitFor()
    await openRoute(page, ROUTES.channels)
    await row(page).getByText(DEVICE).waitFor()
    await row(page).getByText('On air', { exact: true }).waitFor()
    await row(page).getByText(RATE).waitFor()
    await provePicture()
  }))

test('connected players are counted, and stopping asks for confirmation', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    const viewer = runProcess(['-v', 'error', '-i', address(), '-f', 'null', '-'])
    await row(page).getByText('1 of 1 on air').waitFor()
    await row(page).getByRole('button', { name: 'Details' }).click()
    await page.getByText(`srt://127.0.0.1:${port}`).waitFor()

    await row(page).getByRole('button', { name: 'Stop' }).click()
    const question = page.getByRole('dialog', { name: 'Channels are interrupted' })
    await question.getByText(`${NAME} goes off air.`).waitFor()
    await question.getByRole('button', { name: 'Proceed anyway' }).click()
    await row(page).getByText('Stopped').waitFor()
    await viewer.exited
    await row(page).getByRole('button', { name: 'Start' }).click()
    await row(page).getByText('On air', { exact: true }).waitFor()
  }))

test('after a power failure of the hub the channel runs again, and the open console recovers without a reload', () =>
  environment.visit({ at: ROUTES.channels }, async (page, errors) => {
    const unchanged = await forbidReload(page)
    await row(page).getByText('On air', { exact: true }).waitFor()
    errors.expectOutage()
    const header = page.getByRole('banner').getByRole('status')
    await environment.restartHub(() => header.getByText('No response for').waitFor())
    await until(async () => {
      const { list } = await environment.hub.send(channelDashboard, {})
      const [channel] = list
      // A player can connect once the output listens again.
      return channel?.state === SOURCE_STATE.running && channel.health?.verdict === 'on-air'
    }, 'the channel')
    await provePicture()
    await header.getByText('Connected').waitFor()
    await row(page).getByText('On air', { exact: true }).waitFor()
    await row(page).getByText(RATE).waitFor()
    await unchanged()
  }))

test('a channel is stopped and deleted', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    await row(page).getByText('On air', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: `Select ${NAME}` }).check()
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Channels are interrupted' })
    await question.getByRole('button', { name: 'Proceed anyway' }).click()
    await page.getByText('No channels yet').waitFor()
    const { list } = await environment.hub.send(channelDashboard, {})
    assert.deepEqual(list, [])
    // The engine ends the channel after the hub has deleted it.
    await until(async () => (await decodeFrames(address(), 1)).frameCount === 0, 'the output is closed')
  }))

test.run()
