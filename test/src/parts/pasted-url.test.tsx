import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { INPUT_FORM } from '../../../src/parts/source/input-form.ts'
import { OUTPUT_FORM } from '../../../src/parts/source/output-form.ts'
import { valuesWithoutField } from '../../../src/parts/source/source-form.ts'

const test = suite('pasted URLs')

const filled = (values: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
const output = (text: string) => filled(OUTPUT_FORM.parsePasted(text))
const input = (text: string) => filled(INPUT_FORM.parsePasted(text))

test('the key of an RTMP URL is its last part, with the query', () => {
  assert.deepEqual(output('rtmp://a.rtmp.youtube.com/live2/abcd-1234'), {
    kind: 'rtmp',
    url: 'rtmp://a.rtmp.youtube.com/live2',
    key: 'abcd-1234'
  })
  assert.deepEqual(output('rtmps://live-api-s.facebook.com:443/rtmp/FB-1-0-x?s_bl=1&s_ps=1'), {
    kind: 'rtmp',
    url: 'rtmps://live-api-s.facebook.com:443/rtmp',
    key: 'FB-1-0-x?s_bl=1&s_ps=1'
  })
  assert.deepEqual(output(' RTMP://user:p%40ss@192.0.2.9/app/instance/key '), {
    kind: 'rtmp',
    url: 'rtmp://192.0.2.9/app/instance',
    key: 'key',
    username: 'user',
    password: 'p@ss'
  })
  assert.deepEqual(output('live.example.com/app/key?a=1'), {
    kind: 'rtmp',
    url: 'rtmp://live.example.com/app',
    key: 'key?a=1'
  })
  assert.deepEqual(output('rtmp://192.0.2.9/live'), { kind: 'rtmp', url: 'rtmp://192.0.2.9/live' })
})

test('an SRT URL fills mode, latency, passphrase, key length and stream ID', () => {
  const query = 'mode=caller&latency=250&passphrase=long%20enough%21&pbkeylen=32&streamid=%23!::r=live'
  assert.deepEqual(output(`srt://192.0.2.9:9000?${query}`), {
    kind: 'caller',
    'dst-ip': '192.0.2.9',
    'dst-port': '9000',
    latency: '250',
    passphrase: 'long enough!',
    enc: 'aes-256',
    'stream-id': '#!::r=live'
  })
  assert.deepEqual(output('srt://:9000'), { kind: 'listener', 'bind-port': '9000', enc: 'disable' })
  const disabled = 'srt://192.0.2.9:9000?passphrase=long%20enough&pbkeylen=0'
  assert.equal(output(disabled).enc, 'disable')
  assert.equal(input(disabled).pbkeylen, '0')
  const { kind, host, port, latency, passphrase, streamid } = input(`srt://192.0.2.9:9000?${query}`)
  assert.deepEqual(
    [kind, host, port, latency, passphrase, streamid],
    ['caller', '192.0.2.9', '9000', '250', 'long enough!', '#!::r=live']
  )
})

test('UDP and RTP URLs fill multicast address, TTL and interface', () => {
  assert.deepEqual(output('udp://239.0.0.1:5000?ttl=4&localaddr=192.0.2.7'), {
    kind: 'udp',
    'dst-ip': '239.0.0.1',
    'dst-port': '5000',
    'mcast-time-to-live': '4',
    iface: '192.0.2.7'
  })
  const { kind, host, port, iface } = input('rtp://@239.0.0.1:5000?iface=eth0')
  assert.deepEqual([kind, host, port, iface], ['rtp', '239.0.0.1', '5000', 'eth0'])
})

test('RTSP with a login, an HLS playlist and an NDI source are inputs', () => {
  const { kind, host, user, password, path } = input('rtsp://admin:s%3Acret@192.0.2.9/Streaming/Channels/101?x=1')
  assert.deepEqual(
    [kind, host, user, password, path],
    ['rtsp', '192.0.2.9', 'admin', 's:cret', '/Streaming/Channels/101?x=1']
  )
  assert.equal(input('https://example.com/live/index.m3u8?token=1').path, '/live/index.m3u8?token=1')
  assert.deepEqual(input('ndi://STUDIO (Cam 1)'), { kind: 'ndi', name: 'STUDIO (Cam 1)' })
})

test('parameters without a field are named', () => {
  const ignoredOutput = (text: string) => valuesWithoutField(OUTPUT_FORM.fields, OUTPUT_FORM.parsePasted(text) ?? {})
  const ignoredInput = (text: string) => valuesWithoutField(INPUT_FORM.fields, INPUT_FORM.parsePasted(text) ?? {})
  assert.deepEqual(ignoredOutput('udp://239.0.0.1:5000?pkt_size=1316&ttl=1'), ['pkt_size'])
  assert.deepEqual(ignoredOutput('srt://192.0.2.9:9000?mode=caller&passphrase=long%20enough&maxbw=0'), ['maxbw'])
  assert.deepEqual(ignoredOutput('srt://:9000?mode=listener&latency=200'), [])
  assert.deepEqual(ignoredInput('srt://192.0.2.9:9000?maxbw=0&latency=120'), ['maxbw'])
  assert.deepEqual(ignoredInput('udp://239.0.0.1:5000?fifo_size=1&overrun_nonfatal=1'), [
    'fifo_size',
    'overrun_nonfatal'
  ])
  assert.deepEqual(ignoredInput('rtmp://user:secret@192.0.2.9/live/key?a=1'), [])
})

test('text that is not a URL of the form fills no field', () => {
  for (const text of ['192.0.2.9', 'ftp://192.0.2.9/a', 'rtmp', 'https://example.com/index.m3u8'])
    assert.equal(OUTPUT_FORM.parsePasted(text), undefined, text)
  assert.equal(INPUT_FORM.parsePasted('ftp://192.0.2.9/a'), undefined)
})

test.run()
