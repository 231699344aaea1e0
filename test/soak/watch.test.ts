// Playing a channel for ten minutes in each browser.
import { suite } from 'uvu'
import { openChromium, openFirefox } from '../kit/browser/browser.ts'
import { startEnvironment } from '../kit/browser/environment.ts'
import {
  assertPlayback,
  measurePlayback,
  startUdpChannel,
  waitForMedia,
  waitForPlayback,
  watchLink
} from '../kit/browser/watch-journey.ts'
import { sendPictureClock } from '../kit/engine/picture-clock.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'

const test = suite('watching a channel for ten minutes')

for (const [name, open] of [
  ['Chromium', () => openChromium()],
  ['Firefox', openFirefox]
] as const)
  test(`a channel plays for ten minutes in ${name} without a stall, at most 1.5 s late`, async () => {
    const environment = await startEnvironment({ open })
    const port = await freeUdpPort()
    const clock = sendPictureClock(`udp://127.0.0.1:${port}?pkt_size=1316`)
    try {
      const id = await startUdpChannel(environment.hub, 'Clock', port)
      await waitForMedia(environment.hub, id)
      await environment.visit({ at: watchLink(id) }, async (page) => {
        await waitForPlayback(page)
        assertPlayback(await measurePlayback(page, 600), 600)
      })
    } finally {
      clock.stop()
      await environment.close()
    }
  })

test.run()
