// Playing a channel in Chromium: a minute without a stall, and what the page says when something is in the way.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { enableChannel, queryChannel } from '../../contract/stream/channel.ts'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import {
  assertPlayback,
  measurePlayback,
  startUdpChannel,
  waitForMedia,
  waitForPlayback,
  watchLink
} from '../kit/browser/watch-journey.ts'
import { cleanUpMedia, clipPath, runProcess } from '../kit/engine/media.ts'
import { type PictureClock, sendPictureClock } from '../kit/engine/picture-clock.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('watching a channel')

let environment: BrowserEnvironment
let clock: PictureClock
let id: number

test.before(async () => {
  environment = await startEnvironment()
  const port = await freeUdpPort()
  clock = sendPictureClock(`udp://127.0.0.1:${port}?pkt_size=1316`)
  id = await startUdpChannel(environment.hub, 'Clock', port)
  await waitForMedia(environment.hub, id)
})
test.after(async () => {
  clock?.stop()
  await environment?.close()
  await cleanUpMedia()
})

test('a channel plays for half a minute with sound, at most 1.5 s late', () =>
  environment.visit({ at: linkTo('channelDetail', { channelId: String(id) }) }, async (page) => {
    await page.getByRole('link', { name: 'Watch: Clock' }).click()
    await page.getByRole('heading', { name: 'Clock', level: 1 }).waitFor()
    await waitForPlayback(page)
    assert.equal(await page.evaluate(() => document.querySelector('video')?.muted), false)
    assertPlayback(await measurePlayback(page, 30), 30)
    await page.getByText('On air').waitFor()
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
    await page.getByRole('button', { name: 'Mute' }).click()
    await page.getByRole('button', { name: 'Turn on sound' }).click()
    assert.equal(await page.evaluate(() => document.querySelector('video')?.muted), false)
  }))

test('a page that was opened by its link starts without sound if the browser demands it, and says so', () =>
  environment.visit({ at: watchLink(id) }, async (page) => {
    await waitForPlayback(page)
    // Playwright's own scripts count as gestures of the user, so the demand is simulated.
    await page.addInitScript(() => {
      const { play } = HTMLMediaElement.prototype
      HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
        return this.muted ? play.call(this) : Promise.reject(new DOMException('No gesture', 'NotAllowedError'))
      }
    })
    await page.reload()
    await waitForPlayback(page)
    await page.getByText('The browser has started without sound.').waitFor()
    await page.getByRole('button', { name: 'Turn on sound' }).click()
    await page.getByText('The browser has started without sound.').waitFor({ state: 'detached' })
    assert.equal(await page.evaluate(() => document.querySelector('video')?.muted), false)
  }))

test('a paused page receives nothing, and goes on at the live edge', () =>
  environment.visit({ at: watchLink(id) }, async (page) => {
    const watchers = async () => (await environment.hub.send(queryChannel, { id })).channel.watchers
    await waitForPlayback(page)
    // The hub may count the page of the test before until its connection is closed.
    await until(async () => (await watchers()) === 1, 'one stream is open')
    await page.evaluate(() => document.querySelector('video')?.pause())
    await until(async () => (await watchers()) === undefined, 'the stream is closed')
    await page.evaluate(() => document.querySelector('video')?.play())
    await until(async () => (await watchers()) === 1, 'the stream is open again')
    await waitForPlayback(page)
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await until(async () => (await watchers()) === undefined, 'the stream of a hidden page is closed')
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await waitForPlayback(page)
    assertPlayback(await measurePlayback(page, 5), 5)
  }))

test('the page says why nothing plays, and plays when the channel is started', () =>
  environment.visit({ at: watchLink(id) }, async (page) => {
    await waitForPlayback(page)
    await environment.hub.send(enableChannel, { id, enable: false })
    await page.getByText('The channel is stopped.').waitFor()
    await environment.hub.send(enableChannel, { id, enable: true })
    await waitForPlayback(page)
    await page.getByText('The channel is stopped.').waitFor({ state: 'detached' })
  }))

test('the page plays on after a restart of the hub and the engine', () =>
  environment.visit({ at: watchLink(id) }, async (page, errors) => {
    await waitForPlayback(page)
    errors.expectOutage()
    // What plays afterwards is not what was in the buffer.
    await environment.restartHub(async () => {
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) <= 2)
    })
    await waitForMedia(environment.hub, id)
    await waitForPlayback(page)
    assertPlayback(await measurePlayback(page, 3), 3)
  }))

/** Whether the video has decoded sound. */
const hasSound = () =>
  ((document.querySelector('video') as unknown as { webkitAudioDecodedByteCount?: number })
    ?.webkitAudioDecodedByteCount ?? 0) > 0

test('video that the browser lacks is named, and MPEG audio and Opus are heard', async () => {
  const port = await freeUdpPort()
  const clip = `${clipPath()}.browser.ts`
  const other = await startUdpChannel(environment.hub, 'Old encoder', port)
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast']
  for (const [codecs, text] of [
    [['-c:v', 'mpeg2video', '-c:a', 'aac'], 'This browser does not play MPEG-2.'],
    [[...h264, '-c:a', 'mp2'], undefined],
    [[...h264, '-c:a', 'libopus'], undefined]
  ] as const) {
    const input = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine=r=48000', '-t', '4']
    spawnSync('ffmpeg', ['-v', 'error', ...input, '-g', '12', '-pix_fmt', 'yuv420p', ...codecs, '-y', clip])
    const target = `udp://127.0.0.1:${port}?pkt_size=1316`
    const sender = runProcess(['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts', target])
    await environment.visit({ at: watchLink(other) }, async (page) => {
      if (text !== undefined) return page.getByText(text).waitFor()
      await waitForPlayback(page)
      await page.waitForFunction(hasSound)
    })
    await sender.kill()
  }
})

test.run()
