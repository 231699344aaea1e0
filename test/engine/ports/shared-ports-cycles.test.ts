// Many clients connect and disconnect at the shared ports, some without finishing their handshake: all resources are
// released. CYCLES sets their number; a test file may take 120 s.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { runProcess, sendClip } from '../../kit/engine/media.ts'
import { childrenOf, commandLineOf, usageOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('shared ports: cycles')

const CYCLES = Number(process.env.CYCLES ?? 90)
const WORKERS = 12
const PROGRAM = join(import.meta.dirname, '../../../build/headend-srt')

fixtureForEach(test, { timeouts: { stall: 2000, start: 2000 } })
test.before.each(() => {
  fixture.engine.apply(pushedChannel())
  return fixture.openPorts()
})

const clients = () => fixture.engine.observe(1).clients ?? []

/** Measures the resources of the port programs and of this process. */
function measureUsage() {
  const usageByCommand = (text: string) =>
    usageOf(childrenOf(process.pid).find((child) => commandLineOf(child).includes(text)) ?? 0)
  return { srt: usageByCommand('headend-srt\0port'), nginx: usageByCommand('nginx'), hub: usageOf('self') }
}

async function runCycles(count: number, runCycle: () => Promise<void>): Promise<void> {
  let remainingCycles = count
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (remainingCycles-- > 0) await runCycle()
    })
  )
}

/** Runs a few cycles to warm up, then many, and checks that they use no more resources. */
async function assertNoGrowth(runCycle: () => Promise<void>): Promise<void> {
  await runCycles(WORKERS * 2, runCycle)
  await until(() => clients().length === 0, 'all clients have left')
  const before = measureUsage()
  await runCycles(CYCLES, runCycle)
  await until(() => clients().length === 0, 'all clients have left')
  // libsrt releases closed connections a few seconds later.
  await until(
    () => {
      const after = measureUsage()
      return (['srt', 'nginx', 'hub'] as const).every(
        (processName) =>
          after[processName].descriptors <= before[processName].descriptors + 2 &&
          after[processName].threads <= before[processName].threads + 2 &&
          (processName === 'hub' || after[processName].kilobytes <= before[processName].kilobytes + 4096)
      )
    },
    () => JSON.stringify([before, measureUsage()])
  )
}

test('RTMP publishers and players and their legs release all resources', async () => {
  const { engine } = fixture
  let turn = 0
  const runClient = async () => {
    const key = turn++ % 2 ? 'PLAY-1' : 'PUSH-1'
    const url = `rtmp://127.0.0.1:${engine.observePorts().rtmp.port}/live/${key}`
    const child = key === 'PUSH-1' ? sendClip('flv', url) : runProcess(['-v', 'error', '-i', url, '-f', 'null', '-'])
    const isListed = () => clients().some(({ isPublisher }) => isPublisher === (key === 'PUSH-1'))
    await until(() => !child.isRunning() || isListed(), 'the client is listed or refused')
    await child.kill()
  }
  // Without the two port programs, and the relay of the channel, which runs from the first publisher that stays
  // connected for a moment.
  const relays = () => childrenOf(process.pid).filter((pid) => commandLineOf(pid).includes('headend-relay')).length
  const legs = () => engine.processCount() - 2 - relays()
  const runClients = async (count: number) => {
    for (let remainingCycles = count; remainingCycles > 0; remainingCycles -= 2)
      await Promise.all([runClient(), runClient()])
    await until(
      () => clients().length === 0 && legs() === 0,
      () => `all clients have left: ${JSON.stringify(clients())}, ${legs()} legs`
    )
  }
  await runClients(4)
  const before = measureUsage()
  await runClients(Math.ceil(CYCLES / 8))
  for (const processName of ['nginx', 'hub'] as const) {
    const after = measureUsage()[processName]
    assert.ok(
      after.descriptors <= before[processName].descriptors + 4,
      `${processName}: ${after.descriptors} descriptors`
    )
    assert.ok(
      processName === 'hub' || after.kilobytes <= before[processName].kilobytes + 4096,
      `${processName}: ${after.kilobytes} kB`
    )
  }
})

test('RTMP connections with an incomplete handshake leak no resources', async () => {
  const { port = 0 } = fixture.engine.observePorts().rtmp
  await assertNoGrowth(
    () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          // The start of a handshake.
          socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(700)]), () => socket.destroy())
        })
        socket.on('error', () => {}).on('close', () => resolve())
      })
  )
})

test('a publisher that sends nothing is disconnected, so that another one can connect', async () => {
  const child = spawn(PROGRAM, ['call'], { stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const callLine = child.stdio[4] as unknown as NodeJS.WritableStream
  callLine.end(`s\t127.0.0.1\t${fixture.engine.observePorts().srt.port}\tPUSH-1\t\t0\t120\t25\t3000\t0\n`)
  await until(() => clients().length === 1, 'the publisher is listed')
  await new Promise((resolve) => child.on('close', resolve))
  await until(() => clients().length === 0, 'the publisher has left')
  sendClip(
    'mpegts',
    '-srt_streamid',
    'PUSH-1',
    `srt://127.0.0.1:${fixture.engine.observePorts().srt.port}?pkt_size=1316`
  )
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test.run()
