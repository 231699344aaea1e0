// Inputs that lose a track in the middle of a stream that goes on.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { SwitchRule } from '../../contract/stream/channel.ts'
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach, replaceFixture } from '../kit/engine/engine-fixture.ts'
import { CAMERA, urlInput, channel as wantedChannel } from '../kit/engine/wanted-channels.ts'
import { clipWithout, createTrackSource, createUdpSource, encodeHevcClip, endPeers } from '../kit/fault/media.ts'
import { until } from '../kit/until.ts'
import { within } from '../kit/within.ts'

const test = suite('lost tracks')
fixtureForEach(test)
test.after.each(endPeers)

/** Milliseconds within which a lost track is reported. */
const REPORT_TIME = 5000
/** Milliseconds for which a track has to arrive before its loss is one. */
const STEADY_TIME = 4000
const RULE: SwitchRule = { 'after-s': 1, back: 'first', 'back-after-s': 5 }

const inputReason = () => fixture.engine.observe(1).input.reason
const onAir = () => fixture.engine.observe(1).onAir

const waitForReason = (reason: string | undefined) =>
  until(
    () => inputReason() === reason,
    () => `the reason is ${reason}: ${inputReason()}`
  )
const waitForOnAir = (reason: string) =>
  until(
    () => onAir()?.reason === reason,
    () => `on air is ${reason}: ${JSON.stringify(onAir())}`
  )

/** Waits until the main input is on air, also after a backup that was there earlier. */
const waitForMain = (id: number) => until(() => onAir()?.inputId === id, 'the main input is on air')

/** Waits until the main input, and the backup, have had their tracks for some time. */
async function waitUntilSteady(): Promise<void> {
  await until(() => {
    const { input, backups } = fixture.engine.observe(1)
    return [input, ...(backups?.values() ?? [])].every((leg) => leg.livingTimeS * 1000 >= STEADY_TIME)
  }, 'the inputs are steady')
}

const eventsOf = (...kinds: string[]) =>
  fixture.events.filter(({ kind }) => kinds.includes(kind)).map(({ kind, reason }) => [kind, reason].join(' '))

for (const kind of ['video', 'audio'] as const)
  test(`${kind} that vanishes is reported within 5 s, and its return`, async () => {
    const source = await createTrackSource()
    await fixture.engine.apply(wantedChannel(1, urlInput(2, source.url)))
    await waitUntilSteady()
    await within(REPORT_TIME, `the loss of ${kind} is reported`, async () => {
      source.drop(kind)
      await waitForReason(`${kind}-lost`)
    })
    // The engine looks for events at intervals, and would miss a loss that ends before.
    await until(() => eventsOf('track-lost').length === 1, 'the loss is an event')
    source.restore()
    await waitForReason(undefined)
    await until(() => eventsOf('track-found').length === 1, 'the return is an event')
    assert.deepEqual(eventsOf('track-lost', 'track-found', 'input-down'), [`track-lost ${kind}-lost`, 'track-found '])
  })

test('a track that the tables list no more is lost as well, and a source that never had it is complete', async () => {
  const [source, silent] = [await createUdpSource(), await createUdpSource()]
  await silent.change(clipWithout('audio'))
  await fixture.engine.apply(wantedChannel(1, urlInput(2, source.url)))
  await fixture.engine.apply(wantedChannel(2, urlInput(3, silent.url)))
  await waitUntilSteady()
  await source.change(clipWithout('audio'))
  await waitForReason('audio-lost')
  assert.equal(fixture.engine.observe(2).input.reason, undefined)
  assert.deepEqual(eventsOf('input-changed'), ['input-changed tracks-changed H.264, AAC → H.264'])
})

test('another codec is a reason and an event that name before and after', async () => {
  const source = await createUdpSource()
  await fixture.engine.apply(wantedChannel(1, urlInput(2, source.url)))
  await waitUntilSteady()
  await source.change(encodeHevcClip())
  await waitForReason('codecs-changed H.264, AAC → HEVC, AAC')
  await until(() => eventsOf('input-changed').length === 1, 'the change is an event')
  assert.deepEqual(eventsOf('input-changed', 'track-lost'), ['input-changed tracks-changed H.264, AAC → HEVC, AAC'])
})

