// Watches a channel in a browser, and measures the playback.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { addChannel, enableChannel, queryChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { linkTo } from '../../../src/paths.ts'
import { readPictureAge } from '../engine/picture-clock.ts'
import type { HubProcess } from '../hub/hub-process.ts'
import { until } from '../until.ts'

/** Adds a channel that receives at a UDP port, and starts it. @returns its id */
export async function startUdpChannel(hub: HubProcess, name: string, port: number): Promise<number> {
  const { id: source } = await hub.send(addInput, { name, config: { type: 1, url: `udp://127.0.0.1:${port}` } })
  const { id } = await hub.send(addChannel, { name })
  await hub.send(setChannelInput, { id, input: source })
  await hub.send(enableChannel, { id, enable: true })
  return id
}

/** Waits until a channel carries media. */
export const waitForMedia = (hub: HubProcess, id: number): Promise<void> =>
  until(
    async () => (await hub.send(queryChannel, { id })).channel.input?.['conn-state'] === CONNECTION_STATE.connected,
    'media arrives'
  )

export const watchLink = (id: number): string => linkTo('watch', { channelId: String(id) })

/** Waits until the picture moves. */
export async function waitForPlayback(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const video = document.querySelector('video')
    return (
      video !== null && !video.paused && video.readyState > 2 && video.getVideoPlaybackQuality().totalVideoFrames > 5
    )
  })
}

export interface Playback {
  /** Ages of the picture in milliseconds, sorted. */
  ages: number[]
  /** Longest time in milliseconds in which the picture did not change. */
  longestStill: number
  /** Seconds of media in the buffer, at most. */
  bufferedMax: number
  /** Seconds that were played. */
  played: number
}

/** Measures the playback of the picture clock. */
export function measurePlayback(page: Page, seconds: number): Promise<Playback> {
  return page.evaluate(
    async ([script, seconds]) => {
      const readAge: (video: HTMLVideoElement) => number | undefined = new Function(`return ${script}`)()
      const video = document.querySelector('video') as HTMLVideoElement
      const ages: number[] = []
      const start = performance.now()
      const startTime = video.currentTime
      let [lastPicture, changedAt, longestStill, bufferedMax] = [0, start, 0, 0]
      while (performance.now() - start < seconds * 1000) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        const age = readAge(video)
        const now = performance.now()
        if (age === undefined) continue
        const picture = Math.round((Date.now() - age) / 20)
        if (picture !== lastPicture) changedAt = now
        lastPicture = picture
        ages.push(age)
        longestStill = Math.max(longestStill, now - changedAt)
        const { buffered } = video
        if (buffered.length > 0)
          bufferedMax = Math.max(bufferedMax, buffered.end(buffered.length - 1) - buffered.start(0))
      }
      return { ages: ages.sort((a, b) => a - b), longestStill, bufferedMax, played: video.currentTime - startTime }
    },
    [String(readPictureAge), seconds] as const
  )
}

/** Milliseconds that a picture may be old: in the median, and at most for a moment while the machine is busy. */
const AGE_MAX = 1500
const AGE_PEAK_MAX = 2500
/** Milliseconds of a picture that does not change: a stall that a viewer notices. */
const STALL = 1000

/** Asserts that the picture moved all the time with little delay, and that the buffer stayed small. */
export function assertPlayback({ ages, longestStill, bufferedMax, played }: Playback, seconds: number): void {
  const median = ages[Math.floor(ages.length / 2)] ?? Number.POSITIVE_INFINITY
  const summary = `median ${median} ms, at most ${ages.at(-1)} ms old, longest still ${Math.round(longestStill)} ms, ${played} s played`
  assert.ok(median < AGE_MAX && (ages.at(-1) ?? 0) < AGE_PEAK_MAX, summary)
  assert.ok(longestStill < STALL, summary)
  assert.ok(Math.abs(played - seconds) < 1, summary)
  assert.ok(bufferedMax < 15, `${bufferedMax} s in the buffer`)
}
