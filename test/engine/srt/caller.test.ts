// SRT callers with the real program: their statistics are compared with counts from the network path.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import type { LegReport } from '../../../contract/stream/channel-history.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../contract/stream/source.ts'
import type { SourceUrl } from '../../../contract/stream/source-url.ts'
import type { WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { SRT_PROGRAM } from '../../../engine/srt/caller.ts'
import type { SrtPortKey } from '../../../engine/srt/port-key.ts'
import { SrtPort } from '../../../engine/srt/srt-port.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, type RunningProcess, runProcess, startReceiver } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { createLossyPath, type LossyPath } from '../lossy-path.ts'

const test = suite('SRT caller')

const PASSPHRASE = 'a word of honour'

let path: LossyPath | undefined

fixtureForEach(test)
test.after.each(() => {
  path?.close()
  path = undefined
})

const callerInput = (port: number, options: Partial<NonNullable<SourceUrl['srt']>> = {}): WantedInput => ({
  id: 10,
  name: 'Far',
  kind: 'url',
  url: {
    protocol: 2,
    scheme: 'srt',
    host: '127.0.0.1',
    port,
    path: '',
    srt: { mode: 'caller', latency: 300, streamId: '', passphrase: '', ...options }
  }
})
const callerOutput = (id: number, port: number, config: Partial<SrtOutput> = {}): WantedOutput => ({
  id,
  name: `Target ${id}`,
  protocol: 2,
  config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port, latency: 300, ...config }
})
const apply = (input: WantedInput, outputs: WantedOutput[] = []) =>
  fixture.engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs })

const report = (output?: number): LegReport => {
  const legReport = fixture.engine.legStats(1, output)?.report(0)
  if (!legReport) throw new Error('The leg has no statistics')
  return legReport
}

/** Waits until a process listens at a port. An earlier call would fail and delay the next one. */
const waitForListener = (port: number) => {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return until(() => readFileSync('/proc/net/udp', 'utf8').includes(address), `there is a listener at port ${port}`)
}

/** Starts a sender that waits for an SRT caller. */
async function startSender(): Promise<{ port: number; process: RunningProcess }> {
  const port = await freeUdpPort()
  const process = runProcess([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts'],
    `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316&latency=300000`
  ])
  await waitForListener(port)
  return { port, process }
}

/** Checks that a reported value is within 5 % of the counted one, plus an absolute tolerance. */
function assertClose(counter: string, reported: number | undefined, counted: number, tolerance = 0): void {
  assert.ok(
    reported !== undefined && Math.abs(reported - counted) <= 0.05 * counted + tolerance,
    `${counter}: ${reported} reported, ${counted} counted`
  )
}

test('lost and recovered packets and the round-trip time of an input match the network path', async () => {
  path = await createLossyPath({ targetPort: (await startSender()).port, loseEvery: 5, delayMs: 20 })
  // The path is in this process, which may be busy for longer than the default latency.
  apply(callerInput(path.port, { latency: 1000 }))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const lostPackets = () => report()['pkt-loss-total'] ?? 0
  await until(
    () => lostPackets() >= 30,
    () => `thirty packets are lost: ${JSON.stringify(report())}`
  )
  // The statistics are up to two seconds behind the network path.
  const [before, counted] = [lostPackets(), path.lostPackets]
  await until(() => lostPackets() >= counted, 'all of them are reported')
  assert.ok(before <= counted)
  const values = report()
  assertClose('recovered', values['pkt-recovered-total'], values['pkt-loss-total'] ?? 0, 2)
  assert.equal(values['pkt-drop-total'], 0)
  assert.equal(values['pkt-retrans-total'], undefined)
  assert.equal(values['ts-cc-errors-total'], 0)
  assertClose('packets', values.packets, path.mediaPackets, path.mediaPackets / 5)
  const roundTrip = () => report()['rtt-ms'] ?? 0
  await until(
    () => roundTrip() >= 40 && roundTrip() < 60,
    () => `the round-trip time is measured: ${roundTrip()} ms`
  )
})

