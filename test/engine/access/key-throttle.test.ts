// The throttle for wrong stream keys: first alone, then over each protocol with real programs.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP, RTSP } from '../../../contract/stream/protocols.ts'
import {
  createKeyThrottle,
  FIRST_WAIT,
  FORGET_AFTER,
  FREE_ATTEMPTS,
  hashKey,
  LONGEST_WAIT
} from '../../../engine/access/key-throttle.ts'
import { createLauncher } from '../../../engine/process/launcher.ts'
import { SrtPort, type SrtRefusal } from '../../../engine/srt/srt-port.ts'
import { createHlsHandler } from '../../../hub/http/hls.ts'
import { FetchRequest } from '../../../web-server/request.ts'
import { hlsFilesOf } from '../../kit/engine/hls-fetch.ts'
import { clipPath, runProcess, startReceiver } from '../../kit/engine/media.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, PORT_SETTINGS, pushedChannel } from '../ports/shared-ports-fixture.ts'

const test = suite('key throttle')

/** Addresses for which the engine has reported key guessing. */
let guessingAddresses: string[]
fixtureForEach(test, { onKeyGuessing: (address) => guessingAddresses.push(address) })
test.before.each(() => {
  guessingAddresses = []
})

/** Creates a throttle with a clock that the test sets. */
function createThrottle(knownKeys: string[] = []) {
  const clock = { now: 0 }
  const firstBlocks: string[] = []
  const throttle = createKeyThrottle({
    isKnownHash: (hash) => knownKeys.some((key) => hashKey(key) === hash),
    onFirstBlock: (address) => firstBlocks.push(address),
    now: () => clock.now
  })
  /** Presents the keys KEY-`from` to KEY-`to`, without the last. */
  const tryKeys = (address: string, from: number, to: number) => {
    for (let n = from; n < to; n++) throttle.recordWrongKey(address, hashKey(`KEY-${n}`))
  }
  return { clock, firstBlocks, throttle, tryKeys }
}

test('the hash of a key is FNV-1a, as headend-srt computes it', () => {
  // Test vectors of draft-eastlake-fnv: the empty text and 'foobar'.
  assert.deepEqual([hashKey(''), hashKey('foobar')], ['811c9dc5', 'bf9cf968'])
})

test('different wrong keys block an address, longer after each further one, and only the first block is reported', () => {
  const { clock, firstBlocks, throttle, tryKeys } = createThrottle()
  tryKeys('192.0.2.1', 0, FREE_ATTEMPTS - 1)
  assert.ok(!throttle.isBlocked('192.0.2.1'))
  tryKeys('192.0.2.1', FREE_ATTEMPTS, FREE_ATTEMPTS + 1)
  assert.ok(throttle.isBlocked('192.0.2.1') && !throttle.isBlocked('192.0.2.2'))
  assert.deepEqual(throttle.listBlocked(), [{ address: '192.0.2.1', wait: FIRST_WAIT }])
  tryKeys('192.0.2.1', 100, 200)
  let wait = FIRST_WAIT
  for (let n = 200; n < 210; n++) {
    assert.equal(throttle.listBlocked()[0]?.wait, wait, 'wrong keys do not count while the address is blocked')
    clock.now += wait
    assert.ok(!throttle.isBlocked('192.0.2.1'))
    tryKeys('192.0.2.1', n, n + 1)
    wait = Math.min(LONGEST_WAIT, 2 * wait)
  }
  assert.deepEqual(firstBlocks, ['192.0.2.1'])
  clock.now += FORGET_AFTER
  tryKeys('192.0.2.1', 0, FREE_ATTEMPTS - 1)
  assert.ok(!throttle.isBlocked('192.0.2.1'), 'the earlier wrong keys are forgotten')
})

