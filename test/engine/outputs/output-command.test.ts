import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { RtmpOutput, SrtOutput } from '../../../contract/stream/source.ts'
import { buildOutputCommand } from '../../../engine/outputs/output-command.ts'

const test = suite('output command')

const srt = (config: SrtOutput) => buildOutputCommand({ id: 1, name: 'out', protocol: 2, config }, '0.0.0.0')
const rtmp = (config: RtmpOutput, tries = 0) =>
  buildOutputCommand({ id: 1, name: 'out', protocol: 1, config }, '0.0.0.0', tries)
const parseOptions = (text: string) =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/=(.*)/s))
  )

test('an SRT caller has its secrets in the private file and its latency in microseconds', () => {
  const command = srt({
    mode: 'caller',
    'dst-ip': 'example.com',
    'dst-port': 9000,
    'stream-id': '#!::r=live,m=publish',
    latency: 250,
    enc: 'aes-256',
    passphrase: 'a secret = 1&2'
  })
  assert.equal(command.args.at(-1), 'srt://example.com:9000?mode=caller&pkt_size=1316')
  assert.deepEqual(parseOptions(command.privateFile), {
    passphrase: 'a secret = 1&2',
    pbkeylen: '32',
    srt_streamid: '#!::r=live,m=publish',
    latency: '250000'
  })
  assert.doesNotMatch(command.args.join(' '), /secret|publish/)
  assert.deepEqual([command.isListener, command.isPassthrough], [false, true])
})

test('an SRT listener binds its port, and encrypts only if encryption is enabled', () => {
  const command = srt({ mode: 'listener', 'bind-port': 9000, enc: 'disable', passphrase: 'unused value' })
  assert.equal(command.args.at(-1), 'srt://0.0.0.0:9000?mode=listener&pkt_size=1316')
  assert.deepEqual(parseOptions(command.privateFile), { latency: '120000' })
  assert.equal(command.isListener, true)
})

test('the key length follows from the encryption', () => {
  for (const [enc, bytes] of [
    ['aes-128', '16'],
    ['aes-192', '24'],
    ['aes-256', '32']
  ] as const)
    assert.equal(
      parseOptions(srt({ mode: 'listener', 'bind-port': 1, enc, passphrase: '0123456789' }).privateFile).pbkeylen,
      bytes
    )
})

test('the RTMP stream key is in the private file, with the whole path as the application', () => {
  const command = rtmp({ url: 'rtmp://example.com/live/region?auth=tok', key: 'my key' })
  assert.equal(command.args.at(-1), 'rtmp://example.com:1935/')
  assert.deepEqual(parseOptions(command.privateFile), { rtmp_app: 'live/region?auth=tok', rtmp_playpath: 'my key' })
  assert.deepEqual(command.secrets, ['my key', 'auth=tok'])
  assert.doesNotMatch(command.args.join(' '), /my key|tok/)
})

test('without a stream key the last part of the path is the key', () => {
  assert.deepEqual(parseOptions(rtmp({ url: 'rtmps://example.com/live/abc' }).privateFile), {
    rtmp_app: 'live',
    rtmp_playpath: 'abc'
  })
  assert.deepEqual(parseOptions(rtmp({ url: 'rtmp://example.com/live' }).privateFile), { rtmp_app: 'live' })
})

test('a login is used only if authentication is enabled', () => {
  const config: RtmpOutput = { url: 'rtmp://example.com/live', key: 'k', username: 'joe', password: 'pass' }
  assert.equal(rtmp({ ...config, 'enable-auth': true }).args.at(-1), 'rtmp://joe:pass@example.com:1935/')
  assert.equal(rtmp({ ...config, 'enable-auth': false }).args.at(-1), 'rtmp://example.com:1935/')
  assert.ok(rtmp({ ...config, 'enable-auth': true }).secrets.includes('pass'))
})

test('RTMP probes longer after each failed probe', () => {
  const probeDuration = (tries: number) => {
    const { args } = rtmp({ url: 'rtmp://example.com/live', key: 'k' }, tries)
    return Number(args[args.indexOf('-analyzeduration') + 1])
  }
  assert.deepEqual([0, 1, 2, 9].map(probeDuration), [1_000_000, 3_000_000, 5_000_000, 5_000_000])
})

test('an invalid target is refused', () => {
  assert.throws(() => rtmp({ url: 'file:///etc/passwd', key: 'k' }))
  assert.throws(() => rtmp({ url: 'http://example.com/live', key: 'k' }))
  assert.throws(() => rtmp({ url: 'rtmp://example.com/live', key: 'a\npassphrase=b' }))
  assert.throws(() => srt({ mode: 'caller', 'dst-ip': 'a?mode=listener', 'dst-port': 1 }))
  assert.throws(() => srt({ mode: 'caller', 'dst-port': 1 }))
  assert.throws(() => srt({ mode: 'listener', 'bind-port': 1, enc: 'aes-128' }))
})

test.run()
