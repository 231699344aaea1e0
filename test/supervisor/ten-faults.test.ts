// A channel is broken in ten ways. Within 5 s each call says the right verdict and cause, and none says a false one in between.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { HealthReason } from '../../contract/health.ts'
import {
  addChannel,
  addChannelOutputs,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../contract/stream/channel.ts'
import { NEXT_STEP_OF } from '../../contract/stream/channel-health.ts'
import { addInput, addOutput, type TypedOutput } from '../../contract/stream/source.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import {
  createRtmpTarget,
  createSrtTarget,
  createUdpSource,
  createUdpTarget,
  encodeHevcClip
} from '../kit/fault/media.ts'
import { VerdictWatch } from '../kit/fault/verdict-watch.ts'
import { type EngineProcess, startEngineProcess } from '../kit/hub/engine-process.ts'
import { type HubProcess, startHubProcess } from '../kit/hub/hub-process.ts'
import { waitFor } from '../kit/until.ts'

const test = suite('ten faults')

/** Milliseconds within which a fault is reported. */
const REPORT_TIME = 5000

interface Fault {
  title: string
  channel: number
  cause(): Promise<void> | void
  mend(): Promise<void> | void
  /** The verdicts on the channel and its outputs; several causes are equally right where the second one follows from the first. */
  expected: { channel: string; input: string; outputs: readonly (readonly string[])[] }
  /** What else may be said until then. */
  meanwhile?: readonly string[]
  problem: string
}

let data: string
let engine: EngineProcess
let hub: HubProcess
let watch: VerdictWatch
let faults: Fault[] = []
let faultAt = 0

/** Adds a channel and starts it. */
async function startChannel(name: string, url: string, outputs: readonly TypedOutput[]): Promise<number> {
  const { id } = await hub.send(addChannel, { name })
  const { id: input } = await hub.send(addInput, { name: `${name} in`, config: { type: 1, url } })
  await hub.send(setChannelInput, { id, input })
  const ids: number[] = []
  for (const [index, output] of outputs.entries())
    ids.push((await hub.send(addOutput, { name: `${name} ${index}`, ...output })).id)
  await hub.send(addChannelOutputs, { id, outputs: ids })
  await hub.send(enableChannel, { id, enable: true })
  return id
}

const LOST = { channel: 'down: no-data', input: 'down: no-data', outputs: [['waiting: input-silent']] } as const
const ON_AIR = ['on-air']

async function breakInput(title: string, kind: 'kill' | 'pause' | 'sendNoise'): Promise<Fault> {
  const source = await createUdpSource()
  return {
    title,
    channel: await startChannel(title, source.url, [await createUdpTarget()]),
    cause: () => source[kind](),
    mend: () => (kind === 'pause' ? source.resume() : source.start()),
    expected: kind === 'sendNoise' ? { ...LOST, channel: 'down: not-media', input: 'down: not-media' } : LOST,
    problem: `channel bad: ${kind === 'sendNoise' ? 'not-media' : 'no-data'}`
  }
}

async function changeCodec(): Promise<Fault> {
  const [source, target] = [await createUdpSource(), await createRtmpTarget()]
  const [title, hevc] = ['another codec', encodeHevcClip()]
  return {
    title,
    channel: await startChannel(title, source.url, [target.output, await createUdpTarget()]),
    cause: () => source.change(hevc),
    mend: () => source.change(hevc.replace('.hevc.ts', '')),
    expected: { channel: 'degraded: outputs-failed', input: 'on-air', outputs: [['down: wrong-format'], ON_AIR] },
    // The sender starts again, so packets are missing.
    meanwhile: ['output 1 starting', 'degraded: discontinuities'],
    problem: 'output warn: wrong-format'
  }
}

async function breakOutput(
  title: string,
  kind: 'kill' | 'pause',
  createTarget: typeof createRtmpTarget,
  causes: readonly string[]
): Promise<Fault> {
  const [source, target] = [await createUdpSource(), await createTarget()]
  return {
    title,
    channel: await startChannel(title, source.url, [target.output, await createUdpTarget()]),
    cause: () => target[kind](),
    mend: () => (kind === 'kill' ? target.start() : target.resume()),
    expected: { channel: 'degraded: outputs-failed', input: 'on-air', outputs: [causes, ON_AIR] },
    problem: `output warn: ${causes.map((cause) => cause.replace('down: ', '')).join('|')}`
  }
}

async function takeBackup(): Promise<Fault> {
  const [source, second] = [await createUdpSource(), await createUdpSource()]
  const title = 'main input lost'
  const channel = await startChannel(title, source.url, [await createUdpTarget()])
  const { id: backup } = await hub.send(addInput, { name: 'backup', config: { type: 1, url: second.url } })
  const rule = { 'after-s': 1, back: 'first', 'back-after-s': 5 } as const
  await hub.send(setChannel, { id: channel, name: title, config: { backups: [backup], switch: rule } })
  return {
    title,
    channel,
    cause: () => source.kill(),
    mend: () => source.start(),
    expected: { channel: 'degraded: on-backup', input: 'down: no-data', outputs: [ON_AIR] },
    // The backup begins with its next key frame.
    meanwhile: ['output 1 waiting: input-silent'],
    problem: 'channel warn: on-backup'
  }
}

