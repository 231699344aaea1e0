// Programs of the engine that are stopped by a signal, or hang, are replaced, and their channel carries again.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, SRT } from '../../../contract/stream/protocols.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { decodeFrames, runProcess, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { childrenOf, commandLineOf, isRunning } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { within } from '../../kit/within.ts'

const test = suite('frozen programs')
fixtureForEach(test)

/** Milliseconds until a frozen program has ended: ten looks at intervals of half a second, and one more. */
const REPLACED_MAX = 6000
/** Milliseconds until a failed program is reported. */
const REPORTED_MAX = 5000

const programs: Readonly<Record<string, RegExp>> = {
  'the relay': /headend-relay\0/,
  'the SRT port of the output': /headend-srt\0port\0/
}

for (const [name, pattern] of Object.entries(programs))
  test(`${name} is replaced when it was stopped, and the output carries again`, async () => {
    const [input, output] = [await freeUdpPort(), await freeUdpPort()]
    fixture.engine.apply(
      channel(1, urlInput(101, `udp://:${input}`), [
        { id: 1, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': output } }
      ])
    )
    sendClip('mpegts', `udp://127.0.0.1:${input}?pkt_size=1316`)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    await fixture.waitForState(1, CONNECTION_STATE.waiting, 1)
    const pid = childrenOf(process.pid).find((each) => pattern.test(commandLineOf(each))) ?? 0
    await within(REPLACED_MAX, `${name} has ended`, () => {
      process.kill(pid, 'SIGSTOP')
      return until(() => !isRunning(pid), `${name} has ended`)
    })
    // The next program refuses callers until it knows the outputs.
    let log = ''
    await until(
      async () => {
        const received = await decodeFrames(`srt://127.0.0.1:${output}`)
        log = received.log
        return received.distinctFrames > 6
      },
      () => `frames arrive: ${log}`
    )
  })

test('a relay that was stopped or killed is reported, and neither the source nor the receiver is blamed', async () => {
  const [input, output] = [await freeUdpPort(), await freeUdpPort()]
  const receiver = { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': output } as const
  runProcess(['-v', 'error', '-i', `srt://127.0.0.1:${output}?mode=listener`, '-f', 'null', '-'])
  fixture.engine.apply(
    channel(1, urlInput(101, `udp://:${input}`), [{ id: 1, name: 'Out', protocol: SRT, config: receiver }])
  )
  sendClip('mpegts', `udp://127.0.0.1:${input}?pkt_size=1316`)
  for (const [signal, reason] of [
    ['SIGSTOP', 'program-stuck'],
    ['SIGKILL', 'program-ended SIGKILL']
  ] as const) {
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    await fixture.waitForState(1, CONNECTION_STATE.connected, 1)
    const pid = childrenOf(process.pid).find((each) => /headend-relay\0/.test(commandLineOf(each))) ?? 0
    const reasons = new Set<string | undefined>()
    await within(REPORTED_MAX, `${signal} is reported`, () => {
      process.kill(pid, signal)
      return until(() => {
        const { input: leg, outputs } = fixture.engine.observe(1)
        for (const each of [leg, ...outputs.values()]) reasons.add(each.reason)
        return leg.reason === reason
      }, `the input reports ${reason}`)
    })
    const others = [...reasons].filter((each) => each !== undefined && each !== 'input-silent')
    assert.deepEqual(others, [reason])
  }
})

test('a program that falls silent is killed, and its end says why', async () => {
  const script = `
    let count = 0
    setInterval(() => {
      require('node:fs').writeSync(3, '{}\\n')
      if (++count === 3) for (;;);
    }, 50)`
  let messages = 0
  const lines = await new Promise<readonly string[]>((resolve) => {
    createLauncher().run({
      program: process.execPath,
      args: ['-e', script],
      hasHeartbeat: true,
      onMessage: () => messages++,
      onEnd: resolve
    })
  })
  assert.ok(messages > 1)
  assert.equal(lines.at(-1), 'No sign of life for 5 s')
})

test.run()
