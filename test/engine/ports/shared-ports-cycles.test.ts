// Many who come and go at the shared ports, and some who come halfway: what they took is given back. CYCLES says how many, within the 60 s of a file.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { childrenOf, commandOf, heldBy } from '../../kit/system-processes.ts'
import { run, send, until } from '../media.ts'
import { bench, benchForEach, stage } from './shared-bench.ts'

const test = suite('shared ports, many times')

const CYCLES = Number(process.env.CYCLES ?? 90)
const AT_A_TIME = 12
const PROGRAM = join(import.meta.dirname, '../../../build/headend-srt')

benchForEach(test, { patience: { stall: 2000, start: 2000 } })
test.before.each(() => {
  bench.engine.apply(stage())
  return bench.open()
})

const clients = () => bench.engine.observe(1).clients ?? []

/** What the programs and this process hold. */
function held() {
  const of = (word: string) => heldBy(childrenOf(process.pid).find((child) => commandOf(child).includes(word)) ?? 0)
  return { srt: of('headend-srt\0port'), nginx: of('nginx'), hub: heldBy('self') }
}

async function cycles(count: number, one: () => Promise<void>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (left-- > 0) await one()
    })
  )
}

/** Lets some come and go, then many, and compares what is held. */
async function compare(one: () => Promise<void>): Promise<void> {
  await cycles(AT_A_TIME * 2, one)
  await until('all have left', () => clients().length === 0)
  const before = held()
  await cycles(CYCLES, one)
  await until('all have left', () => clients().length === 0)
  // What is closed is forgotten by SRT a few seconds later.
  await until(
    () => JSON.stringify([before, held()]),
    () => {
      const after = held()
      return (['srt', 'nginx', 'hub'] as const).every(
        (at) =>
          after[at].descriptors <= before[at].descriptors + 2 &&
          after[at].threads <= before[at].threads + 2 &&
          (at === 'hub' || after[at].kilobytes <= before[at].kilobytes + 4096)
      )
    },
    20_000
  )
}

test('publishers and players over RTMP come and go, and so do the legs that carry them', async () => {
  const { engine } = bench
  let turn = 0
  const one = async () => {
    const key = turn++ % 2 ? 'PLAY-1' : 'PUSH-1'
    const at = `rtmp://127.0.0.1:${engine.ports().rtmp.port}/live/${key}`
    const child = key === 'PUSH-1' ? send('flv', at) : run(['-v', 'error', '-i', at, '-f', 'null', '-'])
    await until('it is there, or refused', () => !child.running() || clients().length > 0)
    await child.kill()
  }
  const legs = () => engine.processes() - 2
  const many = async (count: number) => {
    for (let left = count; left > 0; left -= 2) await Promise.all([one(), one()])
    await until('all have left', () => clients().length === 0 && legs() === 0)
  }
  await many(4)
  const before = held()
  await many(Math.ceil(CYCLES / 8))
  for (const at of ['nginx', 'hub'] as const) {
    const after = held()[at]
    assert.ok(after.descriptors <= before[at].descriptors + 4, `${at}: ${after.descriptors} descriptors`)
    assert.ok(at === 'hub' || after.kilobytes <= before[at].kilobytes + 4096, `${at}: ${after.kilobytes} kB`)
  }
})

test('callers at the RTMP port that say nothing, or half of it, leave nothing behind', async () => {
  const { port = 0 } = bench.engine.ports().rtmp
  await compare(
    () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          // The first word of a handshake.
          socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(700)]))
          setTimeout(() => socket.destroy(), 5)
        })
        socket.on('error', () => {}).on('close', () => resolve())
      })
  )
})

test('a publisher that says nothing is thrown out, so that another one can come', async () => {
  const child = spawn(PROGRAM, ['call'], { stdio: ['pipe', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const order = child.stdio[4] as unknown as NodeJS.WritableStream
  order.end(`s\t127.0.0.1\t${bench.engine.ports().srt.port}\tPUSH-1\t\t0\t120\t25\t3000\n`)
  await until('it is there', () => clients().length === 1)
  await new Promise((resolve) => child.on('close', resolve))
  await until('it has left', () => clients().length === 0)
  send('mpegts', '-srt_streamid', 'PUSH-1', `srt://127.0.0.1:${bench.engine.ports().srt.port}?pkt_size=1316`)
  await bench.reaches(1, CONNECTION.connected)
})

test.run()
