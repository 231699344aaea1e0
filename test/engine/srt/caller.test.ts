// Calls over SRT with the real program: what it says of the connection, beside what was counted on the way.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import type { LegReport } from '../../../contract/stream/channel-history.ts'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../contract/stream/source.ts'
import type { SourceUrl } from '../../../contract/stream/source-url.ts'
import type { WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { SRT_PROGRAM } from '../../../engine/srt/caller.ts'
import { createSrtPort, type PortKey, type SrtPort } from '../../../engine/srt/srt-port.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach } from '../bench.ts'
import { createPath, type Path } from '../lossy-path.ts'
import { clip, type Running, receive, run, until } from '../media.ts'

const test = suite('call')

const PASSPHRASE = 'a word of honour'

let path: Path | undefined

benchForEach(test)
test.after.each(() => {
  path?.close()
  path = undefined
})

const caller = (port: number, more: Partial<NonNullable<SourceUrl['srt']>> = {}, host = '127.0.0.1'): WantedInput => ({
  id: 10,
  name: 'Far',
  kind: 'url',
  url: {
    ...{ protocol: 2, scheme: 'srt', host, port, path: '' },
    srt: { mode: 'caller', latency: 300, streamId: '', passphrase: '', ...more }
  }
})
const target = (id: number, port: number, more: Partial<SrtOutput> = {}): WantedOutput => ({
  ...{ id, name: `Target ${id}`, protocol: 2 },
  config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port, latency: 300, ...more }
})
const apply = (input: WantedInput, outputs: WantedOutput[] = []) =>
  bench.engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs })

const report = (output?: number): LegReport => {
  const made = bench.engine.figures(1, output)?.report(0)
  if (!made) throw new Error('nothing was measured')
  return made
}

/** Waits until somebody listens: a call that comes before is not heard, and the next one waits. */
const listens = (port: number) => {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return until(`somebody at ${port}`, () => readFileSync('/proc/net/udp', 'utf8').includes(address))
}

/** A sender that waits for calls. */
async function sender(): Promise<{ port: number; process: Running }> {
  const port = await freeUdpPort()
  const process = run([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', 'mpegts'],
    `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316&latency=300000`
  ])
  await listens(port)
  return { port, process }
}

function near(what: string, said: number | undefined, counted: number, give = 0): void {
  assert.ok(
    said !== undefined && Math.abs(said - counted) <= 0.05 * counted + give,
    `${what}: ${said} said, ${counted} counted`
  )
}

test('of an input loss, recovered packets and the round trip are what happened on the way', async () => {
  path = await createPath({ to: (await sender()).port, nth: 5, delay: 20 })
  apply(caller(path.port))
  await bench.reaches(1, CONNECTION.connected)
  const lost = () => report()['pkt-loss-total'] ?? 0
  await until(
    () => `thirty lost packets: ${JSON.stringify(report())}`,
    () => lost() >= 30
  )
  // What is told is up to two seconds behind the way.
  const [before, counted] = [lost(), path.lost]
  await until('all of them are told', () => lost() >= counted)
  assert.ok(before <= counted)
  const said = report()
  near('recovered', said['pkt-recovered-total'], said['pkt-loss-total'] ?? 0, 2)
  assert.equal(said['pkt-drop-total'], 0)
  assert.equal(said['pkt-retrans-total'], undefined)
  assert.equal(said['ts-cc-errors-total'], 0)
  assert.ok((said['rtt-ms'] ?? 0) >= 40 && (said['rtt-ms'] ?? 0) < 60, `${said['rtt-ms']} ms`)
  near('packets', said.packets, path.media, path.media / 5)
})

test('of an output what was sent once more is what came once more on the way; bytes are those that arrived', async () => {
  const arrives = await freeUdpPort()
  const receiver = receive(`srt://127.0.0.1:${arrives}?mode=listener&latency=300000`)
  await listens(arrives)
  path = await createPath({ to: arrives, nth: 5, delay: 5 })
  const { port, process } = await sender()
  apply(caller(port), [target(7, path.port)])
  await bench.reaches(1, CONNECTION.connected, 7)
  const again = () => report(7)['pkt-retrans-total'] ?? 0
  await until(
    () => `thirty packets once more: ${JSON.stringify(report(7))}`,
    () => again() >= 30
  )
  const way = path.again
  await until('all of them are told', () => again() >= way)
  await process.kill()
  const total = () => bench.engine.counted(1).outputs.get(7) ?? 0
  await until('all was counted', () => total() > 0 && report(7).bytes === total())
  await until('it has arrived', () => receiver.bytes() >= total() * 0.95)
  // Beside the stream come null packets, which are not counted: two messages a second, since there is nothing else to send.
  near('bytes', total(), receiver.bytes(), 10 * 1316)
  // The other end may report the same packet again before it comes once more.
  const lost = report(7)['pkt-loss-total'] ?? 0
  assert.ok(lost >= path.lost * 0.95 - 4 && lost <= path.again * 1.05 + 4, `${lost} of ${path.lost} to ${path.again}`)
  near('once more', again(), path.again, 1)
  assert.equal(report(7)['pkt-recovered-total'], undefined)
})

test('a device that pushes has a round trip and packets, too', async () => {
  apply({ id: 10, name: 'Camera', kind: 'device', sn: 'A1' })
  await bench.reaches(1, CONNECTION.connected)
  await until(
    () => `packets came: ${JSON.stringify(report())}`,
    () => (report().packets ?? 0) > 30 && report()['rtt-ms'] !== undefined
  )
  assert.deepEqual([report()['pkt-loss-total'], report()['pkt-drop-total']], [0, 0])
})