async function startWithBackup(more: Partial<WantedChannel> = {}) {
  const [main, backup] = [await createTrackSource(), await createTrackSource()]
  const backups = [urlInput(3, backup.url)]
  const wanted = { ...wantedChannel(1, urlInput(2, main.url)), backups, switch: RULE, ...more }
  await fixture.engine.apply(wanted)
  await waitForMain(2)
  await waitUntilSteady()
  return { main, backup, wanted }
}

for (const kind of ['video', 'audio'] as const)
  test(`the backup takes over from a main input without ${kind}, and the main input returns by the rule`, async () => {
    const { main } = await startWithBackup()
    main.drop(kind)
    await waitForOnAir(`on-air-no-${kind} 1`)
    assert.equal(onAir()?.isFirstBack, undefined)
    main.restore()
    await until(() => onAir()?.isFirstBack && onAir()?.returnsInS, 'the main input is back')
    await waitForOnAir('on-air-back')
  })

test('a backup that has lost a track itself does not take over', async () => {
  const { main, backup } = await startWithBackup()
  backup.drop('audio')
  await until(() => fixture.engine.observe(1).backups?.get(3)?.reason === 'audio-lost', 'the backup is degraded')
  main.drop('video')
  await waitForReason('video-lost')
  assert.equal(onAir()?.inputId, 2)
  backup.restore()
  await waitForOnAir('on-air-no-video 1')
})

test('nothing is switched if the channel is set so', async () => {
  const { main } = await startWithBackup({ 'switch-on-track-loss': false })
  main.drop('video')
  await waitForReason('video-lost')
  // On a busy machine the whole input may be missing for a second, which switches for another reason.
  assert.doesNotMatch(onAir()?.reason ?? '', /^on-air-no-(video|audio)/)
})

async function startWithDevice(more: Partial<WantedChannel> = {}) {
  let hasSignal = true
  await replaceFixture({ hasNoSignal: () => !hasSignal })
  const backup = await createTrackSource()
  const backups = [urlInput(3, backup.url)]
  await fixture.engine.apply({ ...wantedChannel(1, CAMERA), backups, switch: RULE, ...more })
  await waitForMain(CAMERA.id)
  await waitUntilSteady()
  return {
    setSignal(has: boolean) {
      hasSignal = has
    }
  }
}

test('the backup takes over from a device that reports no input signal, and the device returns by the rule', async () => {
  const { setSignal } = await startWithDevice()
  setSignal(false)
  await waitForOnAir('on-air-no-signal 1')
  assert.equal(onAir()?.isFirstBack, undefined)
  setSignal(true)
  await until(() => onAir()?.isFirstBack && onAir()?.returnsInS, 'the device is back')
  await waitForOnAir('on-air-back')
})

test('a device without input signal stays on air if the channel is set so', async () => {
  const { setSignal } = await startWithDevice({ 'switch-on-track-loss': false })
  setSignal(false)
  const time = () => fixture.engine.observe(1).livingTimeS
  const before = time()
  await until(() => time() >= before + 3, 'the rule had time to switch')
  assert.equal(onAir()?.inputId, CAMERA.id)
})

test('a main input without video stays on air while an operator wants it', async () => {
  const { main, wanted } = await startWithBackup()
  main.drop('video')
  await waitForOnAir('on-air-no-video 1')
  await fixture.engine.apply({ ...wanted, hold: { input: 2, version: 1 } })
  await waitForOnAir('on-air-held-first')
  assert.equal(onAir()?.isHeld, true)
  main.restore()
  await until(() => !onAir()?.isHeld, 'the choice ends when the main input has its video again')
  assert.equal(onAir()?.inputId, 2)
})

test.run()