test('a repeated key and the key of another channel do not count', () => {
  const { firstBlocks, throttle, tryKeys } = createThrottle(Array.from({ length: 50 }, (_, n) => `KEY-${n + 100}`))
  for (let n = 0; n < 100; n++) tryKeys('192.0.2.1', 0, FREE_ATTEMPTS - 1)
  tryKeys('192.0.2.1', 100, 150)
  assert.ok(!throttle.isBlocked('192.0.2.1'))
  tryKeys('192.0.2.1', 99, 100)
  assert.ok(throttle.isBlocked('192.0.2.1') && firstBlocks.length === 1)
})

test('an IPv6 network counts as one address, logins are blocked separately, blocks are reported to subscribers, and memory is bounded', () => {
  const { throttle, tryKeys } = createThrottle()
  const blocks: string[] = []
  const unsubscribe = throttle.onBlock((address, wait) => blocks.push(`${address} ${wait}`))
  for (let n = 0; n < FREE_ATTEMPTS; n++) throttle.recordWrongKey(`2001:db8::${n}`, hashKey(`KEY-${n}`))
  assert.ok(throttle.isBlocked('2001:db8::ffff') && !throttle.isBlocked('2001:db8:1::1'))
  for (let n = 0; n < FREE_ATTEMPTS; n++) throttle.recordWrongKey('192.0.2.1', String(n), 'login hall')
  assert.ok(throttle.isBlocked('192.0.2.1', 'login hall'))
  assert.ok(!throttle.isBlocked('192.0.2.1') && !throttle.isBlocked('192.0.2.1', 'login foyer'))
  assert.deepEqual(blocks, [`2001:db8:0:0 ${FIRST_WAIT}`])
  unsubscribe()
  for (let n = 0; n < 20_000; n++) tryKeys(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, 0, FREE_ATTEMPTS)
  assert.equal(throttle.listBlocked().length, 10_000)
  assert.equal(blocks.length, 1)
})

