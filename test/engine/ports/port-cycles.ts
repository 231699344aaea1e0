// Publishers and players that come and go at the shared ports, again and again, and what the programs of the ports and the hub hold then.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { childrenOf, commandOf, type Held, heldBy } from '../../kit/system-processes.ts'
import { createBench } from '../bench.ts'
import { until } from '../media.ts'
import { callRtmp } from '../rtmp/rtmp-caller.ts'

const PROGRAM = join(import.meta.dirname, '../../../build/headend-srt')
/** Channels, each with a key to push and one to play. */
const CHANNELS = [1, 2, 3, 4]
/** Callers over SRT at a time. */
const AT_A_TIME = 12
/** Milliseconds in which nothing changes once SRT has forgotten who was there, and in which it must. */
const STILL = 4000
const PATIENCE = 40_000

export interface PortsHeld {
  srt: Held
  nginx: Held
  /** Of this process, where memory is what is used after a garbage collection, if one can be asked for. */
  hub: Held
}

export interface PortCycles {
  /** Over SRT: a publisher, a player and one with a key that nobody has, in turns. */
  srt(count: number): Promise<void>
  /** Over RTMP: each time a publisher, who is then played, and every fourth time one who is refused. */
  rtmp(count: number): Promise<void>
  /** What is held once all have left and been forgotten. */
  held(): Promise<PortsHeld>
  close(): Promise<void>
}

export async function openPortCycles(): Promise<PortCycles> {
  const { engine } = createBench({ sharedHost: '127.0.0.1', patience: { stall: 2000, start: 2000 } })
  for (const id of CHANNELS)
    engine.apply({
      ...{ id, name: `Stage ${id}`, enable: true, outputs: [] },
      input: { id: 0, name: `Stage ${id}`, kind: 'pushed', channel: id },
      door: { pushKey: `PUSH-${id}`, playKey: `PLAY-${id}`, srt: true, rtmp: true, allowIp: [] }
    })
  engine.usePorts({ srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: 0 } })
  const ports = () => ({ srt: engine.ports().srt.port ?? 0, rtmp: engine.ports().rtmp.port ?? 0 })
  await until('both ports are open', () => ports().srt > 0 && ports().rtmp > 0)
  const pidOf = (word: string) => {
    const pid = childrenOf(process.pid).find((child) => commandOf(child).includes(word))
    if (pid === undefined) throw new Error(`${word} does not run`)
    return pid
  }
  const [srt, nginx] = [pidOf('headend-srt\0port'), pidOf('nginx')]

  const there = () => CHANNELS.reduce((sum, id) => sum + (engine.observe(id).clients?.length ?? 0), 0)
  /** All have left, and so have the legs that carried them. */
  const empty = () =>
    until(
      () => `all leave: ${there()} clients, ${engine.processes()} processes`,
      () => there() === 0 && engine.processes() === 2
    )

  /** One that calls over SRT, by the program's own way to do so, and is ended when it is connected or refused. */
  function callSrt(side: 's' | 't', key: string): Promise<void> {
    const child = spawn(PROGRAM, ['call'], { stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'] })
    const fields = [side, '127.0.0.1', ports().srt, key, '', 0, 120, 25, 3000]
    const [, , , events, order] = child.stdio as unknown as [0, 0, 0, NodeJS.ReadableStream, NodeJS.WritableStream]
    order.end(`${fields.join('\t')}\n`)
    for (const pipe of child.stdio) pipe?.on('error', () => {})
    events.on('data', () => child.kill('SIGKILL'))
    return new Promise((resolve) => child.on('close', () => resolve()))
  }

  /** @param workers how many at a time */
  async function many(count: number, workers: readonly number[], one: (turn: number, worker: number) => Promise<void>) {
    let turn = 0
    await Promise.all(
      workers.map(async (worker) => {
        while (turn < count) await one(turn++, worker)
      })
    )
    await empty()
  }

  function now(): PortsHeld {
    globalThis.gc?.()
    const hub = heldBy('self')
    if (globalThis.gc) hub.kilobytes = Math.round(process.memoryUsage().heapUsed / 1024)
    return { srt: heldBy(srt), nginx: heldBy(nginx), hub }
  }

  return {
    srt: (count) =>
      many(
        count,
        Array.from({ length: AT_A_TIME }, (_, at) => CHANNELS[at % CHANNELS.length] ?? 1),
        (turn, channel) =>
          turn % 3 === 0 ? callSrt('s', `PUSH-${channel}`) : callSrt('t', turn % 3 === 1 ? `PLAY-${channel}` : 'NOBODY')
      ),
    rtmp: (count) =>
      many(count, CHANNELS, async (turn, channel) => {
        const call = (side: 'publish' | 'play', key: string) => callRtmp(ports().rtmp, side, key)
        const callers = [call('publish', turn % 4 === 3 ? 'NOBODY' : `PUSH-${channel}`)]
        await callers[0]?.taken
        callers.push(call('play', `PLAY-${channel}`))
        await callers[1]?.taken
        await Promise.all(callers.map((caller) => caller.leave()))
        // The next publisher of the channel would be the second.
        await until(`channel ${channel} is empty`, () => (engine.observe(channel).clients?.length ?? 0) === 0)
      }),
    async held() {
      await empty()
      const end = performance.now() + PATIENCE
      for (let last = now(); ; ) {
        await new Promise((resolve) => setTimeout(resolve, STILL))
        const next = now()
        const still = (['srt', 'nginx'] as const).every(
          (at) =>
            next[at].descriptors === last[at].descriptors &&
            next[at].threads === last[at].threads &&
            Math.abs(next[at].kilobytes - last[at].kilobytes) < 64
        )
        if (still || performance.now() > end) return next
        last = next
      }
    },
    close: () => engine.close()
  }
}
