// Who is let in at the shared ports, and what is said of them.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { freeTcpPort } from '../../kit/free-port.ts'
import { commandOf, peek } from '../../kit/system-processes.ts'
import { look, run, until } from '../media.ts'
import { bench, benchForEach, PORTS, stage } from './shared-bench.ts'

const test = suite('shared ports, doors')

benchForEach(test)

test('a changed key cuts who holds the old one, a protocol that is off and an address that is elsewhere are refused', async () => {
  const { engine } = bench
  engine.apply(stage())
  await bench.open()
  const sender = bench.pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  const watching = [bench.watchSrt(), bench.watchRtmp()]
  await until('both watch', () => bench.clients(false).length === 2)
  engine.apply(stage({ playKey: 'PLAY-2' }))
  await until('both are cut', () => watching.every((each) => !each.running()))
  assert.ok(sender.running(), 'its key is the same')
  engine.apply(stage({ playKey: 'PLAY-2', rtmp: false }))
  await bench.watchRtmp('PLAY-2').done
  engine.apply(stage({ pushKey: 'PUSH-2', allowIp: ['10.0.0.0/8', '192.168.1.7'] }))
  await sender.done
  await Promise.all([bench.pushSrt('PUSH-2').done, bench.pushRtmp('PUSH-2').done, bench.watchRtmp().done])
  engine.apply(stage({ pushKey: 'PUSH-2', allowIp: ['127.0.0.0/24'] }))
  bench.pushRtmp('PUSH-2')
  await bench.reaches(1, CONNECTION.connected)
})

test('a stopped channel throws out who is there, and is not reached', async () => {
  bench.engine.apply(stage())
  await bench.open()
  const all = [bench.pushRtmp()]
  await bench.reaches(1, CONNECTION.connected)
  all.push(bench.watchRtmp())
  const other = bench.watchSrt()
  await until('both watch', () => bench.clients(false).length === 2)
  bench.engine.apply(stage({}, { enable: false }))
  await until('all are gone', () => !other.running() && all.every((each) => !each.running()))
  await Promise.all([bench.pushRtmp().done, bench.pushSrt().done, bench.watchRtmp().done])
  assert.deepEqual(bench.engine.observe(1).clients, [])
})

test('with a passphrase SRT is for those who know it; no key or passphrase is in the list of processes', async () => {
  bench.engine.apply(stage())
  const passphrase = 'a word of honour'
  await bench.open({ srt: { port: 0, 'pb-key-len': 16, passphrase } })
  await bench.pushSrt().done
  await bench.reaches(1, CONNECTION.notAuthorized)
  assert.equal(bench.engine.observe(1).reason, 'wrong-passphrase')
  bench.pushRtmp()
  await bench.reaches(1, CONNECTION.connected)
  assert.ok((await look(bench.srt(), 5, ['-passphrase', passphrase, '-srt_streamid', 'PLAY-1'])).different > 2)
  const watching = bench.watchRtmp()
  await until('it watches', () => bench.clients(false).some((one) => one.kbps > 0))
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = /^PPid:\t(\d+)$/m.exec(peek(`/proc/${pid}/status`))?.[1]
    const words = commandOf(pid)
    // What the test itself runs says its keys.
    if (Number(parent) === process.pid && !words.includes('-hide_banner\0-nostdin\0-v\0error'))
      assert.doesNotMatch(words, /PUSH-1|PLAY-1|honour|playpath/, words)
  }
  assert.ok(watching.running())
})

test('a player that stands still loses packets alone', async () => {
  bench.engine.apply(stage())
  await bench.open()
  bench.pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  const other = bench.watchSrt()
  const key = ['-srt_streamid', 'PLAY-1']
  const still = run(['-v', 'error', ...key, '-i', bench.srt(), '-f', 'null', '-'])
  await until('both are sent something', () => bench.clients(false).filter((one) => one.kbps > 0).length === 2)
  process.kill(still.pid, 'SIGSTOP')
  const from = other.bytes()
  await until('the other one goes on', () => other.bytes() > from + 200_000)
  assert.ok(other.gap() < 2500, `${other.gap()} ms without a byte`)
  process.kill(still.pid, 'SIGCONT')
})

test('a port that is taken is said to be, and the other one works; it opens when it is free', async () => {
  const { engine } = bench
  const port = await freeTcpPort()
  const holder = createServer().listen(port, '127.0.0.1')
  engine.apply(stage())
  engine.usePorts({ ...PORTS, rtmp: { port } })
  await until('it fails', () => engine.ports().rtmp.reason !== undefined)
  assert.deepEqual(engine.ports().rtmp, { reason: `port-taken ${port}` })
  bench.pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  await new Promise((resolve) => holder.close(resolve))
  engine.retryPorts()
  await until('it opens', () => engine.ports().rtmp.port === port)
  const other = await freeTcpPort()
  engine.usePorts({ ...PORTS, rtmp: { port: other } })
  await until('it moves', () => engine.ports().rtmp.port === other)
})

test.run()
