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

function parts(text: string): SourceUrl {
  const url = parseSourceUrl(text)
  assert.ok(!isFault(url), `${text}: ${JSON.stringify(url)}`)
  return url
}

function fault(text: string): Fault['name'] {
  const url = parseSourceUrl(text)
  assert.ok(isFault(url), `${text} was taken: ${JSON.stringify(url)}`)
  return url.name
}

const normal = (text: string) => formatSourceUrl(parts(text))

test('each protocol is known by its scheme, with the port it usually has', () => {
  const told = (text: string) => {
    const { protocol, port } = parts(text)
    return [protocol, port]
  }
  assert.deepEqual(told('rtmp://a.example/live'), [RTMP, 1935])
  assert.deepEqual(told('rtmps://a.example/live'), [RTMP, 443])
  assert.deepEqual(told('rtsp://a.example/1'), [RTSP, 554])
  assert.deepEqual(told('http://a.example/1.m3u8'), [HTTP, 80])
  assert.deepEqual(told('https://a.example/1.m3u8'), [HTTP, 443])
  assert.deepEqual(told('srt://a.example:9000'), [SRT, 9000])
  assert.deepEqual(told('udp://239.1.2.3:5000'), [UDP, 5000])
  assert.deepEqual(told('rtp://239.1.2.3:5004'), [RTP, 5004])
  for (const text of ['srt://a.example', 'udp://239.1.2.3', 'rtp://239.1.2.3']) assert.equal(fault(text), 'range', text)
  for (const query of ['iface=-i', 'source=a.example', 'source=%', 'iface=a%26b'])
    assert.equal(fault(`udp://239.1.2.3:5000?${query}`), 'invalid', query)
  assert.equal(fault('srt://10.0.0.1:9000?pbkeylen=20'), 'invalid')
})

test('a URL taken apart and put together stands in the documented form', () => {
  assert.equal(normal('RTMP://Stream.Example/live/a?x=1'), 'rtmp://stream.example:1935/live/a?x=1')
  assert.equal(normal('rtmp://me:p%40ss@10.0.0.1:1940/live'), 'rtmp://me:p%40ss@10.0.0.1:1940/live')
  assert.equal(normal('srt://:9000'), 'srt://0.0.0.0:9000?mode=listener&latency=120')
  assert.equal(normal('srt://10.0.0.1:9000?latency=20'), 'srt://10.0.0.1:9000?mode=caller&latency=20')
  assert.equal(
    normal('srt://10.0.0.1:9000?passphrase=0123456789&streamid=#!::r=a,m=request'.replace('#', '%23')),
    'srt://10.0.0.1:9000?mode=caller&latency=120&streamid=%23!%3A%3Ar%3Da%2Cm%3Drequest&passphrase=0123456789'
  )
  assert.equal(normal('rtsp://a.example/1?x=1&mw-tcp-first=1&y=2'), 'rtsp://a.example:554/1?x=1&y=2&mw-tcp-first=1')
  assert.equal(normal('rtsp://a.example?mw-tcp-first=1'), 'rtsp://a.example:554?mw-tcp-first=1')
  assert.equal(normal('rtsp://a.example/1?mw-tcp-first=0'), 'rtsp://a.example:554/1')
  assert.equal(normal('udp://:5000'), 'udp://0.0.0.0:5000')
  assert.equal(
    normal('rtp://239.1.2.3:5004?source=10.0.0.7&iface=eth0&ttl=4'),
    'rtp://239.1.2.3:5004?iface=eth0&source=10.0.0.7'
  )
  assert.equal(
    normal('srt://10.0.0.1:9000?pbkeylen=32&passphrase=0123456789'),
    'srt://10.0.0.1:9000?mode=caller&latency=120&passphrase=0123456789&pbkeylen=32'
  )
  assert.equal(normal('http://localhost:8080/live/a.m3u8?token=%2F'), 'http://localhost:8080/live/a.m3u8?token=%2F')
})

test('only options of the allow-list travel on where the hub gives meaning to options', () => {
  assert.equal(
    normal('srt://10.0.0.1:9000/x?mode=caller&listen_timeout=1&payload_size=9&latency=80'),
    'srt://10.0.0.1:9000?mode=caller&latency=80'
  )
  assert.equal(normal('udp://239.1.2.3:5000/x?fifo_size=1&localaddr=10.0.0.1'), 'udp://239.1.2.3:5000')
  assert.equal(normal('rtp://239.1.2.3:5000?x=y'), 'rtp://239.1.2.3:5000')
})

