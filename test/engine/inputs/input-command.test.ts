import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { buildInputCommand, buildPushCommand } from '../../../engine/inputs/input-command.ts'
import { parseUrl } from '../../kit/engine/wanted-channels.ts'

const test = suite('input command')

const commandOf = (text: string) => buildInputCommand(parseUrl(text))
/** Returns the value of an option before `-i`. */
function option(args: readonly string[], name: string): string | undefined {
  const index = args.indexOf(name)
  return index >= 0 && index < args.indexOf('-i') ? args[index + 1] : undefined
}
const target = (args: readonly string[]) => args[args.indexOf('-i') + 1]

test('the SRT latency is in microseconds, and user input is passed as separate option values', () => {
  const { args, secrets, isListener } = commandOf(
    'srt://10.0.0.1:9000?mode=caller&latency=200&streamid=a%26b&passphrase=0123456789'
  )
  assert.equal(target(args), 'srt://10.0.0.1:9000')
  assert.equal(option(args, '-latency'), '200000')
  assert.equal(option(args, '-srt_streamid'), 'a&b')
  assert.equal(option(args, '-passphrase'), '0123456789')
  assert.equal(option(args, '-mode'), 'caller')
  assert.equal(isListener, false)
  assert.ok(secrets.includes('0123456789'))
})

test('an SRT URL without a host listens', () => {
  const { args, isListener } = commandOf('srt://:9000')
  assert.equal(target(args), 'srt://0.0.0.0:9000')
  assert.equal(option(args, '-mode'), 'listener')
  assert.equal(isListener, true)
})

test('datagrams are received by the relay, at one address only if the URL names a group or the loopback address', () => {
  const receivedAt = (url: string) => {
    const { args, datagrams, isConnectionless } = commandOf(url)
    assert.deepEqual([args, isConnectionless], [[], true])
    return datagrams
  }
  assert.deepEqual(receivedAt('udp://239.1.2.3:5000'), { address: '239.1.2.3', port: 5000, rtp: false })
  assert.deepEqual(receivedAt('udp://127.0.0.1:5000'), { address: '127.0.0.1', port: 5000, rtp: false })
  assert.deepEqual(receivedAt('rtp://10.0.0.1:5004'), { address: '::', port: 5004, rtp: true })
})

test('multicast uses the given interface and source, and a checked address or proxy replaces the host', () => {
  const url = parseUrl('rtp://239.1.2.3:5004?iface=eth0&source=10.0.0.7')
  const { iface, sender } = buildInputCommand(url, { iface: '10.0.0.2' }).datagrams ?? {}
  assert.deepEqual([iface, sender], ['10.0.0.2', '10.0.0.7'])
  const srt = parseUrl('srt://a.example:9000?passphrase=0123456789&pbkeylen=24')
  const command = buildInputCommand(srt, { address: '10.0.0.9' })
  assert.deepEqual([target(command.args), option(command.args, '-pbkeylen')], ['srt://10.0.0.9:9000', '24'])
  assert.deepEqual([command.srtCall?.host, command.srtCall?.keyLength], ['10.0.0.9', 24])
  const web = parseUrl('http://a.example/a.ts')
  assert.equal(
    option(buildInputCommand(web, { proxy: 'http://127.0.0.1:9' }).args, '-http_proxy'),
    'http://127.0.0.1:9'
  )
})

test('each scheme may open its own protocol and those below it, and never a file', () => {
  const cases: Record<string, string> = {
    'srt://10.0.0.1:1': 'srt',
    'rtsp://10.0.0.1/a': 'rtsp,rtp,udp,tcp',
    'rtmp://10.0.0.1/a/b': 'rtmp,tcp',
    'rtmps://10.0.0.1/a/b': 'rtmps,tls,tcp',
    'http://10.0.0.1/a': 'http,https,tls,tcp,crypto,httpproxy',
    'https://10.0.0.1/a': 'http,https,tls,tcp,crypto,httpproxy'
  }
  for (const [url, allowed] of Object.entries(cases))
    assert.equal(option(commandOf(url).args, '-protocol_whitelist'), allowed)
})

