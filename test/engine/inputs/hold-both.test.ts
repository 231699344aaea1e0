// Failover with held media: what a receiver of the output misses.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CONNECTION_STATE, UDP } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import { checkStream } from '../../kit/engine/transport-stream.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('hold both')
fixtureForEach(test)

/** Length of a frame, and of the longest gap that is allowed, in 1/90,000 s. */
const FRAME = 3600
const GAP_MAX = 27_000

let sockets: Socket[]
test.before.each(() => {
  sockets = []
})
test.after.each(() => {
  for (const socket of sockets) socket.close()
})

async function openSocket(onData: (data: Buffer) => void): Promise<number> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 }, onData).bind(0, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'listening')
  return socket.address().port
}

/** Encodes 40 s with a key frame every 2 s, in which no two pictures are the same. */
function encodeClip(name: string, kbps: number): string {
  const path = `${clipPath()}.${name}.ts`
  const { status, stderr } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine=r=48000', '-t', '40'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-pix_fmt', 'yuv420p'],
    ...['-b:v', `${kbps}k`, '-c:a', 'aac', '-f', 'mpegts', '-y', path]
  ])
  assert.equal(status, 0, String(stderr))
  return path
}

interface Picture {
  time: number
  hash: string
}

/** The pictures of a stream in their order. */
function decode(stream: Buffer | string): Picture[] {
  const isFile = typeof stream === 'string'
  const { stdout } = spawnSync(
    'ffmpeg',
    [
      ...['-v', 'error', '-copyts', '-i', isFile ? stream : 'pipe:0', '-map', '0:v', '-fps_mode', 'passthrough'],
      ...['-enc_time_base', '1:90000', '-f', 'framemd5', '-']
    ],
    { ...(!isFile && { input: stream }), encoding: 'utf8', maxBuffer: 64 << 20 }
  )
  return [...stdout.matchAll(/^0, *-?\d+, *(-?\d+),.* ([0-9a-f]{32})$/gm)].map(([, time, hash = '']) => ({
    time: Number(time),
    hash
  }))
}

/** Sends clips to the main input and to the backup, until the main one is lost, and returns the output. */
async function loseMain(holdBoth: boolean, mainClip: string, backupClip: string): Promise<Buffer> {
  const [main, backup] = [await freeUdpPort(), await freeUdpPort()]
  const received: Buffer[] = []
  let isMainLost = false
  // On a loaded machine, a backup that begins at the same time would be put on air instead.
  let hasBackupBegun = false
  const sender = createSocket('udp4')
  sockets.push(sender)
  const send = (clip: string, port: number) =>
    runProcess([
      '-v',
      'error',
      '-re',
      '-i',
      clip,
      '-c',
      'copy',
      '-f',
      'mpegts',
      `udp://127.0.0.1:${port}?pkt_size=1316`
    ])
  const output = await openSocket((data) => received.push(data))
  const feeds = mainClip === backupClip ? [[main, backup]] : [[main], [backup]]
  const ports = await Promise.all(
    feeds.map((targets) =>
      openSocket((data) => {
        for (const port of targets)
          if (port === main ? !isMainLost : hasBackupBegun) sender.send(data, port, '127.0.0.1')
      })
    )
  )
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': output }
  fixture.engine.apply({
    ...channel(1, urlInput(2, `udp://127.0.0.1:${main}`), [{ id: 11, name: 'Out', protocol: UDP, config }]),
    backups: [urlInput(3, `udp://127.0.0.1:${backup}`)],
    switch: { 'after-s': 1, back: 'never', 'back-after-s': 30 },
    'hold-both': holdBoth
  })
  const onAir = () => fixture.engine.observe(1).onAir?.inputId
  const bytes = () => received.reduce((sum, { length }) => sum + length, 0)
  const [mainPort = 0, backupPort] = ports
  send(mainClip, mainPort)
  await until(() => onAir() === 2, 'the main input is on air')
  hasBackupBegun = true
  if (backupPort !== undefined) send(backupClip, backupPort)
  const backupState = () => fixture.engine.observe(1).backups?.get(3)?.connState
  await until(() => backupState() === CONNECTION_STATE.connected, 'the backup has media')
  await until(() => bytes() > 150_000, 'the main input has been on air for some seconds')
  isMainLost = true
  await until(() => onAir() === 3, 'the backup is on air')
  const before = bytes()
  await until(() => bytes() > before + 150_000, 'the backup has been on air for some seconds')
  return Buffer.concat(received)
}

/** The longest time from one picture to the next, in 1/90,000 s. */
const longestStep = (pictures: readonly Picture[]) =>
  Math.max(...pictures.slice(1).map(({ time }, index) => time - (pictures[index]?.time ?? time)))

test('with identical inputs no picture is lost, repeated or late', async () => {
  const clip = encodeClip('same', 300)
  const output = await loseMain(true, clip, clip)
  assert.deepEqual(checkStream(output).unmarked, [])
  const pictures = decode(output)
  const step = longestStep(pictures)
  assert.ok(step <= GAP_MAX, `a gap of ${step / 90} ms`)
  const order = new Map(decode(clip).map(({ hash }, index) => [hash, index]))
  // The picture during which the main input was lost may be damaged.
  const places = pictures.flatMap(({ hash }) => order.get(hash) ?? [])
  const steps = places.slice(1).map((place, index) => place - (places[index] ?? place))
  assert.ok(
    places.length > pictures.length - 60,
    `${places.length} of ${pictures.length} pictures are those of the source`
  )
  assert.ok(Math.min(...steps) > 0, 'no picture is repeated')
  assert.ok(pictures.length > ((pictures.at(-1)?.time ?? 0) - (pictures[0]?.time ?? 0)) / FRAME - 8, 'none is lost')
})

test('with inputs that are encoded separately no picture is late, and none is lost', async () => {
  const output = await loseMain(true, encodeClip('main', 300), encodeClip('backup', 400))
  assert.deepEqual(checkStream(output).unmarked, [])
  const step = longestStep(decode(output))
  assert.ok(step <= GAP_MAX, `a gap of ${step / 90} ms`)
})

test('without held media, the time until the switch is missing', async () => {
  const clip = encodeClip('same', 300)
  const step = longestStep(decode(await loseMain(false, clip, clip)))
  assert.ok(step > 90_000, `a gap of ${step / 90} ms`)
})

test.run()
