// Who guesses keys of streams: the rule alone, and then over each protocol, with real programs.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION, HTTP, RTSP } from '../../../contract/stream/protocols.ts'
import { createGuesses, FIRST, FORGET, FREE, LONGEST, markOf } from '../../../engine/access/key-throttle.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { createSrtPort, type SrtRefusal } from '../../../engine/srt/srt-port.ts'
import { createHls } from '../../../hub/http/hls.ts'
import { freeTcpPort } from '../../kit/free-port.ts'
import { clip, receive, run, until } from '../media.ts'
import { bench, benchForEach, PORTS, stage } from '../ports/shared-bench.ts'

const test = suite('guesses')

let guessed: string[]
benchForEach(test, { guessed: (address) => guessed.push(address) })
test.before.each(() => {
  guessed = []
})

/** The rule by itself, with a clock that is set by hand. */
function alone(known: string[] = []) {
  const clock = { at: 0 }
  const began: string[] = []
  const guesses = createGuesses({
    known: (mark) => known.some((key) => markOf(key) === mark),
    began: (address) => began.push(address),
    now: () => clock.at
  })
  const guess = (address: string, from: number, to: number) => {
    for (let n = from; n < to; n++) guesses.wrong(address, markOf(`KEY-${n}`))
  }
  return { clock, began, guesses, guess }
}

test('a key stands for itself by a mark, as the hub and its program make it', () => {
  // Of RFC draft-eastlake-fnv: the empty text, and 'foobar'.
  assert.deepEqual([markOf(''), markOf('foobar')], ['811c9dc5', 'bf9cf968'])
})

test('different wrong keys bar an address, for longer with each one after it has waited; it is told once', () => {
  const { clock, began, guesses, guess } = alone()
  guess('192.0.2.1', 0, FREE - 1)
  assert.ok(!guesses.barred('192.0.2.1'))
  guess('192.0.2.1', FREE, FREE + 1)
  assert.ok(guesses.barred('192.0.2.1') && !guesses.barred('192.0.2.2'))
  assert.deepEqual(guesses.bars(), [{ address: '192.0.2.1', wait: FIRST }])
  guess('192.0.2.1', 100, 200)
  let wait = FIRST
  for (let n = 200; n < 210; n++) {
    assert.equal(guesses.bars()[0]?.wait, wait, 'what comes while it waits does not count')
    clock.at += wait
    assert.ok(!guesses.barred('192.0.2.1'))
    guess('192.0.2.1', n, n + 1)
    wait = Math.min(LONGEST, 2 * wait)
  }
  assert.deepEqual(began, ['192.0.2.1'])
  clock.at += FORGET
  guess('192.0.2.1', 0, FREE - 1)
  assert.ok(!guesses.barred('192.0.2.1'), 'it is forgotten')
})

test('the same key again is no guess, nor is one that somebody was given', () => {
  const { began, guesses, guess } = alone(Array.from({ length: 50 }, (_, n) => `KEY-${n + 100}`))
  for (let n = 0; n < 100; n++) guess('192.0.2.1', 0, FREE - 1)
  guess('192.0.2.1', 100, 150)
  assert.ok(!guesses.barred('192.0.2.1'))
  guess('192.0.2.1', 99, 100)
  assert.ok(guesses.barred('192.0.2.1') && began.length === 1)
})

test('a network of IPv6 is one address; logins bar from logins alone; those who watch are told, and memory is bounded', () => {
  const { guesses, guess } = alone()
  const told: string[] = []
  const end = guesses.watch((address, wait) => told.push(`${address} ${wait}`))
  for (let n = 0; n < FREE; n++) guesses.wrong(`2001:db8::${n}`, markOf(`KEY-${n}`))
  assert.ok(guesses.barred('2001:db8::ffff') && !guesses.barred('2001:db8:1::1'))
  for (let n = 0; n < FREE; n++) guesses.wrong('192.0.2.1', String(n), 'login hall')
  assert.ok(guesses.barred('192.0.2.1', 'login hall'))
  assert.ok(!guesses.barred('192.0.2.1') && !guesses.barred('192.0.2.1', 'login foyer'))
  assert.deepEqual(told, [`2001:db8:0:0 ${FIRST}`])
  end()
  for (let n = 0; n < 20_000; n++) guess(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 0, FREE)
  assert.equal(guesses.bars().length, 10_000)
  assert.equal(told.length, 1)
})

