import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { inputCommand, pushCommand } from '../../../engine/inputs/input-command.ts'
import { parsed } from '../wanted.ts'

const test = suite('input command')

const of = (text: string) => inputCommand(parsed(text))
/** The value of an option before the input. */
function option(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name)
  return at >= 0 && at < args.indexOf('-i') ? args[at + 1] : undefined
}
const target = (args: readonly string[]) => args[args.indexOf('-i') + 1]

test('SRT latency is in microseconds, and what a user typed is a value of its own', () => {
  const { args, secrets, listens } = of(
    'srt://10.0.0.1:9000?mode=caller&latency=200&streamid=a%26b&passphrase=0123456789'
  )
  assert.equal(target(args), 'srt://10.0.0.1:9000')
  assert.equal(option(args, '-latency'), '200000')
  assert.equal(option(args, '-srt_streamid'), 'a&b')
  assert.equal(option(args, '-passphrase'), '0123456789')
  assert.equal(option(args, '-mode'), 'caller')
  assert.equal(listens, false)
  assert.ok(secrets.includes('0123456789'))
})

test('an SRT URL without an address listens', () => {
  const { args, listens } = of('srt://:9000')
  assert.equal(target(args), 'srt://0.0.0.0:9000')
  assert.equal(option(args, '-mode'), 'listener')
  assert.equal(listens, true)
})

test('UDP ends by itself when it falls silent, in microseconds, and survives an overrun', () => {
  const { args, connectionless } = of('udp://239.1.2.3:5000')
  const query = new URL((target(args) ?? '').replace('udp:', 'http:')).searchParams
  assert.equal(query.get('timeout'), '10000000')
  assert.ok(Number(query.get('fifo_size')) > 28_672)
  assert.equal(query.get('overrun_nonfatal'), '1')
  assert.equal(connectionless, true)
})

test('a group is joined at the interface and for the sender that were named; a judged address and a proxy take the way', () => {
  const url = parsed('rtp://239.1.2.3:5004?iface=eth0&source=10.0.0.7')
  const at = new URL((target(inputCommand(url, { iface: '10.0.0.2' }).args) ?? '').replace('rtp:', 'http:'))
  assert.deepEqual([at.searchParams.get('localaddr'), at.searchParams.get('sources')], ['10.0.0.2', '10.0.0.7'])
  const srt = parsed('srt://a.example:9000?passphrase=0123456789&pbkeylen=24')
  const command = inputCommand(srt, { address: '10.0.0.9' })
  assert.deepEqual([target(command.args), option(command.args, '-pbkeylen')], ['srt://10.0.0.9:9000', '24'])
  assert.deepEqual([command.call?.host, command.call?.keyLength], ['10.0.0.9', 24])
  const web = parsed('http://a.example/a.ts')
  assert.equal(option(inputCommand(web, { proxy: 'http://127.0.0.1:9' }).args, '-http_proxy'), 'http://127.0.0.1:9')
})

test('each scheme may open itself and what it rests on, and never a file', () => {
  const cases: Record<string, string> = {
    'srt://10.0.0.1:1': 'srt',
    'udp://10.0.0.1:1': 'udp',
    'rtp://10.0.0.1:1': 'rtp,udp',
    'rtsp://10.0.0.1/a': 'rtsp,rtp,udp,tcp',
    'rtmp://10.0.0.1/a/b': 'rtmp,tcp',
    'rtmps://10.0.0.1/a/b': 'rtmps,tls,tcp',
    'http://10.0.0.1/a': 'http,https,tls,tcp,crypto,httpproxy',
    'https://10.0.0.1/a': 'http,https,tls,tcp,crypto,httpproxy'
  }
  for (const [url, allowed] of Object.entries(cases)) assert.equal(option(of(url).args, '-protocol_whitelist'), allowed)
})

