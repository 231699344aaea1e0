// Channels at the shared ports: publishers and players of both protocols, with the real programs.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION, RTMP, SRT } from '../../../contract/protocols.ts'
import type { Door, Wanted } from '../../../hub/streams/channel.ts'
import type { PortSettings } from '../../../hub/streams/shared-ports.ts'
import { type Bench, createBench } from './bench.ts'
import { clip, endAll, freeTcpPort, look, type Running, receive, run, send, until } from './media.ts'

const test = suite('shared ports')

const PORTS: PortSettings = { srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: 0 } }
const DOOR: Door = { pushKey: 'PUSH-1', playKey: 'PLAY-1', srt: true, rtmp: true, allowIp: [] }
const stage = (door: Partial<Door> = {}, more: Partial<Wanted> = {}): Wanted => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: { id: 0, name: 'Stage', kind: 'pushed', channel: 1 },
  outputs: [],
  door: { ...DOOR, ...door },
  ...more
})

let bench: Bench
test.before(() => {
  clip()
})
test.before.each(() => {
  bench = createBench({ sharedHost: '127.0.0.1' })
})
test.after.each(() => bench.engine.close())
test.after(endAll)

async function open(settings: Partial<PortSettings> = {}): Promise<void> {
  bench.engine.usePorts({ ...PORTS, ...settings })
  await until(
    () => `both ports are open: ${JSON.stringify(bench.engine.ports())}`,
    () => bench.engine.ports().srt.port !== undefined && bench.engine.ports().rtmp.port !== undefined
  )
}
const srt = () => `srt://127.0.0.1:${bench.engine.ports().srt.port}?pkt_size=1316`
const rtmp = (key: string) => `rtmp://127.0.0.1:${bench.engine.ports().rtmp.port}/live/${key}`
const clients = (sends: boolean) => (bench.engine.observe(1).clients ?? []).filter((one) => one.sends === sends)
const pushSrt = (key = 'PUSH-1', ...more: string[]): Running => send('mpegts', '-srt_streamid', key, ...more, srt())
const pushRtmp = (key = 'PUSH-1'): Running => send('flv', rtmp(key))
const watchSrt = (key = 'PLAY-1') => receive(srt(), ['-srt_streamid', key])
const watchRtmp = (key = 'PLAY-1'): Running => run(['-v', 'error', '-i', rtmp(key), '-f', 'null', '-'])

for (const [name, push, protocol] of [
  ['SRT', pushSrt, SRT],
  ['RTMP', pushRtmp, RTMP]
] as const)
  test(`who pushes over ${name} is the channel's input, and is played over SRT and RTMP`, async () => {
    const { engine } = bench
    engine.apply(stage())
    await open()
    await bench.reaches(1, CONNECTION.waiting)
    const sender = push()
    await bench.reaches(1, CONNECTION.connected)
    assert.deepEqual([clients(true).length, clients(true)[0]?.protocol], [1, protocol])
    assert.match(clients(true)[0]?.address ?? '', /^127\.0\.0\.1/)
    const seen = await Promise.all([look(srt(), 10, ['-srt_streamid', 'play.srt/live/PLAY-1']), look(rtmp('PLAY-1'))])
    for (const each of seen) {
      assert.equal(each.codec, 'h264', each.text)
      assert.ok(each.different > 6, each.text)
    }
    await until('the players have left', () => clients(false).length === 0)
    const { kbps } = clients(true)[0] ?? { kbps: 0 }
    assert.ok(kbps > 100 && kbps < 1000, `${kbps} kbps`)
    const { packets } = engine.figures(1)?.report(kbps) ?? {}
    assert.equal((packets ?? 0) > 50, protocol === SRT, `${packets} packets`)
    await sender.kill()
    await bench.reaches(1, CONNECTION.waiting)
    assert.deepEqual(clients(true), [])
    push()
    await bench.reaches(1, CONNECTION.connected)
  })

test('a channel with an input of its own is played, and nobody can push to it', async () => {
  bench.engine.apply(stage({}, { input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } }))
  await open()
  await bench.reaches(1, CONNECTION.connected)
  await Promise.all([pushSrt().done, pushRtmp().done])
  assert.deepEqual(clients(true), [])
  assert.ok((await look(srt(), 5, ['-srt_streamid', 'PLAY-1'])).different > 2)
})

test('a second publisher is refused, over the same protocol and over the other', async () => {
  bench.engine.apply(stage())
  await open()
  const first = pushRtmp()
  await bench.reaches(1, CONNECTION.connected)
  await Promise.all([pushRtmp().done, pushSrt().done])
  assert.ok(first.running())
  await first.kill()
  await until('it has left', () => clients(true).length === 0)
  const second = pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  await pushRtmp().done
  assert.ok(second.running() && clients(true)[0]?.protocol === SRT)
})