async function breakAllOutputs(): Promise<Fault> {
  const [source, rtmp, srt] = [await createUdpSource(), await createRtmpTarget(), await createSrtTarget()]
  const title = 'all outputs gone'
  const targets = [rtmp, srt]
  return {
    title,
    channel: await startChannel(title, source.url, [rtmp.output, srt.output]),
    cause: async () => void (await Promise.all(targets.map((target) => target.kill()))),
    mend() {
      for (const target of targets) target.start()
    },
    expected: { channel: 'down: outputs-failed', input: 'on-air', outputs: [CLOSED, SILENT] },
    meanwhile: ['degraded: outputs-failed'],
    problem: 'channel bad: outputs-failed'
  }
}

/** An RTMP target that was killed closes the connection, and then refuses the next one. An SRT target answers nothing. */
const CLOSED = ['down: disconnected', 'down: refused']
const SILENT = ['down: too-slow', 'down: disconnected', 'down: unreachable']

test.before(async () => {
  data = mkdtempSync(join(tmpdir(), 'headend-faults-'))
  engine = await startEngineProcess(data)
  hub = await startHubProcess(data)
  faults = [
    await breakInput('input killed', 'kill'),
    await breakInput('source stopped', 'pause'),
    await breakInput('garbage', 'sendNoise'),
    await changeCodec(),
    await breakOutput('output refused', 'kill', createRtmpTarget, CLOSED),
    await breakOutput('output silent', 'kill', createSrtTarget, SILENT),
    await breakOutput('RTMP stalled', 'pause', createRtmpTarget, ['down: too-slow']),
    await breakOutput('SRT stalled', 'pause', createSrtTarget, SILENT),
    await takeBackup(),
    await breakAllOutputs()
  ]
  watch = new VerdictWatch(() => hub)
  await waitUntilOnAir()
  watch.forget()
  faultAt = Date.now()
  for (const fault of faults) await fault.cause()
})
test.after(async () => {
  await watch?.close()
  await hub?.kill()
  await engine?.kill()
  rmSync(data, { recursive: true, force: true })
  await cleanUpMedia()
})

/** Waits until all channels and all their outputs are on air. */
async function waitUntilOnAir(): Promise<void> {
  for (const { channel, title } of faults)
    await watch.waitFor(
      channel,
      (seen) => [seen.channel, ...seen.outputs].every((verdict) => verdict === 'on-air') && seen.problems.length === 0,
      `"${title}" is on air`
    )
}

const titles = [
  'input killed',
  'source stopped',
  'garbage',
  'another codec',
  'output refused',
  'output silent',
  'RTMP stalled',
  'SRT stalled',
  'main input lost',
  'all outputs gone'
]
for (const [index, title] of titles.entries())
  test(`${title}: the right verdict and cause within 5 s, and no false one`, async () => {
    const { channel, expected, meanwhile = [], problem } = faults[index] as Fault
    const isRight = (outputs: readonly string[]) =>
      outputs.length === expected.outputs.length &&
      outputs.every((verdict, output) => expected.outputs[output]?.includes(verdict))
    const seen = await watch.waitFor(
      channel,
      (each) => each.channel === expected.channel && each.input === expected.input && isRight(each.outputs),
      title
    )
    assert.ok(seen.since - faultAt < REPORT_TIME, `${title}: reported after ${seen.since - faultAt} ms`)
    const reason = expected.channel.split(': ')[1] as HealthReason
    assert.equal(seen.nextStep, NEXT_STEP_OF[reason])
    const { problems } = await watch.waitFor(channel, (each) => each.problems.length > 0, `the problem of ${title}`)
    assert.match(problems.join(), new RegExp(`^(${problem})$`.replace(/: (.*)\)/, ': ($1))')))
    const right = [
      'on-air',
      expected.channel,
      ...meanwhile,
      ...expected.outputs.flatMap((verdicts, output) =>
        ['on-air', ...verdicts].map((verdict) => `output ${output + 1} ${verdict}`)
      )
    ]
    assert.deepEqual(
      watch.seen(channel).filter((verdict) => !right.includes(verdict)),
      [],
      `${title} was reported as something else`
    )
  })

test('what is mended is on air again', async () => {
  for (const { mend } of faults) await mend()
  await waitUntilOnAir()
})

test('a hub that is killed and restarted says the right verdict with its first answer', async () => {
  const ports = { web: Number(new URL(hub.url).port), link: hub.linkPort }
  await hub.kill()
  watch.forget()
  hub = await startHubProcess(data, ports)
  await waitFor('all channels are seen', async () => faults.every(({ channel }) => watch.seen(channel).length > 0))
  for (const { channel, title } of faults)
    assert.deepEqual(
      watch.seen(channel).filter((verdict) => !/^(output \d )?on-air$/.test(verdict)),
      [],
      title
    )
})

test('an engine that is killed is reported within 5 s for all channels, and they are on air again with the next one', async () => {
  watch.forget()
  const killedAt = Date.now()
  await engine.kill()
  for (const { channel, title } of faults) {
    const seen = await watch.waitFor(channel, (each) => each.channel === 'down: engine-away', title)
    assert.ok(seen.since - killedAt < REPORT_TIME, `reported after ${seen.since - killedAt} ms`)
    assert.equal(seen.nextStep, 'wait')
  }
  assert.ok(watch.hubProblems().includes('engine bad: engine-away'), watch.hubProblems().join())
  watch.forget()
  engine = await startEngineProcess(data)
  await waitUntilOnAir()
  for (const { channel, title } of faults)
    assert.deepEqual(
      watch.seen(channel).filter((verdict) => !/on-air|starting|engine-away|input-silent|on-backup/.test(verdict)),
      [],
      title
    )
})

test.run()