test('what a mask hides is the password and the passphrase, and nothing else', () => {
  const masked = (text: string) => formatSourceUrl(parts(text), '****')
  assert.equal(masked('rtsp://me:secret@a.example/1'), 'rtsp://me:****@a.example:554/1')
  assert.equal(masked('rtsp://me@a.example/1'), 'rtsp://me:@a.example:554/1')
  assert.equal(
    masked('srt://10.0.0.1:9000?streamid=a&passphrase=0123456789'),
    'srt://10.0.0.1:9000?mode=caller&latency=120&streamid=a&passphrase=****'
  )
})

test('other schemes are refused, whatever they are called', () => {
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
    'a.example/live'
  ])
    assert.equal(fault(text), 'scheme', text)
  assert.equal(fault(''), 'required')
})

test('nothing that a shell, a log or a command line reads as more than a URL gets through', () => {
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
    assert.equal(fault(text), 'invalid', JSON.stringify(text))
})

test('a host is an address, a domain or localhost, and never an option', () => {
  for (const host of ['-i', '-i.example', 'a..example', '.example', 'a.example.', '1.2.3', '1.2.3.256', '01.2.3.4'])
    assert.equal(fault(`rtmp://${host}/live`), 'invalid', host)
  for (const text of [
    'http:///x',
    'http://',
    'rtmp://[::1]/live',
    'http://a@b@c.example/',
    'http://a:b:c@d.example:80:90/'
  ])
    assert.equal(fault(text), 'invalid', text)
  assert.equal(fault('http://0.0.0.0/x'), 'invalid', 'nobody listens for HTTP here')
})

test('what stands before the last @ is a login, and the host is what follows', () => {
  const url = parts('http://good.example@evil.example/x')
  assert.deepEqual([url.user, url.password, url.host], ['good.example', '', 'evil.example'])
  assert.equal(parts('http://good.example%40evil.example:80@other.example/').host, 'other.example')
  assert.equal(parts('http://a.example/x@evil.example').host, 'a.example')
})

test('ports are 1 to 65535', () => {
  assert.equal(parts('srt://10.0.0.1:1').port, 1)
  assert.equal(parts('srt://10.0.0.1:65535').port, 65535)
  for (const port of ['0', '65536', '99999']) assert.equal(fault(`srt://10.0.0.1:${port}`), 'range', port)
  for (const port of ['-1', '1e3', '100000', '+5', '5x', '0x50'])
    assert.equal(fault(`srt://10.0.0.1:${port}`), 'invalid', port)
  assert.equal(parts('http://a.example:00080/').port, 80)
})

test('a live URL has at least one path segment', () => {
  for (const text of ['rtmp://a.example', 'rtmp://a.example/', 'rtmp://a.example//x', 'rtmps://a.example/?x=1'])
    assert.equal(fault(text), 'invalid', text)
})

test('the options of SRT keep to their bounds', () => {
  const srt = (query: string) => `srt://10.0.0.1:9000?${query}`
  assert.equal(parts(srt('latency=20')).srt?.latency, 20)
  assert.equal(parts(srt('latency=8000')).srt?.latency, 8000)
  for (const latency of ['19', '8001', '', '-5', '1e2', '0x20', 'NaN', '20.5', '%2020', 'Infinity'])
    assert.equal(fault(srt(`latency=${latency}`)), 'range', latency)
  assert.equal(parts(srt(`streamid=${'s'.repeat(256)}`)).srt?.streamId.length, 256)
  assert.equal(fault(srt(`streamid=${'s'.repeat(257)}`)), 'length')
  assert.equal(parts(srt('streamid=')).srt?.streamId, '')
  for (const length of [10, 79])
    assert.equal(parts(srt(`passphrase=${'p'.repeat(length)}`)).srt?.passphrase.length, length)
  for (const length of [1, 9, 80]) assert.equal(fault(srt(`passphrase=${'p'.repeat(length)}`)), 'length')
  assert.equal(parts('srt://10.0.0.1:9000?mode=listener').srt?.mode, 'listener')
  assert.equal(fault(srt('mode=rendezvous')), 'invalid')
  assert.equal(fault('srt://:9000?mode=caller'), 'invalid', 'there is nobody to call')
})

test('what cannot be read as percent encoding is refused, never dropped: a stream meant to be encrypted stays it', () => {
  for (const text of [
    'srt://10.0.0.1:9000?passphrase=%zz0123456789',
    'srt://10.0.0.1:9000?streamid=%',
    'srt://10.0.0.1:9000?streamid=%ff',
    'rtsp://me:%E0%A4%A@a.example/1',
    'rtsp://%c0%80:x@a.example/1'
  ])
    assert.equal(fault(text), 'invalid', text)
})