test('the SRT port refuses a blocked address until the block expires, without reporting the refusal', async () => {
  const refusals: SrtRefusal[] = []
  const launcher = createLauncher()
  let block = (_address: string, _wait: number) => {}
  const wrongKeys: string[] = []
  const port = new SrtPort({
    launcher,
    host: '127.0.0.1',
    port: 0,
    keyLength: 0,
    program: join(import.meta.dirname, '../../../build/headend-srt'),
    onConnect() {},
    onDisconnect() {},
    onRefusal: (refusal) => refusals.push(refusal),
    onChange() {},
    keyThrottle: {
      isBlocked: () => false,
      isIssued: () => false,
      recordWrongKey: (address, hash) => wrongKeys.push(`${address} ${hash}`),
      listBlocked: () => [{ address: '2001:db8:0:0', wait: 60_000 }],
      onBlock(listener) {
        block = listener
        return () => {}
      }
    },
    now: () => performance.now()
  })
  const key = { token: 'push', isPublisher: true, name: 'KEY', passphrase: '', latency: 20, maxClients: 1, allowIp: [] }
  port.setKeys([{ ...key, keyLength: 0 }])
  await until(() => port.port() !== undefined, 'the port is open')
  const push = (streamId: string) => {
    const input = ['-re', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts']
    return runProcess([...input, '-srt_streamid', streamId, `srt://127.0.0.1:${port.port()}`])
  }
  await push('publish.srt/live/NO-KEY').exited
  assert.deepEqual(wrongKeys, [`127.0.0.1 ${hashKey('NO-KEY')}`], 'the prefix is not part of the key')
  block('127.0.0.1', 60_000)
  await push('KEY').exited
  assert.deepEqual([refusals.length, port.clients().length], [1, 0])
  block('127.0.0.1', 1)
  const sender = push('KEY')
  await until(() => port.clients().length === 1, 'the sender is connected')
  await sender.kill()
  await port.close()
})

for (const [name, presentWrongKey] of [
  ['SRT', () => fixture.pushSrt('GUESS').exited],
  ['RTMP', () => fixture.pushRtmp('GUESS').exited],
  ['RTSP', () => describe('GUESS')],
  ['HLS', async () => void (await requestHls('GUESS'))]
] as const)
  test(`one wrong key too many over ${name} blocks the address on all protocols, but not existing connections`, async () => {
    const { engine } = fixture
    const { keyThrottle: throttle } = engine
    rtspPort = await freeTcpPort()
    engine.apply(
      pushedChannel(
        {},
        {
          input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
          outputs: [
            { id: 3, name: 'Eye', protocol: RTSP, config: { port: rtspPort, key: 'hall' } },
            { id: 4, name: 'Web', protocol: HTTP, config: { key: 'HLS-1', 'seg-count': 3, 'seg-duration': 1 } },
            { id: 5, name: 'Other', protocol: HTTP, config: { key: 'HLS-2', 'seg-count': 3, 'seg-duration': 1 } }
          ]
        }
      )
    )
    // A stopped channel: its keys do not count as wrong.
    engine.apply(pushedChannel({ 'push-key': 'PUSH-9', 'play-key': 'PLAY-9' }, { id: 2, enable: false, outputs: [] }))
    await fixture.openPorts(PORT_SETTINGS)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    await until(() => engine.hlsStores.get('HLS-1')?.playlist() !== undefined, 'there is a segment')
    const segment = /^\d+\.ts$/m.exec(await (await requestHls('HLS-1')).text())?.[0] ?? ''
    assert.equal((await requestHls('HLS-1', segment)).status, 200)
    // A player that fetches nothing has left.
    const stopFetching = fetchSegments('HLS-1')
    const player = fixture.playSrt()
    await until(() => fixture.listClients(false).length === 2, 'two players are listed')
    for (let n = 1; n < FREE_ATTEMPTS; n++) throttle.recordWrongKey('127.0.0.1', hashKey(`KEY-${n}`))
    await Promise.all([fixture.pushSrt('PUSH-9').exited, describe('hall'), requestHls('PLAY-9')])
    assert.ok(!throttle.isBlocked('127.0.0.1'))
    await presentWrongKey()
    await until(() => throttle.isBlocked('127.0.0.1'), 'the address is blocked')
    assert.deepEqual(guessingAddresses, ['127.0.0.1'])
    const refusedPlayers = [startReceiver(fixture.srtUrl(), ['-srt_streamid', 'PLAY-1']), fixture.playRtmp()]
    assert.equal(await describe('hall'), '')
    assert.equal((await requestHls('HLS-2')).status, 429)
    assert.equal((await requestHls('HLS-1')).status, 200, 'an existing HLS player may continue')
    stopFetching()
    await until(() => refusedPlayers.every((player) => !player.isRunning()), 'the other players are refused')
    assert.ok(throttle.isBlocked('127.0.0.1'), 'the address was blocked the whole time')
    assert.ok(player.isRunning())
  })

let rtspPort = 0

/**
 * Sends an RTSP DESCRIBE request for a key. Returns the response, or an empty text if the server closes the connection.
 */
function describe(key: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(rtspPort, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
    socket.on('close', () => resolve(''))
    socket.write(`DESCRIBE rtsp://127.0.0.1:${rtspPort}/${key} RTSP/1.0\r\nCSeq: 1\r\n\r\n`)
  })
}

/** Fetches the newest segment twice a second, as a player does, until the returned function is called. */
function fetchSegments(key: string): () => void {
  const timer = setInterval(async () => {
    const segment = (await (await requestHls(key)).text()).match(/^\d+\.ts$/gm)?.at(-1)
    if (segment) await requestHls(key, segment)
  }, 500)
  return () => clearInterval(timer)
}

async function requestHls(key: string, file = 'index.m3u8'): Promise<Response> {
  const response = createHlsHandler(hlsFilesOf(fixture.engine))(
    new FetchRequest(new Request(`http://hub/hls/${key}/${file}`)),
    '127.0.0.1'
  )
  if (!response) throw new Error('The path is not below /hls/')
  return response
}

test.run()
