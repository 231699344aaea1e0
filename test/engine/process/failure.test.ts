import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { explainExit, scrub, systemFailure } from '../../../engine/process/failure.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { reasonText } from '../../../hub/messages/reasons.ts'

const test = suite('failure')

const explain = (line: string, context: Partial<Parameters<typeof explainExit>[1]> = {}) =>
  explainExit(line.split('\n'), { opened: false, srtCaller: false, secrets: [], ...context })

/** Messages of ffmpeg 5.1 and the connection state that each means. */
const MESSAGES: [string, number][] = [
  ['[tcp @ 0x55] Connection to tcp://127.0.0.1:1?tcp_nodelay=0 failed: Connection refused', CONNECTION_STATE.refused],
  [
    '[srt @ 0x56] Failed to resolve hostname no.such.invalid: Name or service not known\nsrt://no.such.invalid:1: Input/output error',
    CONNECTION_STATE.nameNotFound
  ],
  [
    '11:22:44.134545/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Incorrect passphrase - not processing further\nsrt://127.0.0.1:1: Input/output error',
    CONNECTION_STATE.notAuthorized
  ],
  [
    '11:22:44.211142/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Password required or unexpected - not processing further',
    CONNECTION_STATE.notAuthorized
  ],
  ['http://127.0.0.1:1/401: Server returned 401 Unauthorized (authorization failed)', CONNECTION_STATE.notAuthorized],
  ['[http @ 0x5] HTTP error 403 Forbidden', CONNECTION_STATE.notAuthorized],
  ['http://127.0.0.1:1/404: Server returned 404 Not Found', CONNECTION_STATE.streamFailed],
  ['http://127.0.0.1:1/: Server returned 5XX Server Error reply', CONNECTION_STATE.streamFailed],
  ['http://127.0.0.1:1/: Invalid data found when processing input', CONNECTION_STATE.streamFailed],
  // A redirect to file:///… or rtsp://…
  ['http://127.0.0.1:1/: Invalid argument', CONNECTION_STATE.streamFailed],
  [
    '[rtmp @ 0x5] Cannot read RTMP handshake response\nrtmp://h/a/b: Connection reset by peer',
    CONNECTION_STATE.handshakeFailed
  ],
  ['[rtmp @ 0x5] Server error: Stream not found', CONNECTION_STATE.streamFailed],
  ['[tcp @ 0x5] Connection to tcp://10.0.0.1:1 failed: Connection timed out', CONNECTION_STATE.tcpPortFailed],
  ['rtsp://10.0.0.1:1/x: Connection timed out', CONNECTION_STATE.failed],
  ['[srt @ 0x5] Connection setup failure\nsrt://127.0.0.1:1: Address already in use', CONNECTION_STATE.creationFailed],
  ['[udp @ 0x5] bind failed: Address already in use', CONNECTION_STATE.creationFailed],
  ['srt://127.0.0.1:80?mode=listener: Permission denied', CONNECTION_STATE.creationFailed],
  ['av_interleaved_write_frame(): Broken pipe', CONNECTION_STATE.disconnected],
  ['rtmp://h/a/b: Input/output error', CONNECTION_STATE.streamFailed]
]

test('messages of ffmpeg are mapped to connection states', () => {
  for (const [text, state] of MESSAGES) assert.equal(explain(text).connState, state, text)
})

test('known messages have a reason code, and only messages with more details are quoted', () => {
  assert.deepEqual(
    MESSAGES.map(([text]) => explain(text).reason),
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
      'not-a-stream',
      'handshake-failed',
      'said Server error: Stream not found',
      'timed-out',
      'timed-out',
      'said srt://127.0.0.1:1: Address already in use',
      'said bind failed: Address already in use',
      'port-privileged 80',
      'other-end',
      'stream-refused'
    ]
  )
})

test('a port in use gives the state addFailed, and a codec that RTMP cannot carry the state unsupported', () => {
  assert.equal(explain('srt://127.0.0.1:1: Address already in use').state, SOURCE_STATE.addFailed)
  const codec = explain('[flv @ 0x5] Audio codec mp2 not compatible with flv: codec not compatible')
  assert.equal(codec.state, SOURCE_STATE.unsupported)
})

test('an SRT call without a response has the reason no-answer', () => {
  const line = '[srt @ 0x5] Connection to srt://127.0.0.1:1 failed: Input/output error'
  assert.deepEqual(explain(line, { srtCaller: true }), {
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.failed,
    reason: 'no-answer'
  })
})

test('an exit after the leg was connected is a lost connection, even without a message', () => {
  for (const lines of [[], ['srt://127.0.0.1:1: Input/output error']])
    assert.equal(
      explainExit(lines, { opened: true, srtCaller: true, secrets: [] }).connState,
      CONNECTION_STATE.disconnected
    )
  assert.equal(explainExit([], { opened: false, srtCaller: false, secrets: [] }).connState, CONNECTION_STATE.failed)
})

