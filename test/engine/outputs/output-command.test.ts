import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { RtmpOutput, SrtOutput } from '../../../contract/stream/source.ts'
import { outputCommand } from '../../../engine/outputs/output-command.ts'

const test = suite('output command')

const srt = (config: SrtOutput) => outputCommand({ id: 1, name: 'out', protocol: 2, config }, '0.0.0.0')
const rtmp = (config: RtmpOutput, tries = 0) =>
  outputCommand({ id: 1, name: 'out', protocol: 1, config }, '0.0.0.0', tries)
const preset = (text: string) =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/=(.*)/s))
  )

test('an SRT caller has its secrets in the private file, its latency in microseconds', () => {
  const made = srt({
    mode: 'caller',
    'dst-ip': 'example.com',
    'dst-port': 9000,
    'stream-id': '#!::r=live,m=publish',
    latency: 250,
    enc: 'aes-256',
    passphrase: 'a secret = 1&2'
  })
  assert.equal(made.args.at(-1), 'srt://example.com:9000?mode=caller&pkt_size=1316')
  assert.deepEqual(preset(made.preset), {
    passphrase: 'a secret = 1&2',
    pbkeylen: '32',
    srt_streamid: '#!::r=live,m=publish',
    latency: '250000'
  })
  assert.doesNotMatch(made.args.join(' '), /secret|publish/)
  assert.deepEqual([made.listens, made.raw], [false, true])
})

test('an SRT listener binds its port, and encrypts only when told to', () => {
  const made = srt({ mode: 'listener', 'bind-port': 9000, enc: 'disable', passphrase: 'left over here' })
  assert.equal(made.args.at(-1), 'srt://0.0.0.0:9000?mode=listener&pkt_size=1316')
  assert.deepEqual(preset(made.preset), { latency: '120000' })
  assert.equal(made.listens, true)
})

test('key lengths are those of the encryption chosen', () => {
  for (const [enc, bytes] of [
    ['aes-128', '16'],
    ['aes-192', '24'],
    ['aes-256', '32']
  ] as const)
    assert.equal(
      preset(srt({ mode: 'listener', 'bind-port': 1, enc, passphrase: '0123456789' }).preset).pbkeylen,
      bytes
    )
})

test('the key of RTMP is in the private file, with the whole path as its application', () => {
  const made = rtmp({ url: 'rtmp://example.com/live/region?auth=tok', key: 'my key' })
  assert.equal(made.args.at(-1), 'rtmp://example.com:1935/')
  assert.deepEqual(preset(made.preset), { rtmp_app: 'live/region?auth=tok', rtmp_playpath: 'my key' })
  assert.deepEqual(made.secrets, ['my key', 'auth=tok'])
  assert.doesNotMatch(made.args.join(' '), /my key|tok/)
})

test('without a key the last part of the path is the key', () => {
  assert.deepEqual(preset(rtmp({ url: 'rtmps://example.com/live/abc' }).preset), {
    rtmp_app: 'live',
    rtmp_playpath: 'abc'
  })
  assert.deepEqual(preset(rtmp({ url: 'rtmp://example.com/live' }).preset), { rtmp_app: 'live' })
})

test('a login counts only when authentication is on', () => {
  const config: RtmpOutput = { url: 'rtmp://example.com/live', key: 'k', username: 'joe', password: 'pass' }
  assert.equal(rtmp({ ...config, 'enable-auth': true }).args.at(-1), 'rtmp://joe:pass@example.com:1935/')
  assert.equal(rtmp({ ...config, 'enable-auth': false }).args.at(-1), 'rtmp://example.com:1935/')
  assert.ok(rtmp({ ...config, 'enable-auth': true }).secrets.includes('pass'))
})

test('RTMP probes longer after probing was too short', () => {
  const time = (tries: number) => {
    const { args } = rtmp({ url: 'rtmp://example.com/live', key: 'k' }, tries)
    return Number(args[args.indexOf('-analyzeduration') + 1])
  }
  assert.deepEqual([0, 1, 2, 9].map(time), [1_000_000, 3_000_000, 5_000_000, 5_000_000])
})

test('what cannot be a target is refused', () => {
  assert.throws(() => rtmp({ url: 'file:///etc/passwd', key: 'k' }))
  assert.throws(() => rtmp({ url: 'http://example.com/live', key: 'k' }))
  assert.throws(() => rtmp({ url: 'rtmp://example.com/live', key: 'a\npassphrase=b' }))
  assert.throws(() => srt({ mode: 'caller', 'dst-ip': 'a?mode=listener', 'dst-port': 1 }))
  assert.throws(() => srt({ mode: 'caller', 'dst-port': 1 }))
  assert.throws(() => srt({ mode: 'listener', 'bind-port': 1, enc: 'aes-128' }))
})

test.run()
