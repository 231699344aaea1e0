import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Fault } from '../../../contract/rules/rules.ts'
import { HTTP, RTMP, RTP, RTSP, SRT, UDP } from '../../../contract/stream/protocols.ts'
import {
  formatSourceUrl,
  isFault,
  parseSourceUrl,
  type SourceUrl,
  sourceUrl
} from '../../../contract/stream/source-url.ts'

const test = suite('source url')

function parseValid(text: string): SourceUrl {
  const url = parseSourceUrl(text)
  assert.ok(!isFault(url), `${text}: ${JSON.stringify(url)}`)
  return url
}

function faultOf(text: string): Fault['name'] {
  const url = parseSourceUrl(text)
  assert.ok(isFault(url), `${text} was accepted: ${JSON.stringify(url)}`)
  return url.name
}

const normalize = (text: string) => formatSourceUrl(parseValid(text))

test('the scheme selects the protocol and its default port', () => {
  const protocolAndPort = (text: string) => {
    const { protocol, port } = parseValid(text)
    return [protocol, port]
  }
  assert.deepEqual(protocolAndPort('rtmp://a.example/live'), [RTMP, 1935])
  assert.deepEqual(protocolAndPort('rtmps://a.example/live'), [RTMP, 443])
  assert.deepEqual(protocolAndPort('rtsp://a.example/1'), [RTSP, 554])
  assert.deepEqual(protocolAndPort('http://a.example/1.m3u8'), [HTTP, 80])
  assert.deepEqual(protocolAndPort('https://a.example/1.m3u8'), [HTTP, 443])
  assert.deepEqual(protocolAndPort('srt://a.example:9000'), [SRT, 9000])
  assert.deepEqual(protocolAndPort('udp://239.1.2.3:5000'), [UDP, 5000])
  assert.deepEqual(protocolAndPort('rtp://239.1.2.3:5004'), [RTP, 5004])
  for (const text of ['srt://a.example', 'udp://239.1.2.3', 'rtp://239.1.2.3'])
    assert.equal(faultOf(text), 'range', text)
  for (const query of ['iface=-i', 'source=a.example', 'source=%', 'iface=a%26b'])
    assert.equal(faultOf(`udp://239.1.2.3:5000?${query}`), 'invalid', query)
  assert.equal(faultOf('srt://10.0.0.1:9000?pbkeylen=20'), 'invalid')
})

test('a parsed and formatted URL has the documented form', () => {
  assert.equal(normalize('RTMP://Stream.Example/live/a?x=1'), 'rtmp://stream.example:1935/live/a?x=1')
  assert.equal(normalize('rtmp://me:p%40ss@10.0.0.1:1940/live'), 'rtmp://me:p%40ss@10.0.0.1:1940/live')
  assert.equal(normalize('srt://:9000'), 'srt://0.0.0.0:9000?mode=listener&latency=120')
  assert.equal(normalize('srt://10.0.0.1:9000?latency=20'), 'srt://10.0.0.1:9000?mode=caller&latency=20')
  assert.equal(
    normalize('srt://10.0.0.1:9000?passphrase=0123456789&streamid=#!::r=a,m=request'.replace('#', '%23')),
    'srt://10.0.0.1:9000?mode=caller&latency=120&streamid=%23!%3A%3Ar%3Da%2Cm%3Drequest&passphrase=0123456789'
  )
  assert.equal(normalize('rtsp://a.example/1?x=1&mw-tcp-first=1&y=2'), 'rtsp://a.example:554/1?x=1&y=2&mw-tcp-first=1')
  assert.equal(normalize('rtsp://a.example?mw-tcp-first=1'), 'rtsp://a.example:554?mw-tcp-first=1')
  assert.equal(normalize('rtsp://a.example/1?mw-tcp-first=0'), 'rtsp://a.example:554/1')
  assert.equal(normalize('udp://:5000'), 'udp://0.0.0.0:5000')
  assert.equal(
    normalize('rtsp://a.example/1?mw-buffer-duration=500&x=1&mw-tcp-first=1'),
    'rtsp://a.example:554/1?x=1&mw-tcp-first=1&mw-buffer-duration=500'
  )
  assert.equal(
    normalize('rtmps://a.example/app/key?x=1&&y&mw-buffer-duration=1'),
    'rtmps://a.example:443/app/key?x=1&y&mw-buffer-duration=1'
  )
  assert.equal(normalize('http://a.example/1?mw-buffer-duration=0'), 'http://a.example:80/1?mw-buffer-duration=0')
  assert.equal(
    normalize('rtp://239.1.2.3:5004?source=10.0.0.7&iface=eth0&ttl=4'),
    'rtp://239.1.2.3:5004?iface=eth0&source=10.0.0.7'
  )
  assert.equal(
    normalize('srt://10.0.0.1:9000?pbkeylen=32&passphrase=0123456789'),
    'srt://10.0.0.1:9000?mode=caller&latency=120&passphrase=0123456789&pbkeylen=32'
  )
  assert.equal(normalize('http://localhost:8080/live/a.m3u8?token=%2F'), 'http://localhost:8080/live/a.m3u8?token=%2F')
})