test('totals go on through a connection that breaks; the round trip of one that is gone is not told', async () => {
  const port = await freeUdpPort()
  const send = () =>
    run([
      ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', 'mpegts'],
      `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`
    ])
  const first = send()
  await listens(port)
  apply(caller(port))
  await until('packets came', () => bench.engine.figures(1) !== undefined && (report().packets ?? 0) > 50)
  await first.kill('SIGTERM')
  await bench.reaches(1, CONNECTION.disconnected)
  assert.equal(bench.engine.observe(1).reason, 'other-end')
  await until('the round trip is old', () => report()['rtt-ms'] === undefined)
  const { packets = 0 } = report()
  send()
  await until('more came', () => (report().packets ?? 0) > packets + 20)
  assert.ok(report()['rtt-ms'] !== undefined)
})

/** A port that knows a few stream ids, and refuses for many reasons. */
function knowing(keys: readonly PortKey[]): SrtPort {
  const port = createSrtPort({
    launcher: createLauncher(),
    ...{ program: SRT_PROGRAM, host: '127.0.0.1', port: 0, keyLength: 0 },
    enter: (_, socket) => socket.resume(),
    leave() {},
    refused() {},
    changed() {},
    now: () => performance.now()
  })
  port.set(keys)
  return port
}

test('what a call carried is counted though the other end left before it was time to tell', async () => {
  const ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  // Each leaves after a part of a second, which is another one for each.
  const takers = ports.map((port, n) =>
    run([
      ...['-v', 'error', '-f', 'data', '-i', `srt://127.0.0.1:${port}?mode=listener`, '-map', '0', '-c', 'copy'],
      ...['-fs', String(10_000 + 3000 * n), '-flush_packets', '1', '-f', 'data', '-y', '/dev/null']
    ])
  )
  apply(
    { id: 9, name: 'Camera', kind: 'device', sn: 'A1' },
    ports.map((port, n) => target(n, port))
  )
  for (const taker of takers) await until('they leave', () => !taker.running())
  const counted = () => ports.map((_, n) => bench.engine.counted(1).outputs.get(n) ?? 0)
  await until(
    () => `${counted()}`,
    () => counted().every((bytes) => bytes > 5000),
    2000
  )
})

test('each way to be turned away has its state and its cause', async () => {
  const shared = { passphrase: '', keyLength: 0, latency: 120, max: 1, from: [] } as const
  const port = knowing([
    { ...shared, token: 'open', sends: true, name: 'OPEN', max: 9 },
    { ...shared, token: 'locked', sends: true, name: 'LOCKED', passphrase: PASSPHRASE, keyLength: 16 },
    { ...shared, token: 'far', sends: true, name: 'FAR', from: ['10.0.0.0/8'] },
    { ...shared, token: 'play', sends: false, name: 'PLAY' }
  ])
  try {
    await until('the port is open', () => port.port() !== undefined)
    const at = port.port() ?? 0
    const silent = await freeUdpPort()
    const secret = { enc: 'aes-128', passphrase: 'another word' } as const
    const cases: [WantedOutput, number, string][] = [
      [target(1, at, { 'stream-id': 'NONE' }), CONNECTION.refused, 'stream-id-unknown'],
      [target(2, at, { 'stream-id': 'LOCKED', ...secret }), CONNECTION.notAuthorized, 'passphrase-refused'],
      [target(3, at, { 'stream-id': 'FAR' }), CONNECTION.notAuthorized, 'not-allowed'],
      [target(4, at, { 'stream-id': 'publish.srt/live/PLAY' }), CONNECTION.refused, 'wrong-direction'],
      [
        target(5, at, { 'dst-ip': 'nobody.invalid', 'stream-id': 'OPEN' }),
        CONNECTION.nameNotFound,
        'name-unknown nobody.invalid'
      ],
      [target(6, silent), CONNECTION.failed, 'no-answer'],
      [target(7, at, { 'stream-id': 'OPEN' }), CONNECTION.connected, '']
    ]
    apply(
      caller((await sender()).port),
      cases.map(([output]) => output)
    )
    for (const [output, state, reason] of cases) {
      await bench.reaches(1, state, output.id)
      assert.equal(bench.engine.observe(1).outputs.get(output.id)?.reason ?? '', reason)
    }
  } finally {
    await port.close()
  }
})

test('a passphrase and a stream id are in no list of processes, and a call ends with a goodbye', async () => {
  const port = knowing([
    {
      ...{ token: 'locked', sends: true, name: 'LOCKED', passphrase: PASSPHRASE, keyLength: 32 },
      ...{ latency: 120, max: 1, from: [] }
    }
  ])
  try {
    await until('the port is open', () => port.port() !== undefined)
    const more = { 'stream-id': 'LOCKED', enc: 'aes-256', passphrase: PASSPHRASE } as const
    const from = caller((await sender()).port)
    apply(from, [target(7, port.port() ?? 0, more)])
    await bench.reaches(1, CONNECTION.connected, 7)
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const words = children.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    assert.ok(words.some((line) => line.includes('headend-srt call')))
    assert.doesNotMatch(words.join('\n'), /honour|LOCKED/)
    // Its place is free at once: nobody who waits for a silent one would let it in again so soon.
    for (let turn = 0; turn < 2; turn++) {
      apply(from)
      await until('it has left', () => port.clients().length === 0, 2000)
      apply(from, [target(7, port.port() ?? 0, more)])
      await bench.reaches(1, CONNECTION.connected, 7)
    }
  } finally {
    await port.close()
  }
})

test.run()