test('a URL is reduced to scheme, host and port', () => {
  assert.equal(
    scrub('[rtmp @ 0x55d4] rtmp://joe:pa:s@s@example.com:1935/live/secret-key?token=t: Input/output error', []),
    'rtmp://example.com:1935: Input/output error'
  )
  assert.equal(
    scrub('[srt @ 0x5] Connection to srt://127.0.0.1:1?passphrase=0123456789&mode=caller failed: x', []),
    'Connection to srt://127.0.0.1:1 failed: x'
  )
})

test('known secrets are masked everywhere, percent-encoded or not', () => {
  const secrets = ['my key', 'a&b=c', 'my key and more']
  const text = scrub("publish 'my key and more' or my%20key with a&b=c, a%26b%3Dc", secrets)
  assert.equal(text, "publish '***' or *** with ***, ***")
})

test('no reason contains a secret', () => {
  for (const [text] of MESSAGES) {
    const { reason } = explain(`${text} passphrase=hush-hush password=hush-hush`, { secrets: ['hush-hush'] })
    assert.doesNotMatch(reason, /hush/)
  }
})

/** The messages with a key in the URL of the stream. */
const messagesWithKey = (key: string) => MESSAGES.map(([text]) => text.replace('h/a/b', `h/a/${key}`))

test('a message is recognized whatever the key is, such as a single letter or a word of the message', () => {
  const reasons = MESSAGES.map(([text]) => explain(text).reason)
  for (const key of ['k', 'e', 'i', 'refused', 'pipe', 'handshake', '401', 'HTTP error', 'Broken pipe']) {
    for (const [index, text] of messagesWithKey(key).entries()) {
      const { reason } = explain(text, { secrets: [key] })
      if (reasons[index]?.startsWith('said')) continue
      assert.equal(reason, reasons[index], `${key}: ${text}`)
    }
  }
})

test('a message with a short key is not quoted, so it does not show which letters the key has', () => {
  const { reason } = explain('[rtmp @ 0x5] Server error: Stream not found', { secrets: ['k', 'o'] })
  assert.equal(reason, 'said-hidden')
  assert.equal(explain('x: Address already in use', { secrets: ['k', 'z'] }).reason, 'said x: Address already in use')
  for (let code = 33; code < 127; code++) {
    const key = String.fromCharCode(code)
    for (const [text] of MESSAGES) assert.doesNotMatch(explain(text, { secrets: [key] }).reason, /\*\*\*/, key)
  }
})

test('a key that is a word of other messages does not change their meaning', () => {
  const text = 'rtmp://h/live/401-handshake: Connection refused'
  assert.deepEqual(explain(text, { secrets: ['401-handshake'] }), {
    state: SOURCE_STATE.failed,
    connState: CONNECTION_STATE.refused,
    reason: 'call-refused'
  })
})

test('the reason names the codec that the container does not take', () => {
  for (const [line, reason] of [
    ['[flv @ 0x5] Video codec hevc not compatible with flv', 'codec-unsupported HEVC'],
    ['[flv @ 0x5] Audio codec ac3 not compatible with flv', 'audio-unsupported AC-3'],
    ['[flv @ 0x5] Audio codec opus not compatible with flv', 'audio-unsupported Opus'],
    ["[flv @ 0x5] Tag [2][0][0][0] incompatible with output codec id '2' ([0][0][0][0])", 'codec-unsupported MPEG-2'],
    ["[flv @ 0x5] Tag [3][0][0][0] incompatible with output codec id '86016' ([0][0][0][0])", 'audio-unsupported MP2']
  ] as const)
    assert.equal(explain(line).reason, reason)
})

const refusal = (syscall: string) =>
  Object.assign(new Error(`${syscall} EACCES: permission denied 0.0.0.0:554`), { code: 'EACCES', syscall, port: 554 })

test('the failure names the port that the engine may not open, and the next step names the ports that it may open', () => {
  for (const syscall of ['listen', 'bind']) {
    const { state, connState, reason } = systemFailure(refusal(syscall))
    assert.equal(connState, CONNECTION_STATE.creationFailed)
    assert.equal(reasonText('en', reason), 'the stream engine has no right to open port 554')
    assert.equal(nextStep('en', { state, connState, reason }), 'Choose a port from 1024 up.')
    assert.equal(nextStep('zh', { state, connState, reason }), '请选择 1024 或以上的端口。')
  }
})

test('a connection that the system forbids is another failure', () => {
  assert.match(systemFailure(refusal('connect')).reason, /^not-started /)
})

test.run()
