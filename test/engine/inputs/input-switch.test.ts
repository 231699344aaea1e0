import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import type { SwitchRule } from '../../../contract/stream/channel.ts'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import type { Wanted, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach } from '../bench.ts'
import { type Running, run, send, until } from '../media.ts'
import { source } from '../wanted.ts'

const test = suite('switchboard')

const folder = mkdtempSync(join(tmpdir(), 'headend-switch-'))
benchForEach(test)
test.after(() => {
  rmSync(folder, { recursive: true })
})

const QUICK: SwitchRule = { 'after-s': 2, back: 'first', 'back-after-s': 2 }

const from = (id: number, port: number) => source(id, `udp://127.0.0.1:${port}`)

const feed = (port: number): Running => send('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)

/** An output, and somebody who keeps what comes out of it in a file. */
interface Sink {
  output: WantedOutput
  taker: Running
  file: string
}

async function rtmpSink(id: number): Promise<Sink> {
  const port = await freeTcpPort()
  const file = join(folder, `${id}.ts`)
  const from = ['-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/key`]
  const taker = run(['-v', 'error', ...from, '-c', 'copy', '-copyts', '-f', 'mpegts', '-y', file])
  return {
    output: { id, name: 'RTMP', protocol: 1, config: { url: `rtmp://127.0.0.1:${port}/live`, key: 'key' } },
    taker,
    file
  }
}

async function srtSink(id: number): Promise<Sink> {
  const port = await freeUdpPort()
  const file = join(folder, `${id}.ts`)
  const from = ['-f', 'data', '-i', `srt://127.0.0.1:${port}?mode=listener`]
  const taker = run(['-v', 'error', ...from, '-map', '0', '-c', 'copy', '-f', 'data', '-y', file])
  return {
    output: { id, name: 'SRT', protocol: 2, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } },
    taker,
    file
  }
}

/** Decoding times of the pictures that an independent reader finds. */
function times(file: string): number[] {
  const read = spawnSync('ffprobe', [
    ...['-v', 'quiet', '-select_streams', 'v:0', '-show_entries', 'packet=dts_time', '-of', 'csv=p=0', file]
  ])
  return String(read.stdout).split('\n').map(Number.parseFloat).filter(Number.isFinite)
}

function grow(all: readonly number[]): void {
  all.forEach((time, at) => {
    assert.ok(at === 0 || time > (all[at - 1] ?? 0), `${time} after ${all[at - 1]}`)
  })
}

const onAir = () => bench.engine.observe(1).onAir
const reached = (why: string) =>
  until(
    () => `${why}: ${JSON.stringify(onAir())}`,
    () => onAir()?.why === why
  )

test('a backup takes over while outputs stay connected, and the first comes back', async () => {
  const { engine, events } = bench
  const [a, b] = [await freeUdpPort(), await freeUdpPort()]
  const sinks = [await rtmpSink(11), await srtSink(12)]
  const wanted: Wanted = {
    ...{ id: 1, name: 'Stage', enable: true, input: from(2, a), backups: [from(3, b)], switch: QUICK },
    outputs: sinks.map(({ output }) => output)
  }
  const first = feed(a)
  engine.apply(wanted)
  await reached('on-air-first')
  feed(b)
  for (const { output } of sinks) await bench.reaches(1, CONNECTION.connected, output.id)
  assert.equal(onAir()?.input, 2)
  await until('the backup to carry', () => engine.observe(1).backups?.get(3)?.connState === CONNECTION.connected)
  const processes = engine.processes()
  const counted = () => engine.counted(1).outputs
  const lived = () => sinks.map(({ output }) => engine.observe(1).outputs.get(output.id)?.livingTimeS ?? 0)
  const before = counted()

  await first.kill()
  await reached('on-air-backup 1')
  assert.equal(onAir()?.input, 3)
  const atSwitch = counted()
  await until('bytes of the backup', () =>
    [...counted()].every(([id, bytes]) => bytes > (atSwitch.get(id) ?? 0) + 40_000)
  )
  assert.equal(engine.observe(1).connState, CONNECTION.connected)

  feed(a)
  await reached('on-air-back')
  assert.equal(onAir()?.input, 2)
  const atBack = counted()
  await until('bytes of the first', () => [...counted()].every(([id, bytes]) => bytes > (atBack.get(id) ?? 0) + 40_000))

  for (const [id, bytes] of before) assert.ok((counted().get(id) ?? 0) > bytes)
  for (const seconds of lived()) assert.ok(seconds >= 4, `${seconds} s without a break`)
  assert.equal(engine.processes(), processes)
  for (const { taker } of sinks) assert.ok(taker.running())
  const told = events.filter(({ kind }) => kind === 'channel-switched').map(({ reason }) => reason)
  assert.deepEqual(told, ['on-air-first', 'on-air-backup 1', 'on-air-back'])
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'output-down'),
    []
  )
  for (const { taker, file } of sinks) {
    await taker.kill('SIGTERM')
    const all = times(file)
    assert.ok(all.length > 75, `${all.length} pictures in ${file}`)
    grow(all)
  }
})

