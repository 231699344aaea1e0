// Channels at the shared ports: publishers and players of both protocols, with the real programs.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { look, until } from '../media.ts'
import { bench, benchForEach, stage } from './shared-bench.ts'

const test = suite('shared ports')

benchForEach(test)

for (const [name, push, protocol] of [
  ['SRT', 'pushSrt', SRT],
  ['RTMP', 'pushRtmp', RTMP]
] as const)
  test(`who pushes over ${name} is the channel's input, and is played over SRT and RTMP`, async () => {
    const { engine } = bench
    engine.apply(stage())
    await bench.open()
    await bench.reaches(1, CONNECTION.waiting)
    const sender = bench[push]()
    await bench.reaches(1, CONNECTION.connected)
    assert.deepEqual([bench.clients(true).length, bench.clients(true)[0]?.protocol], [1, protocol])
    assert.match(bench.clients(true)[0]?.address ?? '', /^127\.0\.0\.1/)
    const seen = await Promise.all([
      look(bench.srt(), 10, ['-srt_streamid', 'play.srt/live/PLAY-1']),
      look(bench.rtmp('PLAY-1'))
    ])
    for (const each of seen) {
      assert.equal(each.codec, 'h264', each.text)
      assert.ok(each.different > 6, each.text)
    }
    await until('the players have left', () => bench.clients(false).length === 0)
    const { kbps } = bench.clients(true)[0] ?? { kbps: 0 }
    assert.ok(kbps > 100 && kbps < 1000, `${kbps} kbps`)
    // Packets are what SRT counts, and tells once a second.
    const packets = () => engine.figures(1)?.report(kbps).packets ?? 0
    if (protocol === SRT) await until('packets are counted', () => packets() > 50)
    else assert.equal(packets(), 0)
    await sender.kill()
    await bench.reaches(1, CONNECTION.waiting)
    assert.deepEqual(bench.clients(true), [])
    bench[push]()
    await bench.reaches(1, CONNECTION.connected)
  })

test('a channel with an input of its own is played, and nobody can push to it', async () => {
  bench.engine.apply(stage({}, { input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } }))
  await bench.open()
  await bench.reaches(1, CONNECTION.connected)
  await Promise.all([bench.pushSrt().done, bench.pushRtmp().done])
  assert.deepEqual(bench.clients(true), [])
  assert.ok((await look(bench.srt(), 5, ['-srt_streamid', 'PLAY-1'])).different > 2)
})

test('a second publisher is refused, over the same protocol and over the other', async () => {
  bench.engine.apply(stage())
  await bench.open()
  const first = bench.pushRtmp()
  await bench.reaches(1, CONNECTION.connected)
  await Promise.all([bench.pushRtmp().done, bench.pushSrt().done])
  assert.ok(first.running())
  await first.kill()
  await until('it has left', () => bench.clients(true).length === 0)
  const second = bench.pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  await bench.pushRtmp().done
  assert.ok(second.running() && bench.clients(true)[0]?.protocol === SRT)
})

test('players are listed with what they are sent, one that is thrown out is gone, and the others stay', async () => {
  const { engine } = bench
  engine.apply(stage())
  await bench.open()
  bench.pushSrt()
  await bench.reaches(1, CONNECTION.connected)
  const [first, second] = [bench.watchSrt(), bench.watchSrt()]
  const third = bench.watchRtmp()
  await until(
    () => `all are sent something: ${JSON.stringify(bench.clients(false))}`,
    () => bench.clients(false).length === 3 && bench.clients(false).every((one) => one.kbps > 100 && one.kbps < 1000)
  )
  const [one] = bench.clients(false).filter((each) => each.protocol === SRT)
  assert.ok(!engine.dropClient(2, one?.id ?? 0), 'it is not that of another channel')
  assert.ok(engine.dropClient(1, one?.id ?? 0))
  await until('one is gone', () => first.running() !== second.running())
  assert.ok(third.running())
  const over = bench.clients(false).find((each) => each.protocol === RTMP)
  assert.ok(engine.dropClient(1, over?.id ?? 0))
  await third.done
  await until('one is left', () => bench.clients(false).length === 1)
  const publisher = bench.clients(true)[0]?.id ?? 0
  assert.ok(engine.dropClient(1, publisher))
  await bench.reaches(1, CONNECTION.waiting)
})

test.run()