test('players are listed with what they are sent, one that is thrown out is gone, and the others stay', async () => {
  const { engine } = bench
  engine.apply(stage())
  await open()
  pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  const [first, second] = [watchSrt(), watchSrt()]
  const third = watchRtmp()
  await until(
    () => `all are sent something: ${JSON.stringify(clients(false))}`,
    () => clients(false).length === 3 && clients(false).every((one) => one.kbps > 100 && one.kbps < 1000)
  )
  const [one] = clients(false).filter((each) => each.protocol === SRT)
  assert.ok(!engine.dropClient(2, one?.id ?? 0), 'it is not that of another channel')
  assert.ok(engine.dropClient(1, one?.id ?? 0))
  await until('one is gone', () => first.running() !== second.running())
  assert.ok(third.running())
  const over = clients(false).find((each) => each.protocol === RTMP)
  assert.ok(engine.dropClient(1, over?.id ?? 0))
  await third.done
  await until('one is left', () => clients(false).length === 1)
  const publisher = clients(true)[0]?.id ?? 0
  assert.ok(engine.dropClient(1, publisher))
  await bench.reaches(1, CONNECTION.waiting)
})

test('a changed key cuts who holds the old one, a protocol that is off and an address that is elsewhere are refused', async () => {
  const { engine } = bench
  engine.apply(stage())
  await open()
  const sender = pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  const watching = [watchSrt(), watchRtmp()]
  await until('both watch', () => clients(false).length === 2)
  engine.apply(stage({ playKey: 'PLAY-2' }))
  await until('both are cut', () => watching.every((each) => !each.running()))
  assert.ok(sender.running(), 'its key is the same')
  engine.apply(stage({ playKey: 'PLAY-2', rtmp: false }))
  await watchRtmp('PLAY-2').done
  engine.apply(stage({ pushKey: 'PUSH-2', allowIp: ['10.0.0.0/8', '192.168.1.7'] }))
  await sender.done
  await Promise.all([pushSrt('PUSH-2').done, pushRtmp('PUSH-2').done, watchRtmp().done])
  engine.apply(stage({ pushKey: 'PUSH-2', allowIp: ['127.0.0.0/24'] }))
  pushRtmp('PUSH-2')
  await bench.reaches(1, CONNECTION.connected)
})

test('a stopped channel throws out who is there, and is not reached', async () => {
  bench.engine.apply(stage())
  await open()
  const all = [pushRtmp()]
  await bench.reaches(1, CONNECTION.connected)
  all.push(watchRtmp())
  const other = watchSrt()
  await until('both watch', () => clients(false).length === 2)
  bench.engine.apply(stage({}, { enable: false }))
  await until('all are gone', () => !other.running() && all.every((each) => !each.running()))
  await Promise.all([pushRtmp().done, pushSrt().done, watchRtmp().done])
  assert.deepEqual(bench.engine.observe(1).clients, [])
})

test('with a passphrase SRT is for those who know it; no key or passphrase is in the list of processes', async () => {
  bench.engine.apply(stage())
  const passphrase = 'a word of honour'
  await open({ srt: { port: 0, 'pb-key-len': 16, passphrase } })
  await pushSrt().done
  pushRtmp()
  await bench.reaches(1, CONNECTION.connected)
  assert.ok((await look(srt(), 5, ['-passphrase', passphrase, '-srt_streamid', 'PLAY-1'])).different > 2)
  const watching = watchRtmp()
  await until('it watches', () => clients(false).some((one) => one.kbps > 0))
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = /^PPid:\t(\d+)$/m.exec(peek(`/proc/${pid}/status`))?.[1]
    const words = peek(`/proc/${pid}/cmdline`)
    // What the test itself runs says its keys.
    if (Number(parent) === process.pid && !words.includes('-hide_banner\0-nostdin\0-v\0error'))
      assert.doesNotMatch(words, /PUSH-1|PLAY-1|honour|playpath/, words)
  }
  assert.ok(watching.running())
})

test('a port that is taken is said to be, and the other one works; it opens when it is free', async () => {
  const { engine } = bench
  const port = await freeTcpPort()
  const holder = createServer().listen(port, '127.0.0.1')
  engine.apply(stage())
  engine.usePorts({ ...PORTS, rtmp: { port } })
  await until('it fails', () => engine.ports().rtmp.reason !== undefined)
  assert.deepEqual(engine.ports().rtmp, { reason: `port-taken ${port}` })
  pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  await new Promise((resolve) => holder.close(resolve))
  engine.retryPorts()
  await until('it opens', () => engine.ports().rtmp.port === port)
  const other = await freeTcpPort()
  engine.usePorts({ ...PORTS, rtmp: { port: other } })
  await until('it moves', () => engine.ports().rtmp.port === other)
})

function peek(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

test.run()
