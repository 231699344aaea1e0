import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { SwitchRule } from '../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { WantedChannel, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { type RunningProcess, runProcess, sendClip } from '../../kit/engine/media.ts'
import { urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('input switch')

const folder = mkdtempSync(join(tmpdir(), 'headend-switch-'))
fixtureForEach(test)
test.after(() => {
  rmSync(folder, { recursive: true })
})

const FAST_RULE: SwitchRule = { 'after-s': 2, back: 'first', 'back-after-s': 2 }

const udpInput = (id: number, port: number) => urlInput(id, `udp://127.0.0.1:${port}`)

const sendTo = (port: number): RunningProcess => sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)

/** An output, and a receiver that writes it to a file. */
interface Sink {
  output: WantedOutput
  receiver: RunningProcess
  file: string
}

async function rtmpSink(id: number): Promise<Sink> {
  const port = await freeTcpPort()
  const file = join(folder, `${id}.ts`)
  const input = ['-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/key`]
  const receiver = runProcess(['-v', 'error', ...input, '-c', 'copy', '-copyts', '-f', 'mpegts', '-y', file])
  return {
    output: { id, name: 'RTMP', protocol: 1, config: { url: `rtmp://127.0.0.1:${port}/live`, key: 'key' } },
    receiver,
    file
  }
}

async function srtSink(id: number): Promise<Sink> {
  const port = await freeUdpPort()
  const file = join(folder, `${id}.ts`)
  const input = ['-f', 'data', '-i', `srt://127.0.0.1:${port}?mode=listener`]
  const receiver = runProcess(['-v', 'error', ...input, '-map', '0', '-c', 'copy', '-f', 'data', '-y', file])
  return {
    output: { id, name: 'SRT', protocol: 2, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } },
    receiver,
    file
  }
}

/** Returns the decoding times of the video frames in a file, as ffprobe reads them. */
function readDecodingTimes(file: string): number[] {
  const probe = spawnSync('ffprobe', [
    ...['-v', 'quiet', '-select_streams', 'v:0', '-show_entries', 'packet=dts_time', '-of', 'csv=p=0', file]
  ])
  return String(probe.stdout).split('\n').map(Number.parseFloat).filter(Number.isFinite)
}

function assertIncreasing(all: readonly number[]): void {
  all.forEach((time, index) => {
    assert.ok(index === 0 || time > (all[index - 1] ?? 0), `${time} after ${all[index - 1]}`)
  })
}

const onAir = () => fixture.engine.observe(1).onAir
const waitForReason = (reason: string) =>
  until(
    () => onAir()?.reason === reason,
    () => `the reason is ${reason}: ${JSON.stringify(onAir())}`
  )

test('a backup takes over while the outputs stay connected, and the first input returns', async () => {
  const { engine, events } = fixture
  const [a, b] = [await freeUdpPort(), await freeUdpPort()]
  const sinks = [await rtmpSink(11), await srtSink(12)]
  const wantedChannel: WantedChannel = {
    id: 1,
    name: 'Stage',
    enable: true,
    input: udpInput(2, a),
    backups: [udpInput(3, b)],
    switch: FAST_RULE,
    outputs: sinks.map(({ output }) => output)
  }
  const first = sendTo(a)
  engine.apply(wantedChannel)
  await waitForReason('on-air-first')
  sendTo(b)
  for (const { output } of sinks) await fixture.waitForState(1, CONNECTION_STATE.connected, output.id)
  assert.equal(onAir()?.inputId, 2)
  await until(() => engine.observe(1).backups?.get(3)?.connState === CONNECTION_STATE.connected, 'the backup carries')
  const processes = engine.processCount()
  const byteTotals = () => engine.byteTotals(1).outputs
  const uptimes = () => sinks.map(({ output }) => engine.observe(1).outputs.get(output.id)?.livingTimeS ?? 0)
  const before = byteTotals()

  await first.kill()
  await waitForReason('on-air-backup 1')
  assert.equal(onAir()?.inputId, 3)
  const atSwitch = byteTotals()
  await until(
    () => [...byteTotals()].every(([id, bytes]) => bytes > (atSwitch.get(id) ?? 0) + 40_000),
    'the outputs get data of the backup'
  )
  assert.equal(engine.observe(1).connState, CONNECTION_STATE.connected)

  sendTo(a)
  await waitForReason('on-air-back')
  assert.equal(onAir()?.inputId, 2)
  const atBack = byteTotals()
  await until(
    () => [...byteTotals()].every(([id, bytes]) => bytes > (atBack.get(id) ?? 0) + 40_000),
    'the outputs get data of the first input'
  )

  for (const [id, bytes] of before) assert.ok((byteTotals().get(id) ?? 0) > bytes)
  for (const seconds of uptimes()) assert.ok(seconds >= 4, `${seconds} s of uptime`)
  assert.equal(engine.processCount(), processes)
  for (const { receiver } of sinks) assert.ok(receiver.isRunning())
  const switches = events.filter(({ kind }) => kind === 'channel-switched').map(({ reason }) => reason)
  assert.deepEqual(switches, ['on-air-first', 'on-air-backup 1', 'on-air-back'])
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'output-down'),
    []
  )
  for (const { receiver, file } of sinks) {
    await receiver.kill('SIGTERM')
    const times = readDecodingTimes(file)
    assert.ok(times.length > 75, `${times.length} frames in ${file}`)
    assertIncreasing(times)
  }
})