test('retransmitted packets of an output match the network path, and its bytes are those that arrived', async () => {
  const receiverPort = await freeUdpPort()
  const receiver = startReceiver(`srt://127.0.0.1:${receiverPort}?mode=listener&latency=300000`)
  await waitForListener(receiverPort)
  path = await createLossyPath({ targetPort: receiverPort, loseEvery: 5, delayMs: 5 })
  const { port, process } = await startSender()
  apply(callerInput(port), [callerOutput(7, path.port)])
  await fixture.waitForState(1, CONNECTION_STATE.connected, 7)
  const retransmitted = () => report(7)['pkt-retrans-total'] ?? 0
  await until(
    () => retransmitted() >= 30,
    () => `thirty packets are retransmitted: ${JSON.stringify(report(7))}`
  )
  const countedOnPath = path.retransmittedPackets
  await until(() => retransmitted() >= countedOnPath, 'all of them are reported')
  await process.kill()
  const total = () => fixture.engine.byteTotals(1).outputs.get(7) ?? 0
  await until(() => total() > 0 && report(7).bytes === total(), 'all bytes are counted')
  await until(() => receiver.bytes() >= total() * 0.95, 'they have arrived')
  // The receiver also gets null packets, which the output does not count: two messages per second while there is no
  // stream.
  assertClose('bytes', total(), receiver.bytes(), 10 * 1316)
  // The receiver may report a packet as lost again before its retransmission arrives.
  const lostPackets = report(7)['pkt-loss-total'] ?? 0
  assert.ok(
    lostPackets >= path.lostPackets * 0.95 - 4 && lostPackets <= path.retransmittedPackets * 1.05 + 4,
    `${lostPackets} of ${path.lostPackets} to ${path.retransmittedPackets}`
  )
  assertClose('retransmitted', retransmitted(), path.retransmittedPackets, 1)
  assert.equal(report(7)['pkt-recovered-total'], undefined)
})

test('a device that pushes has a round-trip time and packet counts', async () => {
  apply({ id: 10, name: 'Camera', kind: 'device', sn: 'A1' })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await until(
    () => (report().packets ?? 0) > 30 && report()['rtt-ms'] !== undefined,
    () => `packets are counted: ${JSON.stringify(report())}`
  )
  assert.deepEqual([report()['pkt-loss-total'], report()['pkt-drop-total']], [0, 0])
})

test('totals continue after a lost connection, whose round-trip time is not reported', async () => {
  const port = await freeUdpPort()
  const startListener = () =>
    runProcess([
      ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts'],
      `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`
    ])
  const first = startListener()
  await waitForListener(port)
  apply(callerInput(port))
  await until(() => fixture.engine.legStats(1) !== undefined && (report().packets ?? 0) > 50, 'packets are counted')
  await first.kill('SIGTERM')
  await fixture.waitForState(1, CONNECTION_STATE.disconnected)
  assert.equal(fixture.engine.observe(1).reason, 'other-end')
  await until(() => report()['rtt-ms'] === undefined, 'the round-trip time is not reported')
  const { packets = 0 } = report()
  startListener()
  await until(() => (report().packets ?? 0) > packets + 20, 'more packets are counted')
  assert.ok(report()['rtt-ms'] !== undefined)
})

/** Opens an SRT port with the given keys. */
function openSrtPort(keys: readonly SrtPortKey[]): SrtPort {
  const port = new SrtPort({
    launcher: createLauncher(),
    program: SRT_PROGRAM,
    host: '127.0.0.1',
    port: 0,
    keyLength: 0,
    onConnect() {},
    onDisconnect() {},
    onRefusal() {},
    onChange() {},
    now: () => performance.now()
  })
  port.setKeys(keys)
  return port
}

test('bytes of a call are counted even if the other end leaves before the first report', async () => {
  const ports = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  // Each receiver leaves within a second, after a different number of bytes.
  const receivers = ports.map((port, n) =>
    runProcess([
      ...['-v', 'error', '-f', 'data', '-i', `srt://127.0.0.1:${port}?mode=listener`, '-map', '0', '-c', 'copy'],
      ...['-fs', String(10_000 + 3000 * n), '-flush_packets', '1', '-f', 'data', '-y', '/dev/null']
    ])
  )
  apply(
    { id: 9, name: 'Camera', kind: 'device', sn: 'A1' },
    ports.map((port, n) => callerOutput(n, port))
  )
  for (const receiver of receivers) await until(() => !receiver.isRunning(), 'the receivers have left')
  const byteTotals = () => ports.map((_, n) => fixture.engine.byteTotals(1).outputs.get(n) ?? 0)
  await until(
    () => byteTotals().every((bytes) => bytes > 5000),
    () => `bytes are counted: ${byteTotals()}`
  )
})