test('a live URL without a scheme is RTMP', () => {
  assert.equal(normalize('Live.Example/app/key?a=1'), 'rtmp://live.example:1935/app/key?a=1')
  assert.equal(normalize('10.0.0.1:1940/live'), 'rtmp://10.0.0.1:1940/live')
  for (const text of ['10.0.0.1:1940', 'a.example:0/live', 'single/live', '1.2.3.256/live', 'a.example//x'])
    assert.ok(['scheme', 'invalid', 'range'].includes(faultOf(text)), text)
})

test('with the key length 0 an SRT URL is not encrypted, and its passphrase is not kept', () => {
  const { srt } = parseValid('srt://10.0.0.1:9000?passphrase=0123456789&pbkeylen=0')
  assert.deepEqual([srt?.passphrase, srt?.keyLength], ['', undefined])
  assert.equal(
    normalize('srt://10.0.0.1:9000?pbkeylen=0&passphrase=short'),
    'srt://10.0.0.1:9000?mode=caller&latency=120'
  )
})

test('a playback buffer has 1 to 2000 milliseconds', () => {
  for (const buffer of [1, 2000])
    assert.equal(parseValid(`rtmp://a.example/live?mw-buffer-duration=${buffer}`).buffer, buffer)
  for (const buffer of ['0', '2001', '', 'x', '-1', '1.5'])
    assert.equal(faultOf(`rtsp://a.example/1?mw-buffer-duration=${buffer}`), 'range', buffer)
})

test('only options of the allow-list are kept for SRT, UDP and RTP', () => {
  assert.equal(
    normalize('srt://10.0.0.1:9000/x?mode=caller&listen_timeout=1&payload_size=9&latency=80'),
    'srt://10.0.0.1:9000?mode=caller&latency=80'
  )
  assert.equal(normalize('udp://239.1.2.3:5000/x?fifo_size=1&localaddr=10.0.0.1'), 'udp://239.1.2.3:5000')
  assert.equal(normalize('rtp://239.1.2.3:5000?x=y'), 'rtp://239.1.2.3:5000')
})

test('a mask replaces the password and the passphrase only', () => {
  const masked = (text: string) => formatSourceUrl(parseValid(text), '****')
  assert.equal(masked('rtsp://me:secret@a.example/1'), 'rtsp://me:****@a.example:554/1')
  assert.equal(masked('rtsp://me@a.example/1'), 'rtsp://me:@a.example:554/1')
  assert.equal(
    masked('srt://10.0.0.1:9000?streamid=a&passphrase=0123456789'),
    'srt://10.0.0.1:9000?mode=caller&latency=120&streamid=a&passphrase=****'
  )
})

test('all other schemes are refused', () => {
  for (const text of [
    'file:///etc/passwd',
    'file:/etc/passwd',
    '/etc/passwd',
    'concat:a.ts',
    'subfile,,start,0,end,9,,:/etc/passwd',
    'pipe:0',
    'data:text/plain,x',
    'ftp://a.example/x',
    'gopher://a.example/x',
    'tcp://a.example:1',
    'unix:///run/x',
    'crypto+http://a.example/x',
    'constructor://a.example/x',
    'srtp://a.example:1',
    '-i',
    'a.example',
    'me:secret@a.example/live'
  ])
    assert.equal(faultOf(text), 'scheme', text)
  assert.equal(faultOf(''), 'required')
})

