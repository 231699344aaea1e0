// Faults of the content of inputs: real clips through a real relay, with the times of the checks shortened to a second.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONTENT_CHECKS, type ContentCheck } from '../../../contract/stream/content-checks.ts'
import { type ContentSettings, DEFAULT_CONTENT_SETTINGS } from '../../../contract/stream/content-settings.schema.ts'
import { contentClip } from '../../kit/engine/content-clip.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { urlInput, channel as wantedChannel } from '../../kit/engine/wanted-channels.ts'
import { createUdpSource, endPeers } from '../../kit/fault/media.ts'
import { until } from '../../kit/until.ts'

const test = suite('content checks')
fixtureForEach(test)
test.after.each(endPeers)

/** All checks on, each after a second. */
function quickSettings(more: Partial<ContentSettings> = {}): ContentSettings {
  const settings = structuredClone(DEFAULT_CONTENT_SETTINGS)
  for (const check of CONTENT_CHECKS) Object.assign(settings[check], { enable: true, 'after-s': 1 })
  settings['unexpected-format'].expected = { width: 160, height: 90, 'audio-codec': 'AAC' }
  return { ...settings, ...more }
}

const inputReason = (id: number) => fixture.engine.observe(id).input.reason
const checks = (id: number) => fixture.engine.observe(id).input.content?.checks ?? []
const stateOf = (id: number, check: ContentCheck) => checks(id).find((each) => each.check === check)?.state

const waitForReason = (id: number, reason: string | undefined) =>
  until(
    () => inputReason(id) === reason,
    () => `the reason of channel ${id} is ${reason}: ${inputReason(id)}, ${JSON.stringify(checks(id))}`
  )

/** Starts a channel whose source sends a good clip. */
async function startChannel(id: number, content = quickSettings()) {
  const source = await createUdpSource()
  await source.change(contentClip('good'))
  fixture.engine.apply({ ...wantedChannel(id, urlInput(2, source.url)), content })
  await until(
    () => checks(id).length === CONTENT_CHECKS.length && checks(id).every(({ state }) => state === 'good'),
    () => `all checks of channel ${id} are good: ${JSON.stringify(checks(id))}`
  )
  return source
}

test('each fault is found, and ends by itself', async () => {
  await Promise.all(
    CONTENT_CHECKS.map(async (check, index) => {
      const id = index + 1
      const source = await startChannel(id)
      await source.change(contentClip(check))
      await waitForReason(id, check === 'unexpected-format' ? 'unexpected-format 192x108' : check)
      assert.equal(stateOf(id, check), 'bad')
      await source.change(contentClip('good'))
      await waitForReason(id, undefined)
    })
  )
})

test.run()
