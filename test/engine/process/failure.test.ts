import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, SOURCE } from '../../../contract/stream/protocols.ts'
import { explain, scrub } from '../../../engine/process/failure.ts'

const test = suite('failure')

const because = (line: string, more: Partial<Parameters<typeof explain>[1]> = {}) =>
  explain(line.split('\n'), { opened: false, srtCaller: false, secrets: [], ...more })

/** What ffmpeg 5.1 writes, as seen. */
const WORDS: [string, number][] = [
  ['[tcp @ 0x55] Connection to tcp://127.0.0.1:1?tcp_nodelay=0 failed: Connection refused', CONNECTION.refused],
  [
    '[srt @ 0x56] Failed to resolve hostname no.such.invalid: Name or service not known\nsrt://no.such.invalid:1: Input/output error',
    CONNECTION.nameNotFound
  ],
  [
    '11:22:44.134545/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Incorrect passphrase - not processing further\nsrt://127.0.0.1:1: Input/output error',
    CONNECTION.notAuthorized
  ],
  [
    '11:22:44.211142/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Password required or unexpected - not processing further',
    CONNECTION.notAuthorized
  ],
  ['http://127.0.0.1:1/401: Server returned 401 Unauthorized (authorization failed)', CONNECTION.notAuthorized],
  ['[http @ 0x5] HTTP error 403 Forbidden', CONNECTION.notAuthorized],
  ['http://127.0.0.1:1/404: Server returned 404 Not Found', CONNECTION.streamFailed],
  ['http://127.0.0.1:1/: Server returned 5XX Server Error reply', CONNECTION.streamFailed],
  ['http://127.0.0.1:1/: Invalid data found when processing input', CONNECTION.streamFailed],
  [
    '[rtmp @ 0x5] Cannot read RTMP handshake response\nrtmp://h/a/b: Connection reset by peer',
    CONNECTION.handshakeFailed
  ],
  ['[rtmp @ 0x5] Server error: Stream not found', CONNECTION.streamFailed],
  ['[tcp @ 0x5] Connection to tcp://10.0.0.1:1 failed: Connection timed out', CONNECTION.tcpPortFailed],
  ['rtsp://10.0.0.1:1/x: Connection timed out', CONNECTION.failed],
  ['[srt @ 0x5] Connection setup failure\nsrt://127.0.0.1:1: Address already in use', CONNECTION.creationFailed],
  ['[udp @ 0x5] bind failed: Address already in use', CONNECTION.creationFailed],
  ['av_interleaved_write_frame(): Broken pipe', CONNECTION.disconnected],
  ['rtmp://h/a/b: Input/output error', CONNECTION.streamFailed]
]

test('what ffmpeg says is mapped to the connection state it means', () => {
  for (const [text, state] of WORDS) assert.equal(because(text).connState, state, text)
})

test('what it means is said in either language, and only what says more is quoted', () => {
  assert.deepEqual(
    WORDS.map(([text]) => because(text).reason),
    [
      'call-refused',
      'name-unknown no.such.invalid',
      'passphrase-refused',
      'passphrase-refused',
      'login-refused',
      'not-allowed',
      'server-error 404',
      'server-error 5XX',
      'not-a-stream',
      'handshake-failed',
      'said Server error: Stream not found',
      'timed-out',
      'timed-out',
      'said srt://127.0.0.1:1: Address already in use',
      'said bind failed: Address already in use',
      'other-end',
      'stream-refused'
    ]
  )
})

test('a port in use is an addition that failed, a codec RTMP cannot carry an unsupported one', () => {
  assert.equal(because('srt://127.0.0.1:1: Address already in use').state, SOURCE.addFailed)
  const codec = because('[flv @ 0x5] Audio codec mp2 not compatible with flv: codec not compatible')
  assert.equal(codec.state, SOURCE.unsupported)
})

test('an SRT peer that is not there does not answer', () => {
  const line = '[srt @ 0x5] Connection to srt://127.0.0.1:1 failed: Input/output error'
  assert.deepEqual(because(line, { srtCaller: true }), {
    state: SOURCE.failed,
    connState: CONNECTION.failed,
    reason: 'no-answer'
  })
})

test('an end after it had carried is a lost connection, whatever the exit code and however few the words', () => {
  for (const lines of [[], ['srt://127.0.0.1:1: Input/output error']])
    assert.equal(explain(lines, { opened: true, srtCaller: true, secrets: [] }).connState, CONNECTION.disconnected)
  assert.equal(explain([], { opened: false, srtCaller: false, secrets: [] }).connState, CONNECTION.failed)
})

test('of a URL only scheme, host and port are left', () => {
  assert.equal(
    scrub('[rtmp @ 0x55d4] rtmp://joe:pa:s@s@example.com:1935/live/secret-key?token=t: Input/output error', []),
    'rtmp://example.com:1935: Input/output error'
  )
  assert.equal(
    scrub('[srt @ 0x5] Connection to srt://127.0.0.1:1?passphrase=0123456789&mode=caller failed: x', []),
    'Connection to srt://127.0.0.1:1 failed: x'
  )
})

test('known secrets are masked wherever they stand, encoded or not', () => {
  const secrets = ['my key', 'a&b=c', 'my key and more']
  const text = scrub("publish 'my key and more' or my%20key with a&b=c, a%26b%3Dc", secrets)
  assert.equal(text, "publish '***' or *** with ***, ***")
})

test('no reason holds a secret', () => {
  for (const [text] of WORDS) {
    const { reason } = because(`${text} passphrase=hush-hush password=hush-hush`, { secrets: ['hush-hush'] })
    assert.doesNotMatch(reason, /hush/)
  }
})

test.run()
