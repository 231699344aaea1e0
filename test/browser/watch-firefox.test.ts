// Playing a channel in Firefox ESR.
import { suite } from 'uvu'
import { openFirefox } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import {
  assertPlayback,
  measurePlayback,
  startUdpChannel,
  waitForMedia,
  waitForPlayback,
  watchLink
} from '../kit/browser/watch-journey.ts'
import { type PictureClock, sendPictureClock } from '../kit/engine/picture-clock.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'

const test = suite('watching a channel in firefox')

let environment: BrowserEnvironment
let clock: PictureClock | undefined

test.before(async () => {
  environment = await startEnvironment({ open: openFirefox })
})
test.after(async () => {
  clock?.stop()
  await environment?.close()
})

test('a channel plays for half a minute, at most 1.5 s late', async () => {
  const port = await freeUdpPort()
  clock = sendPictureClock(`udp://127.0.0.1:${port}?pkt_size=1316`)
  const id = await startUdpChannel(environment.hub, 'Clock', port)
  await waitForMedia(environment.hub, id)
  await environment.visit({ at: watchLink(id) }, async (page) => {
    await waitForPlayback(page)
    assertPlayback(await measurePlayback(page, 30), 30)
  })
})

test.run()