test('MPEG-TS passes unchanged, other formats are remuxed without decoding', () => {
  const { args } = commandOf('srt://10.0.0.1:1')
  assert.equal(option(args, '-f'), 'data')
  assert.equal(option(args, '-probesize'), '32')
  for (const url of ['rtsp://10.0.0.1/a', 'rtmp://10.0.0.1/a/b', 'https://10.0.0.1/a.m3u8']) {
    const { args } = commandOf(url)
    assert.equal(option(args, '-f'), undefined)
    assert.ok(args.join(' ').includes('-c copy -f mpegts'), url)
    assert.equal(args.at(-1), 'pipe:1')
  }
})

test('RTSP prefers TCP if configured, and logins are percent-encoded', () => {
  const { args, secrets } = commandOf('rtsp://joe:p%40ss%2F@10.0.0.1/a?x=1&mw-tcp-first=1')
  assert.equal(target(args), 'rtsp://joe:p%40ss%2F@10.0.0.1:554/a?x=1')
  assert.equal(option(args, '-rtsp_flags'), 'prefer_tcp')
  assert.deepEqual(secrets, ['p@ss/'])
  assert.equal(option(commandOf('rtsp://10.0.0.1/a').args, '-rtsp_flags'), undefined)
})

test('parts of a path that may be a key are secrets, as passwords are', () => {
  assert.deepEqual(commandOf('rtsp://10.0.0.1/4f1c77e0d2').secrets, ['4f1c77e0d2'])
  assert.deepEqual(commandOf('http://10.0.0.1/hls/4f1c77e0d2/live.ts?token=99e1a0b3').secrets, [
    '4f1c77e0d2',
    '99e1a0b3'
  ])
  assert.deepEqual(
    commandOf('rtmp://10.0.0.1/live/401').secrets,
    [],
    'short parts are not secrets, because they may be words or numbers in a message'
  )
})

test('an RTMP login is not encoded, and one with a slash is refused', () => {
  assert.equal(target(commandOf('rtmp://joe:p%2Bss%3Aw@10.0.0.1/a/b').args), 'rtmp://joe:p+ss:w@10.0.0.1:1935/a/b')
  assert.throws(() => commandOf('rtmp://joe:p%2Fss@10.0.0.1/a/b'), /login/)
})

test('HTTP is read in real time, and only known containers are accepted', () => {
  const { args } = commandOf('http://10.0.0.1/a.m3u8')
  assert.ok(args.indexOf('-re') >= 0 && args.indexOf('-re') < args.indexOf('-i'))
  const formats = option(args, '-format_whitelist')?.split(',') ?? []
  assert.ok(formats.includes('hls') && formats.includes('mpegts'))
  for (const risky of ['concat', 'sdp', 'image2', 'lavfi']) assert.equal(formats.includes(risky), false)
})

test('user input never becomes an argument that starts with a hyphen', () => {
  const knownOptions =
    /^-(hide_banner|nostdin|nostats|v|protocol_whitelist|rw_timeout|rtmp_live|timeout|rtsp_flags|probesize|analyzeduration|i|map|sn|dn|c|f|muxdelay|muxpreload|max_interleave_delta|flush_packets|format_whitelist|dts_delta_threshold|re)$/
  for (const url of ['rtmp://a.example.com/-i/-y', 'http://a.example.com/-f?-x=-y', 'rtsp://-u:-p@a.example.com/-i'])
    for (const arg of commandOf(url).args) if (arg.startsWith('-')) assert.match(arg, knownOptions)
})

test('the command for a push listens with the passphrase of the order', () => {
  const { args, secrets, isListener } = buildPushCommand({
    host: '127.0.0.1',
    port: 5000,
    passphrase: '0123456789',
    latency: 120
  })
  assert.equal(target(args), 'srt://127.0.0.1:5000')
  assert.equal(option(args, '-mode'), 'listener')
  assert.equal(option(args, '-passphrase'), '0123456789')
  assert.deepEqual([secrets, isListener], [['0123456789'], true])
})

test.run()