test('characters with a special meaning in a shell, a log or a command line are refused', () => {
  for (const text of [
    'rtmp://a.example/live -f flv x',
    'rtmp://a.example/live\n-y',
    'rtmp://a.example/live\0',
    'rtmp://a.example/li\tve',
    'concat:a|file:/etc/passwd',
    'rtmp://a.example/`id`',
    'rtmp://a.example/"x"',
    "rtmp://a.example/'x'",
    'http://a.example\\@evil.example/x',
    'http://a.example/x#y',
    'rtmp://münchen.example/live',
    'rtmp://a.example/live\u202e',
    ' rtmp://a.example/live'
  ])
    assert.equal(faultOf(text), 'invalid', JSON.stringify(text))
})

test('a host is an address, a domain name or localhost, and never a command line option', () => {
  for (const host of ['-i', '-i.example', 'a..example', '.example', 'a.example.', '1.2.3', '1.2.3.256', '01.2.3.4'])
    assert.equal(faultOf(`rtmp://${host}/live`), 'invalid', host)
  for (const text of [
    'http:///x',
    'http://',
    ...[
      'rtmp://[::]/live',
      'rtmp://::1/live',
      'rtmp://[fe80::1]/live',
      'rtmp://[::1%25lo]/live',
      'rtmp://[::ffff:7f00:1]/x'
    ],
    ...['srt://[::1', 'srt://[g::1]:9', 'srt://[10.0.0.1]:9', 'srt://[::ffff:10.0.0.1]:9', 'udp://[]:5000'],
    'http://a@b@c.example/',
    'http://a:b:c@d.example:80:90/'
  ])
    assert.equal(faultOf(text), 'invalid', text)
  assert.equal(faultOf('http://0.0.0.0/x'), 'invalid', 'HTTP has no listener mode')
})

test('an IPv6 address stands in brackets, and is written in its shortest form', () => {
  for (const [text, host, formatted] of [
    ['rtmp://[2001:DB8:0:0:0:0:0:7]/live/a', '2001:db8::7', 'rtmp://[2001:db8::7]:1935/live/a'],
    ['srt://[::1]:9000', '::1', 'srt://[::1]:9000?mode=caller&latency=120'],
    ['rtsp://u:p@[fd00::1]:8554/x', 'fd00::1', 'rtsp://u:p@[fd00::1]:8554/x'],
    ['https://[2001:db8::7]/a.m3u8', '2001:db8::7', 'https://[2001:db8::7]:443/a.m3u8'],
    ['udp://[ff0e::1]:5000?iface=eth0', 'ff0e::1', 'udp://[ff0e::1]:5000?iface=eth0'],
    ['rtp://[ff3e::1]:5004?source=2001:db8::9', 'ff3e::1', 'rtp://[ff3e::1]:5004?source=2001:db8::9'],
    // All addresses, as without a host.
    ['srt://[::]:9000', '0.0.0.0', 'srt://0.0.0.0:9000?mode=listener&latency=120'],
    ['udp://[::]:5000', '0.0.0.0', 'udp://0.0.0.0:5000']
  ] as const) {
    const url = parseValid(text)
    assert.deepEqual([url.host, formatSourceUrl(url)], [host, formatted], text)
    assert.deepEqual(parseValid(formatSourceUrl(url)), url, text)
  }
})

test('the text before the last @ of the authority is the login, the host follows it', () => {
  const url = parseValid('http://good.example@evil.example/x')
  assert.deepEqual([url.user, url.password, url.host], ['good.example', '', 'evil.example'])
  assert.equal(parseValid('http://good.example%40evil.example:80@other.example/').host, 'other.example')
  assert.equal(parseValid('http://a.example/x@evil.example').host, 'a.example')
})

