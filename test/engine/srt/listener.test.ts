// SRT ports of single legs: many players at an output, one sender to an input, by ffmpeg at the other ends.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { CONNECTION, SOURCE, SRT } from '../../../contract/stream/protocols.ts'
import type { SrtOutput } from '../../../contract/stream/source.ts'
import { nameOf } from '../../../engine/srt/dedicated-port.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach, createBench, replaceBench } from '../bench.ts'
import { look, receive, run, send, until } from '../media.ts'
import { channel, source } from '../wanted.ts'

const test = suite('SRT listeners')
const PASSPHRASE = 'a word of honour'

let port: number
benchForEach(test)
test.before.each(async () => {
  port = await freeUdpPort()
})

async function serve(config: Partial<SrtOutput> = {}): Promise<void> {
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port, ...config } }]
  })
  await bench.reaches(1, CONNECTION.connected)
  await bench.reaches(1, CONNECTION.waiting, 3)
}

const take = (text: string) => bench.engine.apply(channel(1, source(2, text)))

const clients = () => bench.engine.observe(1).outputs.get(3)?.clientNum
const at = () => `srt://127.0.0.1:${port}`

/** The words of every process of this machine that runs under the test. */
function words(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes('headend-srt'))
    .join('\n')
}

test('a stream id is known by the name in it', () => {
  for (const id of ['hall', 'live/hall', 'play.srt/live/hall', '#!::m=request,r=live/hall', '#!::r=hall'])
    assert.equal(nameOf(id), 'hall', id)
  assert.equal(nameOf(''), '')
})

test('as many players as may come take one output, one more is refused, and each leaves alone', async () => {
  await serve({ 'max-client-num': 2 })
  const first = receive(at())
  const second = receive(at())
  await until('both take it', () => clients() === 2 && first.bytes() > 20_000 && second.bytes() > 20_000)
  const third = run(['-v', 'error', '-i', at(), '-f', 'null', '-'])
  await third.done
  assert.equal(clients(), 2)
  const { kbps } = bench.engine.observe(1).outputs.get(3) ?? { kbps: 0 }
  assert.ok(kbps > 0)
  await until('round trips are told', () => bench.engine.figures(1, 3)?.report(kbps)['rtt-ms'] !== undefined)
})

test('players are listed with address, time and rate, one is thrown out, and only who may come stays', async () => {
  const apply = (allowIp: string[], own?: string[]) =>
    bench.engine.apply({
      id: 1,
      name: 'Stage',
      enable: true,
      input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
      outputs: [
        {
          id: 3,
          name: 'Out',
          protocol: SRT,
          config: { mode: 'listener', 'bind-port': port, ...(own && { 'allow-ip': own }) }
        }
      ],
      door: { pushKey: 'PUSH-1', playKey: 'PLAY-1', srt: false, rtmp: false, allowIp }
    })
  apply([])
  await bench.reaches(1, CONNECTION.waiting, 3)
  const list = () => bench.engine.observe(1).clients ?? []
  const players = [receive(at()), receive(at())]
  await until('both are given something', () => list().length === 2 && list().every((one) => one.kbps > 50))
  const [first, second] = list()
  assert.deepEqual([first?.protocol, first?.output, first?.sends], [SRT, 3, false])
  assert.match(first?.address ?? '', /^127\.0\.0\.1:\d+$/)
  assert.ok(bench.engine.dropClient(1, first?.id ?? 0))
  await until('one is gone', () => players.filter((player) => player.running()).length === 1)
  apply(['127.0.0.0/8'])
  await until('what it takes goes on', () => list()[0]?.id === second?.id && list().every((one) => one.livingTimeS > 1))
  apply(['10.0.0.0/8'], ['127.0.0.1'])
  const so = list()[0]?.livingTimeS ?? 0
  await until('what it says itself counts', () => (list()[0]?.livingTimeS ?? 0) > so)
  assert.equal(list()[0]?.id, second?.id)
  apply(['10.0.0.0/8'])
  await until('the other is gone', () => list().length === 0 && players.every((player) => !player.running()))
  await run(['-v', 'error', '-i', at(), '-f', 'null', '-']).done
  assert.deepEqual(list(), [])
})

