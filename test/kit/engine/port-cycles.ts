// Connects publishers and players to the shared ports and disconnects them many times, and measures the resources that
// the port programs and this process use afterwards.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Engine } from '../../../engine/engine.ts'
import { childrenOf, commandLineOf, type ProcessUsage, usageOf } from '../system-processes.ts'
import { until } from '../until.ts'
import { createFixture } from './engine-fixture.ts'
import { connectRtmp } from './rtmp-client.ts'

const SRT_PROGRAM = join(import.meta.dirname, '../../../build/headend-srt')
/** Channel IDs. Each channel has one push key and one play key. */
const CHANNELS = [1, 2, 3, 4]
/** Number of SRT callers at a time. */
const SRT_CALLERS = 12
/** Milliseconds without a change after which libsrt has freed the closed connections. */
const STABLE_MS = 4000

export interface PortsUsage {
  srt: ProcessUsage
  nginx: ProcessUsage
  /** This process. Its memory is the used heap if garbage collection is available. */
  hub: ProcessUsage
}

export interface PortCycles {
  /** Connects SRT clients: a publisher, a player and a client with an unknown key in turn. */
  srt(count: number): Promise<void>
  /** Connects RTMP clients: in each cycle a publisher and a player. Every fourth publisher has an unknown key. */
  rtmp(count: number): Promise<void>
  /** Measures the resources after all clients have left and their memory is freed. */
  measureUsage(): Promise<PortsUsage>
  close(): Promise<void>
}

export async function openPortCycles(): Promise<PortCycles> {
  // A test that ran before in the same process may have left some, which are about to end.
  const others = childrenOf(process.pid)
  const { engine } = createFixture({ sharedHost: '127.0.0.1', timeouts: { stall: 2000, start: 2000 } })
  for (const id of CHANNELS)
    engine.apply({
      id,
      name: `Stage ${id}`,
      enable: true,
      outputs: [],
      input: { id: 0, name: `Stage ${id}`, kind: 'pushed', channel: id },
      access: { 'push-key': `PUSH-${id}`, 'play-key': `PLAY-${id}`, srt: true, rtmp: true, 'allow-ip': [] }
    })
  engine.configurePorts({ srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: 0 } })
  const ports = () => ({ srt: engine.observePorts().srt.port ?? 0, rtmp: engine.observePorts().rtmp.port ?? 0 })
  await until(() => ports().srt > 0 && ports().rtmp > 0, 'both ports are open')
  const [srtPid, nginxPid] = [findChild('headend-srt\0port', others), findChild('nginx', others)]

  return {
    async srt(count) {
      const workers = Array.from({ length: SRT_CALLERS }, (_, index) => CHANNELS[index % CHANNELS.length] ?? 1)
      await runWorkers(count, workers, (cycle, channel) => callSrtInTurn(ports().srt, cycle, channel))
    },
    async rtmp(count) {
      await runWorkers(count, CHANNELS, (cycle, channel) => connectRtmpPair(engine, ports().rtmp, cycle, channel))
    },
    async measureUsage() {
      await waitUntilEmpty(engine, others)
      return waitUntilStable(() => measurePorts(srtPid, nginxPid))
    },
    close: () => engine.close()
  }
}

/** Returns the process ID of the child whose command contains a text, and which is none of `others`. */
function findChild(text: string, others: readonly number[]): number {
  const pid = childrenOf(process.pid).find((child) => !others.includes(child) && commandLineOf(child).includes(text))
  if (pid === undefined) throw new Error(`Process ${text} is not running`)
  return pid
}

/**
 * Command lines of the children of this process, without `others`, and without the relays, of which each input keeps
 * one.
 */
const listLegs = (others: readonly number[]) =>
  childrenOf(process.pid)
    .filter((pid) => !others.includes(pid))
    .map(commandLineOf)
    .filter((line) => !line.includes('headend-relay'))