test('a port is 1 to 65535', () => {
  assert.equal(parseValid('srt://10.0.0.1:1').port, 1)
  assert.equal(parseValid('srt://10.0.0.1:65535').port, 65535)
  for (const port of ['0', '65536', '99999']) assert.equal(faultOf(`srt://10.0.0.1:${port}`), 'range', port)
  for (const port of ['-1', '1e3', '100000', '+5', '5x', '0x50'])
    assert.equal(faultOf(`srt://10.0.0.1:${port}`), 'invalid', port)
  assert.equal(parseValid('http://a.example:00080/').port, 80)
})

test('an RTMP URL has at least one path segment', () => {
  for (const text of ['rtmp://a.example', 'rtmp://a.example/', 'rtmp://a.example//x', 'rtmps://a.example/?x=1'])
    assert.equal(faultOf(text), 'invalid', text)
})

test('SRT options out of range are refused', () => {
  const srt = (query: string) => `srt://10.0.0.1:9000?${query}`
  assert.equal(parseValid(srt('latency=20')).srt?.latency, 20)
  assert.equal(parseValid(srt('latency=8000')).srt?.latency, 8000)
  for (const latency of ['19', '8001', '', '-5', '1e2', '0x20', 'NaN', '20.5', '%2020', 'Infinity'])
    assert.equal(faultOf(srt(`latency=${latency}`)), 'range', latency)
  assert.equal(parseValid(srt(`streamid=${'s'.repeat(256)}`)).srt?.streamId.length, 256)
  assert.equal(faultOf(srt(`streamid=${'s'.repeat(257)}`)), 'length')
  assert.equal(parseValid(srt('streamid=')).srt?.streamId, '')
  for (const length of [10, 79])
    assert.equal(parseValid(srt(`passphrase=${'p'.repeat(length)}`)).srt?.passphrase.length, length)
  for (const length of [1, 9, 80]) assert.equal(faultOf(srt(`passphrase=${'p'.repeat(length)}`)), 'length')
  assert.equal(parseValid('srt://10.0.0.1:9000?mode=listener').srt?.mode, 'listener')
  assert.equal(faultOf(srt('mode=both')), 'invalid')
  assert.equal(parseValid(srt('mode=rendezvous')).srt?.localPort, undefined)
  assert.equal(parseValid(srt('mode=rendezvous&localport=9001')).srt?.localPort, 9001)
  for (const port of ['0', '65536', 'x', '1.5'])
    assert.equal(faultOf(srt(`mode=rendezvous&localport=${port}`)), 'range')
  assert.equal(faultOf('srt://:9000?mode=rendezvous'), 'invalid', 'both ends need the address of the other one')
  assert.equal(faultOf('srt://:9000?mode=caller'), 'invalid', 'a caller needs a host')
})

test('invalid percent encoding is refused, not ignored, so that a passphrase is never lost', () => {
  for (const text of [
    'srt://10.0.0.1:9000?passphrase=%zz0123456789',
    'srt://10.0.0.1:9000?streamid=%',
    'srt://10.0.0.1:9000?streamid=%ff',
    'rtsp://me:%E0%A4%A@a.example/1',
    'rtsp://%c0%80:x@a.example/1'
  ])
    assert.equal(faultOf(text), 'invalid', text)
})

test('percent-encoded control characters, and invalid passphrases and stream IDs, are refused', () => {
  for (const hidden of ['%00', '%0a', '%0D', '%1b', '%7f', '%C2%85']) {
    for (const text of [
      `srt://10.0.0.1:9000?streamid=a${hidden}b`,
      `srt://10.0.0.1:9000?passphrase=0123456789${hidden}`,
      `rtsp://m${hidden}e:x@a.example/1`,
      `rtsp://me:x${hidden}@a.example/1`
    ])
      assert.equal(faultOf(text), 'characters', text)
  }
  assert.equal(faultOf('srt://10.0.0.1:9000?streamid=a%20b'), 'characters')
  assert.equal(faultOf('srt://10.0.0.1:9000?passphrase=%C3%A4123456789'), 'characters')
})

