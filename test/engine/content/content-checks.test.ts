// Faults of the content of inputs: real clips through a real relay, with the times of the checks shortened to a second.
import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { suite } from 'uvu'
import type { SwitchRule } from '../../../contract/stream/channel.ts'
import { CONTENT_CHECKS, type ContentCheck } from '../../../contract/stream/content-checks.ts'
import { type ContentSettings, DEFAULT_CONTENT_SETTINGS } from '../../../contract/stream/content-settings.schema.ts'
import { contentClip } from '../../kit/engine/content-clip.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { urlInput, channel as wantedChannel } from '../../kit/engine/wanted-channels.ts'
import { createUdpSource, endPeers } from '../../kit/fault/media.ts'
import { childrenOf, commandLineOf, hasStarted } from '../../kit/system-processes.ts'
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

/** Process IDs of the programs that measure content. */
const meterPids = () => childrenOf(process.pid).filter((pid) => commandLineOf(pid).includes('-skip_frame:v\0nokey'))

async function findMeter(): Promise<number> {
  await until(() => meterPids().some(hasStarted), 'content is measured')
  return meterPids().find(hasStarted) ?? 0
}

test('a process that is killed or hangs loses only the check, which is unknown and not good until it is measured again', async () => {
  const source = await startChannel(1)
  const livingTime = () => fixture.engine.observe(1).livingTimeS
  const [before, first] = [livingTime(), await findMeter()]
  assert.equal(getPriority(first), 10, 'streams get the processor first')
  process.kill(first, 'SIGSTOP')
  await until(() => stateOf(1, 'silent') === 'unknown', 'a hanging process measures nothing')
  await until(() => stateOf(1, 'silent') === 'good', 'another process measures it')
  assert.notEqual(await findMeter(), first)
  await source.change(contentClip('silent'))
  await waitForReason(1, 'silent')
  process.kill(await findMeter(), 'SIGKILL')
  await until(() => meterPids().length === 0, 'the process has ended')
  assert.equal(inputReason(1), 'silent', 'a fault stands until a measurement shows that it has ended')
  assert.ok(livingTime() > before, 'the stream was not interrupted')
})

const RULE: SwitchRule = { 'after-s': 1, back: 'first', 'back-after-s': 5 }

test('a backup takes over because of a fault if the check is set so, unless it has the fault itself', async () => {
  const content = quickSettings({ black: { enable: true, 'after-s': 1, failover: true } })
  const [main, backup] = [await createUdpSource(), await createUdpSource()]
  await main.change(contentClip('good'))
  await backup.change(contentClip('black'))
  const backups = [urlInput(3, backup.url)]
  fixture.engine.apply({ ...wantedChannel(1, urlInput(2, main.url)), backups, switch: RULE, content })
  const backupReason = () => fixture.engine.observe(1).backups?.get(3)?.reason
  const onAir = () => fixture.engine.observe(1).onAir
  await until(() => backupReason() === 'black' && onAir()?.inputId === 2, 'the backup is black')
  await main.change(contentClip('black'))
  await waitForReason(1, 'black')
  assert.equal(onAir()?.inputId, 2)
  await backup.change(contentClip('good'))
  await until(
    () => onAir()?.reason === 'on-air-bad-content 1',
    () => `the backup is on air: ${JSON.stringify(onAir())}`
  )
  await main.change(contentClip('good'))
  await until(() => onAir()?.reason === 'on-air-back', 'the main input returns')
})

test.run()