test('the SRT port turns an address away for as long as it is told, and does not tell of it', async () => {
  const refusals: SrtRefusal[] = []
  const launcher = createLauncher()
  let bar = (_address: string, _wait: number) => {}
  const wrong: string[] = []
  const port = createSrtPort({
    ...{ launcher, host: '127.0.0.1', port: 0, keyLength: 0 },
    program: join(import.meta.dirname, '../../../build/headend-srt'),
    enter: (_, socket) => void socket.resume(),
    leave() {},
    refused: (refusal) => refusals.push(refusal),
    changed() {},
    guesses: {
      barred: () => false,
      wrong: (address, mark) => wrong.push(`${address} ${mark}`),
      bars: () => [{ address: '2001:db8:0:0', wait: 60_000 }],
      watch(told) {
        bar = told
        return () => {}
      }
    },
    now: () => performance.now()
  })
  const key = { token: 'push', sends: true, name: 'KEY', passphrase: '', latency: 20, max: 1, from: [] }
  port.set([{ ...key, keyLength: 0 }])
  await until('it is open', () => port.port() !== undefined)
  const push = (id: string) =>
    run(['-re', '-i', clip(), '-c', 'copy', '-f', 'mpegts', '-srt_streamid', id, `srt://127.0.0.1:${port.port()}`])
  await push('publish.srt/live/NO-KEY').done
  assert.deepEqual(wrong, [`127.0.0.1 ${markOf('NO-KEY')}`], 'what stands before it is not part of the key')
  bar('127.0.0.1', 60_000)
  await push('KEY').done
  assert.deepEqual([refusals.length, port.clients().length], [1, 0])
  bar('127.0.0.1', 1)
  const sender = push('KEY')
  await until('it is let in', () => port.clients().length === 1)
  await sender.kill()
  await port.close()
})

for (const [name, guess] of [
  ['SRT', () => bench.pushSrt('GUESS').done],
  ['RTMP', () => bench.pushRtmp('GUESS').done],
  ['RTSP', () => describe('GUESS')],
  ['HLS', async () => void (await hls('GUESS'))]
] as const)
  test(`a guess too many over ${name} bars from keys over all ways, but not who is there already`, async () => {
    const { engine } = bench
    const { guesses } = engine
    rtsp = await freeTcpPort()
    engine.apply(
      stage(
        {},
        {
          input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
          outputs: [
            { id: 3, name: 'Eye', protocol: RTSP, config: { port: rtsp, key: 'hall' } },
            { id: 4, name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } },
            { id: 5, name: 'Other', protocol: HTTP, config: { key: 'HLS-2', 'seg-count': 3, 'seg-duration': 1 } }
          ]
        }
      )
    )
    // Another one, that is stopped: whoever comes with its keys does not guess.
    engine.apply(stage({ pushKey: 'PUSH-9', playKey: 'PLAY-9' }, { id: 2, enable: false, outputs: [] }))
    await bench.open(PORTS)
    await bench.reaches(1, CONNECTION.connected)
    await until('a segment', () => engine.shelves.get('HLS-1')?.playlist() !== undefined)
    const segment = /^\d+\.ts$/m.exec(await (await hls('HLS-1')).text())?.[0] ?? ''
    assert.equal((await hls('HLS-1', segment)).status, 200)
    const watching = bench.watchSrt()
    await until('it is watched', () => bench.clients(false).length === 2)
    for (let n = 1; n < FREE; n++) guesses.wrong('127.0.0.1', markOf(`KEY-${n}`))
    await Promise.all([bench.pushSrt('PUSH-9').done, describe('hall'), hls('PLAY-9')])
    assert.ok(!guesses.barred('127.0.0.1'))
    await guess()
    await until('it is barred', () => guesses.barred('127.0.0.1'))
    assert.deepEqual(guessed, ['127.0.0.1'])
    const others = [receive(bench.srt(), ['-srt_streamid', 'PLAY-1']), bench.watchRtmp()]
    assert.equal(await describe('hall'), '')
    assert.equal((await hls('HLS-2')).status, 429)
    assert.equal((await hls('HLS-1')).status, 200, 'it watches that already')
    await until('the others are refused', () => others.every((each) => !each.running()))
    assert.ok(guesses.barred('127.0.0.1'), 'all that was while it waits')
    assert.ok(watching.running())
  })

let rtsp = 0

/** What an RTSP server says of a key; nothing where it hangs up. */
function describe(key: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(rtsp, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
    socket.on('close', () => resolve(''))
    socket.write(`DESCRIBE rtsp://127.0.0.1:${rtsp}/${key} RTSP/1.0\r\nCSeq: 1\r\n\r\n`)
  })
}

async function hls(key: string, file = 'index.m3u8'): Promise<Response> {
  const answer = createHls(bench.engine)(new Request(`http://hub/hls/${key}/${file}`), '127.0.0.1')
  if (!answer) throw new Error('it is not below /hls/')
  return answer
}

test.run()
