// Taps of a stream, and the end of its relay.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { RelayHost } from '../../../engine/relay/relay-host.ts'
import { clipPath, setUpMedia } from '../../kit/engine/media.ts'
import { until } from '../../kit/until.ts'

const test = suite('relay host')
setUpMedia(test)

test('a tap receives nothing after the end of its stream, although the relay has sent more', async () => {
  const launcher = createLauncher()
  const host = new RelayHost({ launcher, onReport() {}, onExit() {} })
  let [before, after, hasEnded] = [0, 0, false]
  host.subscribe({
    media: () => (hasEnded ? after++ : before++),
    end() {
      hasEnded = true
    }
  })
  const feed = await (await host.open()).openFeed()
  const clip = readFileSync(clipPath())
  feed.write(clip)
  await until(() => before > 0, 'the stream arrives')
  for (let times = 0; times < 20; times++) feed.write(clip)
  // Time in which the relay fills the connection of the tap, but nothing is read from it.
  await new Promise((resolve) => feed.write(clip, resolve))
  const blockedUntil = Date.now() + 300
  while (Date.now() < blockedUntil);
  const stopped = host.stop()
  assert.ok(hasEnded)
  await stopped
  // A message that was still in the connection would be received during these turns.
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(after, 0)
})

test.run()