/**
 * Waits until all clients have left and the processes of their legs have ended, so that only the two port programs are
 * left.
 */
async function waitUntilEmpty(engine: Engine, others: readonly number[]): Promise<void> {
  const clientCount = () => CHANNELS.reduce((sum, id) => sum + (engine.observe(id).clients?.length ?? 0), 0)
  await until(
    () => clientCount() === 0 && listLegs(others).length === 2,
    () => `all clients have left: ${clientCount()} clients, ${listLegs(others).join(' | ').replaceAll('\0', ' ')}`
  )
}

/** Runs `count` cycles, each worker one after the other. */
async function runWorkers(
  count: number,
  workers: readonly number[],
  runCycle: (cycle: number, worker: number) => Promise<void>
): Promise<void> {
  let next = 0
  await Promise.all(
    workers.map(async (worker) => {
      while (next < count) await runCycle(next++, worker)
    })
  )
}

function callSrtInTurn(port: number, cycle: number, channel: number): Promise<void> {
  if (cycle % 3 === 0) return callSrt(port, 's', `PUSH-${channel}`)
  return callSrt(port, 't', cycle % 3 === 1 ? `PLAY-${channel}` : 'NOBODY')
}

/**
 * Runs an SRT caller of headend-srt and kills it at its first event, when it is connected or refused.
 * @param direction as in caller.h: from the caller's view, the other end sends (`s`) or receives (`t`)
 */
function callSrt(port: number, direction: 's' | 't', key: string): Promise<void> {
  const child = spawn(SRT_PROGRAM, ['call'], { stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const fields = [direction, '127.0.0.1', port, key, '', 0, 120, 25, 3000, 0]
  const [, , , events, callLine] = child.stdio as unknown as [0, 0, 0, NodeJS.ReadableStream, NodeJS.WritableStream]
  callLine.end(`${fields.join('\t')}\n`)
  for (const pipe of child.stdio) pipe?.on('error', () => {})
  events.on('data', () => child.kill('SIGKILL'))
  return new Promise((resolve) => child.on('close', () => resolve()))
}

/**
 * Connects a publisher and a player of a channel, and disconnects both. In every fourth cycle the publisher has an
 * unknown key.
 */
async function connectRtmpPair(engine: Engine, port: number, cycle: number, channel: number): Promise<void> {
  const publisher = connectRtmp(port, 'publish', cycle % 4 === 3 ? 'NOBODY' : `PUSH-${channel}`)
  await publisher.accepted
  const player = connectRtmp(port, 'play', `PLAY-${channel}`)
  await player.accepted
  await Promise.all([publisher.disconnect(), player.disconnect()])
  // Otherwise the next publisher of the channel would be refused as the second one.
  await until(() => (engine.observe(channel).clients?.length ?? 0) === 0, `channel ${channel} has no clients`)
}

function measurePorts(srtPid: number, nginxPid: number): PortsUsage {
  globalThis.gc?.()
  const hub = usageOf('self')
  if (globalThis.gc) hub.kilobytes = Math.round(process.memoryUsage().heapUsed / 1024)
  return { srt: usageOf(srtPid), nginx: usageOf(nginxPid), hub }
}

/** Measures until the values of both port programs stay the same. Returns the last values. */
function waitUntilStable(measure: () => PortsUsage): Promise<PortsUsage> {
  let previous = { at: performance.now(), usage: measure() }
  return until(
    () => {
      if (performance.now() < previous.at + STABLE_MS) return undefined
      const { usage: before } = previous
      const usage = measure()
      previous = { at: performance.now(), usage }
      const isStable = (['srt', 'nginx'] as const).every(
        (program) =>
          usage[program].descriptors === before[program].descriptors &&
          usage[program].threads === before[program].threads &&
          Math.abs(usage[program].kilobytes - before[program].kilobytes) < 64
      )
      return isStable ? usage : undefined
    },
    () => `the port programs are stable: ${JSON.stringify(previous.usage)}`
  )
}