test('each kind of refusal has its state and reason', async () => {
  const shared = { passphrase: '', keyLength: 0, latency: 120, maxClients: 1, allowIp: [] } as const
  const port = openSrtPort([
    { ...shared, token: 'open', isPublisher: true, name: 'OPEN', maxClients: 9 },
    { ...shared, token: 'locked', isPublisher: true, name: 'LOCKED', passphrase: PASSPHRASE, keyLength: 16 },
    { ...shared, token: 'far', isPublisher: true, name: 'FAR', allowIp: ['10.0.0.0/8'] },
    { ...shared, token: 'play', isPublisher: false, name: 'PLAY' }
  ])
  try {
    await until(() => port.port() !== undefined, 'the port is open')
    const portNumber = port.port() ?? 0
    const [silent, closed] = [createSocket('udp4').unref(), await freeUdpPort()]
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const secret = { enc: 'aes-128', passphrase: 'another word' } as const
    const cases: [WantedOutput, number, string][] = [
      [callerOutput(1, portNumber, { 'stream-id': 'NONE' }), CONNECTION_STATE.refused, 'stream-id-unknown'],
      [
        callerOutput(2, portNumber, { 'stream-id': 'LOCKED', ...secret }),
        CONNECTION_STATE.notAuthorized,
        'passphrase-refused'
      ],
      [callerOutput(3, portNumber, { 'stream-id': 'FAR' }), CONNECTION_STATE.notAuthorized, 'not-allowed'],
      [
        callerOutput(4, portNumber, { 'stream-id': 'publish.srt/live/PLAY' }),
        CONNECTION_STATE.refused,
        'wrong-direction'
      ],
      [
        callerOutput(5, portNumber, { 'dst-ip': 'nobody.invalid', 'stream-id': 'OPEN' }),
        CONNECTION_STATE.nameNotFound,
        'name-unknown nobody.invalid'
      ],
      [callerOutput(6, silent.address().port), CONNECTION_STATE.failed, 'no-answer'],
      [callerOutput(7, closed), CONNECTION_STATE.refused, 'no-one-there'],
      [callerOutput(8, portNumber, { 'stream-id': 'OPEN' }), CONNECTION_STATE.connected, '']
    ]
    apply(
      callerInput((await startSender()).port),
      cases.map(([output]) => output)
    )
    for (const [output, state, reason] of cases) {
      await fixture.waitForState(1, state, output.id)
      assert.equal(fixture.engine.observe(1).outputs.get(output.id)?.reason ?? '', reason)
    }
  } finally {
    await port.close()
  }
})

test('a passphrase and a stream ID are not in the process list, and a call is closed properly at its end', async () => {
  const port = openSrtPort([
    {
      token: 'locked',
      isPublisher: true,
      name: 'LOCKED',
      passphrase: PASSPHRASE,
      keyLength: 32,
      latency: 120,
      maxClients: 1,
      allowIp: []
    }
  ])
  try {
    await until(() => port.port() !== undefined, 'the port is open')
    const config = { 'stream-id': 'LOCKED', enc: 'aes-256', passphrase: PASSPHRASE } as const
    const input = callerInput((await startSender()).port)
    apply(input, [callerOutput(7, port.port() ?? 0, config)])
    await fixture.waitForState(1, CONNECTION_STATE.connected, 7)
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const commands = children.map((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    assert.ok(commands.some((line) => line.includes('headend-srt call')))
    assert.doesNotMatch(commands.join('\n'), /honour|LOCKED/)
    // The place is free at once. Without a proper close, the port would wait for the timeout of the connection, 5 s.
    for (let turn = 0; turn < 2; turn++) {
      apply(input)
      await until(() => port.clients().length === 0, 'the caller has left')
      apply(input, [callerOutput(7, port.port() ?? 0, config)])
      await fixture.waitForState(1, CONNECTION_STATE.connected, 7)
    }
  } finally {
    await port.close()
  }
})

test('two ends that call each other at the same time meet, encrypted, and a port in use is named', async () => {
  const [near, far] = [await freeUdpPort(), await freeUdpPort()]
  const secret = { enc: 'aes-128', passphrase: PASSPHRASE } as const
  const output = callerOutput(11, far, { mode: 'rendezvous', 'bind-port': near, ...secret })
  await apply(callerInput((await startSender()).port), [output])
  const input = callerInput(near, { mode: 'rendezvous', localPort: far, passphrase: PASSPHRASE })
  await fixture.engine.apply({ id: 2, name: 'Far', enable: true, input, outputs: [] })
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 11)
  const taken = createSocket({ type: 'udp4', reuseAddr: false })
  await new Promise<void>((resolve) => taken.bind(0, resolve))
  const other = callerInput(near, { mode: 'rendezvous', localPort: taken.address().port })
  await fixture.engine.apply({ id: 3, name: 'Third', enable: true, input: other, outputs: [] })
  await until(
    () => fixture.engine.observe(3).input.reason === `port-taken ${taken.address().port}`,
    () => `the port is named: ${JSON.stringify(fixture.engine.observe(3).input)}`
  )
  taken.close()
})

test.run()