test('a URL has at most 2048 characters, as entered and as formatted', () => {
  const long = (length: number) => `http://a.example/${'x'.repeat(length)}`
  assert.equal(parseValid(long(2000)).host, 'a.example')
  assert.equal(faultOf(long(2048)), 'length')
  assert.equal(faultOf(`rtsp://${'$'.repeat(1500)}:x@a.example/1`), 'length', 'three times as long when formatted')
})

test('secrets with every printable character are preserved', () => {
  const all = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')
  for (const secret of [all.slice(0, 47), all.slice(47)]) {
    const text = `srt://10.0.0.1:9000?streamid=${encode(secret)}&passphrase=${encode(secret)}`
    const { srt } = parseValid(normalize(text))
    assert.deepEqual([srt?.streamId, srt?.passphrase], [secret, secret])
    const { user, password } = parseValid(normalize(`rtsp://${encode(secret)}:${encode(secret)}@a.example/1`))
    assert.deepEqual([user, password], [secret, secret])
  }
})

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** A pseudo-random generator with a fixed sequence. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('30,000 random URLs never throw, and formatted URLs are parsed to the same result', () => {
  const schemes = ['rtmp', 'rtmps', 'srt', 'udp', 'rtp', 'rtsp', 'http', 'https', 'file', 'concat', 'RTSP']
  const delimiters = ['://', ':', '/', '//', '@', '?', '&', '&&', '=', '#', '+', '.', '-']
  const percents = ['%', '%00', '%27', '%25', '%40', '%2f', '%zz']
  const values = ['a.example', 'localhost', '10.0.0.1', '0.0.0.0', 'me', 'x', '1', '9000', '65536', 'live']
  const srtOptions = ['mode=', 'caller', 'listener', 'latency=', '120', 'streamid=', 'passphrase=', '0123456789']
  const rtspOptions = ['mw-tcp-first=1', 'mw-tcp-first=0', 'mw-buffer-duration=40', '&mw-buffer-duration=2000']
  const special = ['$', "'", '"', '|', ' ', '\n', '\0', 'ä', '😀', '\ud800', '~', '!', '*', '(', ')', ';']
  const pieces = [schemes, delimiters, percents, values, srtOptions, rtspOptions, special].flat()
  const random = createRandom(7)
  let accepted = 0
  const check = (text: string) => {
    const url = parseSourceUrl(text)
    assert.equal(sourceUrl(text) === undefined, !isFault(url), text)
    if (isFault(url)) return
    accepted++
    const formatted = formatSourceUrl(url)
    assert.deepEqual(parseSourceUrl(formatted), url, `${text} became ${formatted}`)
    assert.equal(formatSourceUrl(parseValid(formatted)), formatted)
    assert.match(formatted, /^(rtmps?|srt|udp|rtp|rtsp|https?):\/\/[\x21-\x7e]+$/)
    assert.ok(formatted.length <= 2048)
  }
  const heads = ['rtmp://', 'srt://', 'udp://', 'rtp://', 'rtsp://', 'http://', 'https://']
  const hosts = ['a.example', 'me:x%27@10.0.0.1:9000', '10.0.0.1:9000', ':9000', 'u%40@localhost:1']
  for (let n = 0; n < 30_000; n++) {
    // Every second URL starts with a valid scheme and host, because otherwise hardly any would be valid.
    let text = n % 2 ? (heads[random(heads.length)] ?? '') + hosts[random(hosts.length)] + (random(2) ? '/' : '?') : ''
    for (let remaining = random(10); remaining > 0; remaining--) text += pieces[random(pieces.length)]
    check(text)
  }
  assert.ok(accepted > 3000, `only ${accepted} were accepted`)
})

test('long repetitive URLs are parsed within a second', () => {
  const start = process.cpuUsage()
  for (const piece of ['a', '.', ':', '@', '/', '?', '&', '%', '%41', 'a.', 'a:', 'a@', '-', '='])
    for (const head of ['', 'rtmp://', 'srt://a.example:1?', 'http://a.example/'])
      parseSourceUrl((head + piece.repeat(3000)).slice(0, 2048))
  assert.ok(process.cpuUsage(start).user < 1e6)
})

test.run()