test('what is MPEG-TS already passes unread, the rest is remuxed without decoding', () => {
  for (const url of ['srt://10.0.0.1:1', 'udp://10.0.0.1:1']) {
    const { args } = of(url)
    assert.equal(option(args, '-f'), 'data')
    assert.equal(option(args, '-probesize'), '32')
  }
  for (const url of ['rtp://10.0.0.1:1', 'rtsp://10.0.0.1/a', 'rtmp://10.0.0.1/a/b', 'https://10.0.0.1/a.m3u8']) {
    const { args } = of(url)
    assert.equal(option(args, '-f'), undefined)
    assert.ok(args.join(' ').includes('-c copy -f mpegts'), url)
    assert.equal(args.at(-1), 'pipe:1')
  }
})

test('RTSP takes TCP first where it is asked to, and logins are encoded', () => {
  const { args, secrets } = of('rtsp://joe:p%40ss%2F@10.0.0.1/a?x=1&mw-tcp-first=1')
  assert.equal(target(args), 'rtsp://joe:p%40ss%2F@10.0.0.1:554/a?x=1')
  assert.equal(option(args, '-rtsp_flags'), 'prefer_tcp')
  assert.deepEqual(secrets, ['p@ss/'])
  assert.equal(option(of('rtsp://10.0.0.1/a').args, '-rtsp_flags'), undefined)
})

test('what of a path may be a key leaves the engine no more than a password does', () => {
  assert.deepEqual(of('rtsp://10.0.0.1/4f1c77e0d2').secrets, ['4f1c77e0d2'])
  assert.deepEqual(of('http://10.0.0.1/hls/4f1c77e0d2/live.ts?token=99e1a0b3').secrets, ['4f1c77e0d2', '99e1a0b3'])
  assert.deepEqual(of('rtmp://10.0.0.1/live/401').secrets, [], 'a short one may be a word or a number of any message')
})

test('an RTMP login travels as it stands, and one that cannot is refused', () => {
  assert.equal(target(of('rtmp://joe:p%2Bss%3Aw@10.0.0.1/a/b').args), 'rtmp://joe:p+ss:w@10.0.0.1:1935/a/b')
  assert.throws(() => of('rtmp://joe:p%2Fss@10.0.0.1/a/b'), /login/)
})

test('HTTP comes at its own pace and in known containers only', () => {
  const { args } = of('http://10.0.0.1/a.m3u8')
  assert.ok(args.indexOf('-re') >= 0 && args.indexOf('-re') < args.indexOf('-i'))
  const formats = option(args, '-format_whitelist')?.split(',') ?? []
  assert.ok(formats.includes('hls') && formats.includes('mpegts'))
  for (const risky of ['concat', 'sdp', 'image2', 'lavfi']) assert.equal(formats.includes(risky), false)
})

test('text a user typed is never an argument that begins with a hyphen', () => {
  const known =
    /^-(hide_banner|nostdin|nostats|v|protocol_whitelist|rw_timeout|rtmp_live|timeout|rtsp_flags|probesize|analyzeduration|i|sn|dn|c|f|muxdelay|muxpreload|max_interleave_delta|flush_packets|format_whitelist|re)$/
  for (const url of ['rtmp://a.example.com/-i/-y', 'http://a.example.com/-f?-x=-y', 'rtsp://-u:-p@a.example.com/-i'])
    for (const arg of of(url).args) if (arg.startsWith('-')) assert.match(arg, known)
})

test('a device pushes to a listener with the passphrase of its order', () => {
  const { args, secrets, listens } = pushCommand({
    host: '127.0.0.1',
    port: 5000,
    passphrase: 'made anew',
    latency: 120
  })
  assert.equal(target(args), 'srt://127.0.0.1:5000')
  assert.equal(option(args, '-mode'), 'listener')
  assert.equal(option(args, '-passphrase'), 'made anew')
  assert.deepEqual([secrets, listens], [['made anew'], true])
})

test.run()