test('percent encoding brings in no control character, and no passphrase or stream id that no form would take', () => {
  for (const hidden of ['%00', '%0a', '%0D', '%1b', '%7f', '%C2%85']) {
    for (const text of [
      `srt://10.0.0.1:9000?streamid=a${hidden}b`,
      `srt://10.0.0.1:9000?passphrase=0123456789${hidden}`,
      `rtsp://m${hidden}e:x@a.example/1`,
      `rtsp://me:x${hidden}@a.example/1`
    ])
      assert.equal(fault(text), 'characters', text)
  }
  assert.equal(fault('srt://10.0.0.1:9000?streamid=a%20b'), 'characters')
  assert.equal(fault('srt://10.0.0.1:9000?passphrase=%C3%A4123456789'), 'characters')
})

test('a URL is at most 2048 long, as typed and as kept', () => {
  const long = (length: number) => `http://a.example/${'x'.repeat(length)}`
  assert.equal(parts(long(2000)).host, 'a.example')
  assert.equal(fault(long(2048)), 'length')
  assert.equal(fault(`rtsp://${'$'.repeat(1500)}:x@a.example/1`), 'length', 'it would be kept three times as long')
})

test('secrets with every printable character come back as they were', () => {
  const all = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')
  for (const secret of [all.slice(0, 47), all.slice(47)]) {
    const text = `srt://10.0.0.1:9000?streamid=${encode(secret)}&passphrase=${encode(secret)}`
    const { srt } = parts(normal(text))
    assert.deepEqual([srt?.streamId, srt?.passphrase], [secret, secret])
    const { user, password } = parts(normal(`rtsp://${encode(secret)}:${encode(secret)}@a.example/1`))
    assert.deepEqual([user, password], [secret, secret])
  }
})

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** Numbers that are the same in every run. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('nothing makes it throw, and what it takes it takes again as it was: 30,000 urls put together at random', () => {
  const pieces = [
    ...['rtmp', 'rtmps', 'srt', 'udp', 'rtp', 'rtsp', 'http', 'https', 'file', 'concat', 'RTSP'],
    ...['://', ':', '/', '//', '@', '?', '&', '=', '#', '%', '%00', '%27', '%25', '%40', '%2f', '%zz', '+', '.', '-'],
    ...['a.example', 'localhost', '10.0.0.1', '0.0.0.0', 'me', 'x', '1', '9000', '65536', 'live'],
    ...['mode=', 'caller', 'listener', 'latency=', '120', 'streamid=', 'passphrase=', '0123456789', 'mw-tcp-first=1'],
    ...['mw-tcp-first=0', '&&', '$', "'", '"', '|', ' ', '\n', '\0', 'ä', '😀', '\ud800', '~', '!', '*', '(', ')', ';']
  ]
  const roll = dice(7)
  let taken = 0
  const check = (text: string) => {
    const url = parseSourceUrl(text)
    assert.equal(sourceUrl(text) === undefined, !isFault(url), text)
    if (isFault(url)) return
    taken++
    const kept = formatSourceUrl(url)
    assert.deepEqual(parseSourceUrl(kept), url, `${text} became ${kept}`)
    assert.equal(formatSourceUrl(parts(kept)), kept)
    assert.match(kept, /^(rtmps?|srt|udp|rtp|rtsp|https?):\/\/[\x21-\x7e]+$/)
    assert.ok(kept.length <= 2048)
  }
  const heads = ['rtmp://', 'srt://', 'udp://', 'rtp://', 'rtsp://', 'http://', 'https://']
  const hosts = ['a.example', 'me:x%27@10.0.0.1:9000', '10.0.0.1:9000', ':9000', 'u%40@localhost:1']
  for (let n = 0; n < 30_000; n++) {
    // Every second one begins well, or hardly any would be taken.
    let text = n % 2 ? (heads[roll(heads.length)] ?? '') + hosts[roll(hosts.length)] + (roll(2) ? '/' : '?') : ''
    for (let left = roll(10); left > 0; left--) text += pieces[roll(pieces.length)]
    check(text)
  }
  assert.ok(taken > 3000, `only ${taken} were taken`)
})

test('a long run of any one piece is judged at once', () => {
  const began = performance.now()
  for (const piece of ['a', '.', ':', '@', '/', '?', '&', '%', '%41', 'a.', 'a:', 'a@', '-', '='])
    for (const head of ['', 'rtmp://', 'srt://a.example:1?', 'http://a.example/'])
      parseSourceUrl((head + piece.repeat(3000)).slice(0, 2048))
  assert.ok(performance.now() - began < 1000)
})

test.run()