test('where not everybody may come ffmpeg does not listen, which lets everybody in', async () => {
  await replaceBench({ srtProgram: '/nowhere/headend-srt' })
  const config = { mode: 'listener' as const, 'bind-port': port }
  const apply = (more: Partial<SrtOutput>) =>
    bench.engine.apply({
      id: 1,
      name: 'Stage',
      enable: true,
      input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
      outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { ...config, ...more } }]
    })
  apply({})
  await bench.reaches(1, CONNECTION.waiting, 3)
  apply({ 'allow-ip': ['10.0.0.0/8'] })
  await run(['-v', 'error', '-i', at(), '-f', 'null', '-']).done
  assert.equal(clients(), 0)
})

test('a passphrase and a stream id are asked of players, shown in no list of processes, and a wrong one is told', async () => {
  await serve({ enc: 'aes-256', passphrase: PASSPHRASE, 'stream-id': 'live/hall' })
  const wrong = run([
    '-v',
    'error',
    '-srt_streamid',
    'hall',
    '-passphrase',
    'another word',
    '-i',
    at(),
    '-f',
    'null',
    '-'
  ])
  await bench.reaches(1, CONNECTION.notAuthorized, 3)
  assert.equal(bench.engine.observe(1).outputs.get(3)?.reason, 'wrong-passphrase')
  await wrong.done
  const other = run(['-v', 'error', '-srt_streamid', 'foyer', '-passphrase', PASSPHRASE, '-i', at(), '-f', 'null', '-'])
  await other.done
  assert.equal(clients(), 0)
  const seen = await look(at(), 10, ['-srt_streamid', 'play.srt/live/hall', '-passphrase', PASSPHRASE])
  assert.equal(seen.codec, 'h264', seen.text)
  assert.ok(words().includes('headend-srt'))
  assert.doesNotMatch(words(), /honour|hall/)
})

test('a port that is taken is a failure with its number', async () => {
  const holder = createBench()
  holder.engine.apply({
    id: 1,
    name: 'Other',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [{ id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port } }]
  })
  await holder.reaches(1, CONNECTION.waiting, 3)
  take(`srt://127.0.0.1:${port}?mode=listener`)
  await bench.reaches(1, CONNECTION.creationFailed)
  const { state, reason } = bench.engine.observe(1)
  assert.deepEqual([state, reason], [SOURCE.addFailed, `port-taken ${port}`])
  await holder.engine.close()
  await bench.reaches(1, CONNECTION.waiting)
})

test('an input takes one sender with the right stream id, and the next one when it has left', async () => {
  take(`srt://127.0.0.1:${port}?mode=listener&streamid=hall&passphrase=${encodeURIComponent(PASSPHRASE)}`)
  await bench.reaches(1, CONNECTION.waiting)
  const secret = ['-passphrase', PASSPHRASE]
  const stranger = send('mpegts', '-srt_streamid', 'foyer', ...secret, `${at()}?pkt_size=1316`)
  await stranger.done
  assert.equal(bench.engine.observe(1).connState, CONNECTION.waiting)
  for (let turn = 0; turn < 2; turn++) {
    const sender = send('mpegts', '-srt_streamid', 'hall', ...secret, `${at()}?pkt_size=1316`)
    await bench.reaches(1, CONNECTION.connected)
    if (turn === 0) {
      const second = send('mpegts', '-srt_streamid', 'hall', ...secret, `${at()}?pkt_size=1316`)
      await second.done
      assert.ok(sender.running())
    }
    assert.doesNotMatch(words(), /honour|hall/)
    await sender.kill('SIGTERM')
    await bench.reaches(1, CONNECTION.waiting)
  }
})

test.run()
