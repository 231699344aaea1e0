// A relay under conditions that must not stop it: pauses, slow receivers, malformed input, silent targets.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { RELAY_PROGRAM } from '../../../engine/relay/relay.ts'
import { clipPath } from '../../kit/engine/media.ts'
import {
  collect,
  createSender,
  fixture,
  openSink,
  relayForEach,
  untilCarrying
} from '../../kit/engine/relay-fixture.ts'
import { checkStream } from '../../kit/engine/transport-stream.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { sendPaced } from '../../kit/net/send-paced.ts'
import { until } from '../../kit/until.ts'

const test = suite('robustness of a relay')
relayForEach(test)

const TABLES = 2 * 188

/** Returns the same pseudo-random numbers in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const memoryOf = (pid: number) =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024

async function openPath() {
  const [port, sink] = [await freeUdpPort(), await openSink()]
  await fixture.relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await fixture.relay.addTarget(1, { address: '127.0.0.1', port: sink.port, payloadBytes: 1316, rtp: false })
  return { port, sink }
}

test('a pause of the relay for 3 s loses nothing', async () => {
  const { port, sink } = await openPath()
  const clip = readFileSync(clipPath())
  const sender = createSender(port)
  const half = 70 * 1316
  await sender.replay(clip.subarray(0, half))
  process.kill(fixture.pid(), 'SIGSTOP')
  const pairs = Math.ceil((clip.length - half) / (2 * 1316))
  await sender.replay(clip.subarray(half), Math.ceil(3000 / pairs))
  process.kill(fixture.pid(), 'SIGCONT')
  await until(() => sink.bytes().length >= clip.length - 188, 'all has arrived')
  assert.ok(
    sink
      .bytes()
      .subarray(TABLES)
      .equals(clip.subarray(3 * 188))
  )
})

test('a subscriber that never reads costs a bounded amount of memory and delays nobody', async () => {
  const { relay } = fixture
  const sink = await openSink()
  await relay.addTarget(1, { address: '127.0.0.1', port: sink.port, payloadBytes: 1316, rtp: false })
  const silent = await relay.subscribeProcess(1, { fromCache: true, endsWithStream: false })
  const reading = collect(await relay.subscribeProcess(2, { fromCache: false, endsWithStream: false }))
  const feed = await relay.openFeed()
  const clip = readFileSync(clipPath())
  feed.write(clip)
  await untilCarrying()
  await until(() => reading.length() > clip.length - 3 * 188, 'the reader has it')
  const before = memoryOf(fixture.pid())
  // 40 MB, no faster than the other subscriber reads.
  for (let round = 1; round <= 220; round++) {
    feed.write(clip)
    await until(() => reading.length() > (round + 1) * (clip.length - 3 * 188), 'the reader has it')
  }
  await until(() => relay.report().source.bytes > 200 * clip.length, 'the clips are reported')
  const report = relay.report().subscribers.get(1)
  assert.ok((report?.droppedBytes ?? 0) > 30e6, `${report?.droppedBytes} bytes were dropped`)
  assert.ok((report?.queuedBytes ?? 0) <= 4 << 20)
  const grown = memoryOf(fixture.pid()) - before
  assert.ok(grown < 12e6, `${grown} bytes more`)
  assert.equal(relay.report().subscribers.get(2)?.droppedBytes, 0)
  assert.deepEqual(checkStream(reading.bytes()).unmarked, [])
  silent.destroy()
  await until(() => fixture.endedSubscribers.includes(1), 'its end is noticed')
})

test('malformed datagrams, packets and tables do not end the program', async () => {
  const { port } = await openPath()
  const random = createRandom(7)
  const clip = readFileSync(clipPath())
  const sender = createSender(port)
  const sendBroken = (round: number) => {
    const offset = Math.floor(random() * (clip.length - 2000))
    // Half of them keep the packet boundaries.
    const from = round % 2 === 0 ? offset - (offset % 188) : offset
    const datagram = Buffer.from(clip.subarray(from, from + Math.floor(random() * 1500)))
    for (let byte = 0; byte < 20 && datagram.length > 0; byte++)
      datagram[Math.floor(random() * datagram.length)] = Math.floor(random() * 256)
    void sender.send(datagram)
  }
  await sendPaced(Array(190).keys(), 1, (group) => {
    for (let round = 16 * group; round < 16 * (group + 1); round++) sendBroken(round)
  })
  await sender.replay(clip)
  await untilCarrying()
  assert.deepEqual(fixture.exits, [])
})

test('connections with a wrong or missing first line are closed', async () => {
  const { relay } = fixture
  await relay.openFeed()
  const closed: string[] = []
  for (const line of ['feed 99\n', 'process x\n', `${'x'.repeat(200)}`, '\n', '']) {
    const socket = connect(relay.socketPath, () => line && socket.write(line))
    socket
      .on('close', () => closed.push(line))
      .on('error', () => {})
      .resume()
  }
  await until(() => closed.length === 5, 'all are closed')
})

test('a target without a listener is reported as refused, and receives as soon as it listens', async () => {
  const { relay } = fixture
  const [port, target] = [await freeUdpPort(), await freeUdpPort()]
  await relay.openDatagrams({ address: '127.0.0.1', port, rtp: false })
  await relay.addTarget(1, { address: '127.0.0.1', port: target, payloadBytes: 1316, rtp: false })
  const sender = createSender(port)
  const clip = readFileSync(clipPath())
  await sender.replay(clip)
  await until(() => relay.report().targets.get(1)?.refusedAt !== undefined, 'the refusal is reported')
  const sink = await openSink(target)
  await sender.replay(clip)
  await until(() => sink.bytes().length > clip.length / 2, 'the target receives')
})

test('a multicast group is joined and sent to on the interface of an address', async () => {
  const { relay } = fixture
  const [source, target] = ['239.255.77.1', '239.255.77.2']
  const port = await freeUdpPort()
  await relay.openDatagrams({ address: source, port, iface: '127.0.0.1', rtp: false })
  const sink = await openSink(port, target)
  await relay.addTarget(1, { address: target, port, payloadBytes: 564, rtp: false, ttl: 3, iface: '127.0.0.1' })
  const sender = createSender(port, source)
  const clip = readFileSync(clipPath())
  await sender.replay(clip)
  await until(() => sink.bytes().length >= clip.length - 188, 'the group receives')
  assert.ok(
    sink
      .bytes()
      .subarray(TABLES)
      .equals(clip.subarray(3 * 188))
  )
  assert.ok(sink.datagrams.every(({ length }) => length <= 564))
})

test('an engine that reads no events does not stop the stream', async () => {
  const folder = join(fixture.relay.socketPath, '..')
  const child = spawn(RELAY_PROGRAM, [join(folder, 'other')], { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
  const [port, sink] = [await freeUdpPort(), await openSink()]
  // Nothing reads descriptor 3, whose buffer is full after some hundred commands.
  for (let round = 0; round < 20_000; round++) child.stdin?.write('nonsense\n')
  child.stdin?.write(`datagrams\t1\t127.0.0.1\t${port}\t\t\t0\n`)
  child.stdin?.write(`target\t1\t127.0.0.1\t${sink.port}\t1316\t0\t1\t\n`)
  try {
    const clip = readFileSync(clipPath())
    const sender = createSender(port)
    await until(() => isBound(port), 'the port is open')
    await sender.replay(clip)
    await until(() => sink.bytes().length >= clip.length - 188, 'the stream has passed')
  } finally {
    child.kill('SIGKILL')
  }
})

/** Whether a UDP port of the loopback interface is in use. */
const isBound = (port: number) =>
  readFileSync('/proc/net/udp', 'utf8').includes(`0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`)

test('the end of the program is reported with its connections', async () => {
  const { relay } = fixture
  const subscriber = collect(await relay.subscribeProcess(1, { fromCache: false, endsWithStream: false }))
  process.kill(fixture.pid(), 'SIGKILL')
  await until(() => fixture.exits.length === 1 && subscriber.hasEnded(), 'the end is noticed')
  await assert.rejects(relay.openDatagrams({ address: '127.0.0.1', port: 1, rtp: false }), /has ended/)
  await assert.rejects(relay.openFeed(), /has ended/)
})

test.run()
