// The longest latency there is, at a rate at which SRT's own buffers would be full before it has passed.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { suite } from 'uvu'
import { LATENCY_MAX } from '../../../contract/limits.ts'
import { NULL_PACKETS } from '../../../engine/mpegts/packets.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { makeCall, SRT_PROGRAM } from '../../../engine/srt/caller.ts'
import { createSrtPort } from '../../../engine/srt/srt-port.ts'
import type { SrtFigures } from '../../../engine/srt/srt-stats.ts'
import { until } from '../media.ts'

const test = suite('room of a call')

/** Packets that SRT holds without being told to hold more. */
const USUAL = 8192
/** Packets each 20 ms: 21 Mbps. */
const AT_ONCE = 40

test('what comes while the latency passes has room in a call', async () => {
  const launcher = createLauncher()
  let player: Socket | undefined
  const port = createSrtPort({
    ...{ launcher, program: SRT_PROGRAM, host: '127.0.0.1', port: 0, keyLength: 0 },
    enter(_, socket) {
      player = socket
    },
    leave() {},
    refused() {},
    changed() {},
    now: () => performance.now()
  })
  port.set([
    {
      ...{ token: 'play', sends: false, name: 'PLAY', passphrase: '', keyLength: 0 },
      ...{ latency: LATENCY_MAX, max: 1, from: [] }
    }
  ])
  let timer: NodeJS.Timeout | undefined
  try {
    await until('the port is open', () => port.port() !== undefined)
    let figures: SrtFigures | undefined
    const call = makeCall(
      {
        ...{ receives: true, host: '127.0.0.1', port: port.port() ?? 0, streamId: 'PLAY', passphrase: '' },
        ...{ keyLength: 0, latency: LATENCY_MAX, overhead: 0 }
      },
      SRT_PROGRAM,
      {
        opened() {},
        figures(told) {
          figures = told
        }
      }
    )
    let arrived = 0
    launcher.run({
      args: [],
      ...call?.launch,
      gives(chunk) {
        arrived += chunk.length
      },
      ended() {}
    })
    await until('it is answered', () => player !== undefined)
    const piece = Buffer.concat(Array(AT_ONCE).fill(NULL_PACKETS))
    timer = setInterval(() => player && player.writableLength < 4e6 && player.write(piece), 20)
    await until(
      () => `more has come than usually fits: ${JSON.stringify(figures)}`,
      () => (figures?.packets ?? 0) > USUAL + 1000
    )
    assert.equal(figures?.dropped, 0)
    assert.equal(arrived, 0)
  } finally {
    clearInterval(timer)
    await Promise.all([launcher.stopAll(), port.close()])
  }
})

test('and so it has in what comes to a port', async () => {
  const launcher = createLauncher()
  let arrived = 0
  const port = createSrtPort({
    ...{ launcher, program: SRT_PROGRAM, host: '127.0.0.1', port: 0, keyLength: 0, latency: LATENCY_MAX },
    enter(_, socket) {
      socket.on('data', (chunk) => {
        arrived += chunk.length
      })
    },
    leave() {},
    refused() {},
    changed() {},
    now: () => performance.now()
  })
  port.set([
    {
      ...{ token: 'push', sends: true, name: 'PUSH', passphrase: '', keyLength: 0 },
      ...{ latency: LATENCY_MAX, max: 1, from: [] }
    }
  ])
  let timer: NodeJS.Timeout | undefined
  try {
    await until('the port is open', () => port.port() !== undefined)
    const call = makeCall(
      {
        ...{ receives: false, host: '127.0.0.1', port: port.port() ?? 0, streamId: 'PUSH', passphrase: '' },
        ...{ keyLength: 0, latency: LATENCY_MAX, overhead: 0 }
      },
      SRT_PROGRAM,
      { opened() {}, figures() {} }
    )
    const sender = launcher.run({ args: [], ...call?.launch, takes: true, ended() {} })
    const piece = Buffer.concat(Array(AT_ONCE).fill(NULL_PACKETS))
    timer = setInterval(() => (sender.input?.writableLength ?? 0) < 4e6 && sender.input?.write(piece), 20)
    const figures = () => port.clients()[0]?.figures
    await until(
      () => `more has come than usually fits: ${JSON.stringify(figures())}`,
      () => (figures()?.packets ?? 0) > USUAL + 1000
    )
    assert.equal(figures()?.dropped, 0)
    assert.equal(arrived, 0)
  } finally {
    clearInterval(timer)
    await Promise.all([launcher.stopAll(), port.close()])
  }
})

test.run()