test('the outputs get the slate until an input carries, and again when none does', async () => {
  const { engine } = fixture
  const port = await freeUdpPort()
  const sink = await rtmpSink(21)
  engine.apply({
    id: 1,
    name: "Nave: 100% 'live'\\",
    enable: true,
    input: udpInput(2, port),
    switch: FAST_RULE,
    slate: true,
    outputs: [sink.output]
  })
  await waitForReason('on-air-slate')
  assert.deepEqual([onAir()?.slate, onAir()?.inputId], [true, undefined])
  await fixture.waitForState(1, CONNECTION_STATE.connected, 21)
  assert.notEqual(engine.observe(1).connState, CONNECTION_STATE.connected)
  const processes = engine.processCount()
  // The relays of the input and of the switch, and one for the output: the slate needs none.
  assert.equal(processes, 3)

  const sender = sendTo(port)
  await waitForReason('on-air-first')
  const before = engine.byteTotals(1).outputs.get(21) ?? 0
  await until(() => (engine.byteTotals(1).outputs.get(21) ?? 0) > before + 40_000, 'the output gets data of the input')
  await sender.kill()
  await waitForReason('on-air-slate')
  assert.equal(onAir()?.inputId, 2)
  const beforeSlate = engine.byteTotals(1).outputs.get(21) ?? 0
  await until(() => (engine.byteTotals(1).outputs.get(21) ?? 0) > beforeSlate + 5000, 'the output gets the slate')

  assert.ok(sink.receiver.isRunning())
  await sink.receiver.kill('SIGTERM')
  assertIncreasing(readDecodingTimes(sink.file))
})

test('adding, moving or removing a backup does not disturb the input on air', async () => {
  const { engine } = fixture
  const [a, b] = [await freeUdpPort(), await freeUdpPort()]
  const sink = await srtSink(31)
  const base: WantedChannel = {
    id: 1,
    name: 'Stage',
    enable: true,
    input: udpInput(2, a),
    switch: FAST_RULE,
    slate: true,
    outputs: [sink.output]
  }
  sendTo(a)
  sendTo(b)
  engine.apply(base)
  // The slate is on air while the sender starts.
  await waitForReason('on-air-first')
  await fixture.waitForState(1, CONNECTION_STATE.connected, 31)
  for (const backups of [[udpInput(3, b)], [udpInput(4, b), udpInput(3, b)], []]) {
    const before = engine.byteTotals(1).outputs.get(31) ?? 0
    engine.apply({ ...base, backups })
    assert.deepEqual([onAir()?.inputId, onAir()?.slate], [2, false])
    await until(() => (engine.byteTotals(1).outputs.get(31) ?? 0) > before + 20_000, 'the output gets more data')
  }
  await until(() => engine.processCount() === 3, 'the processes of the backups have ended')
  engine.apply({ ...base, enable: false })
  await until(() => engine.processCount() === 0, 'all processes have ended')
  assert.equal(onAir(), undefined)
})

test('a replaced first input is on air as soon as it carries, even with a rule that never switches back', async () => {
  const { engine } = fixture
  const [a, b, c] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const wantedChannel: WantedChannel = {
    id: 1,
    name: 'Stage',
    enable: true,
    input: udpInput(2, a),
    backups: [udpInput(3, b)],
    outputs: [],
    switch: { ...FAST_RULE, back: 'never' }
  }
  sendTo(a)
  engine.apply(wantedChannel)
  await waitForReason('on-air-first')
  sendTo(b)
  await until(() => engine.observe(1).backups?.get(3)?.connState === CONNECTION_STATE.connected, 'the backup carries')
  engine.apply({ ...wantedChannel, input: udpInput(4, c) })
  await waitForReason('on-air-backup 1')
  sendTo(c)
  await waitForReason('on-air-first')
  assert.equal(onAir()?.inputId, 4)
})

test('after a start, the choice of an operator is put on air although its input connects after the time of the rule', async () => {
  const { engine, events } = fixture
  const [a, b] = [await freeUdpPort(), await freeUdpPort()]
  sendTo(a)
  engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: udpInput(2, a),
    backups: [udpInput(3, b)],
    switch: FAST_RULE,
    hold: { input: 3, version: 7 },
    outputs: []
  })
  await waitForReason('on-air-first')
  await until(() => engine.observe(1).livingTimeS > 2 * FAST_RULE['after-s'], 'the time of the rule is over')
  sendTo(b)
  await waitForReason('on-air-held-backup 1')
  assert.deepEqual(
    events.filter(({ endedHold }) => endedHold !== undefined),
    []
  )
})

test.run()