test('a still picture is given until an input carries, and again when none does', async () => {
  const { engine } = bench
  const port = await freeUdpPort()
  const sink = await rtmpSink(21)
  engine.apply({
    ...{ id: 1, name: "Nave: 100% 'live'\\", enable: true, input: from(2, port), switch: QUICK, slate: true },
    outputs: [sink.output]
  })
  await reached('on-air-slate')
  assert.deepEqual([onAir()?.slate, onAir()?.input], [true, undefined])
  await bench.reaches(1, CONNECTION.connected, 21)
  assert.notEqual(engine.observe(1).connState, CONNECTION.connected)
  const processes = engine.processes()
  // Its input and its output: the picture needs none.
  assert.equal(processes, 2)

  const sender = feed(port)
  await reached('on-air-first')
  const before = engine.counted(1).outputs.get(21) ?? 0
  await until('the input at the output', () => (engine.counted(1).outputs.get(21) ?? 0) > before + 40_000)
  await sender.kill()
  await reached('on-air-slate')
  assert.equal(onAir()?.input, 2)
  const still = engine.counted(1).outputs.get(21) ?? 0
  await until('the slate at the output', () => (engine.counted(1).outputs.get(21) ?? 0) > still + 5000)

  assert.ok(sink.taker.running())
  await sink.taker.kill('SIGTERM')
  grow(times(sink.file))
})

test('a backup that is added, moved or taken away leaves what is on air', async () => {
  const { engine } = bench
  const [a, b] = [await freeUdpPort(), await freeUdpPort()]
  const sink = await srtSink(31)
  const base: Wanted = {
    ...{ id: 1, name: 'Stage', enable: true, input: from(2, a), switch: QUICK, slate: true },
    outputs: [sink.output]
  }
  feed(a)
  feed(b)
  engine.apply(base)
  await bench.reaches(1, CONNECTION.connected, 31)
  for (const backups of [[from(3, b)], [from(4, b), from(3, b)], []]) {
    const before = engine.counted(1).outputs.get(31) ?? 0
    engine.apply({ ...base, backups })
    assert.deepEqual([onAir()?.input, onAir()?.slate], [2, false])
    await until('more bytes', () => (engine.counted(1).outputs.get(31) ?? 0) > before + 20_000)
  }
  await until('the backup to be let go', () => engine.processes() === 2)
  engine.apply({ ...base, enable: false })
  await until('all to end', () => engine.processes() === 0)
  assert.equal(onAir(), undefined)
})

test('another first input is on air as soon as it carries, also with a rule that never goes back', async () => {
  const { engine } = bench
  const [a, b, c] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  const wanted: Wanted = {
    ...{ id: 1, name: 'Stage', enable: true, input: from(2, a), backups: [from(3, b)], outputs: [] },
    switch: { ...QUICK, back: 'never' }
  }
  feed(a)
  engine.apply(wanted)
  await reached('on-air-first')
  feed(b)
  await until('the backup to carry', () => engine.observe(1).backups?.get(3)?.connState === CONNECTION.connected)
  engine.apply({ ...wanted, input: from(4, c) })
  await reached('on-air-backup 1')
  feed(c)
  await reached('on-air-first')
  assert.equal(onAir()?.input, 4)
})

test.run()
