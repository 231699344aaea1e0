// Cases for network addresses and URLs.
import * as network from '../../../../contract/rules/network.ts'
import * as rules from '../../../../contract/rules/rules.ts'
import { sourceUrl } from '../../../../contract/stream/source-url.ts'
import { EMOJI, LONG, NUL, repeat, table } from './table.ts'

table('networkInterface', network.networkInterface, [
  ['', 'required'],
  ['eth0', 'ok'],
  ['enp0s31f6.100', 'ok'],
  ['192.168.1.7', 'ok'],
  ['-i', 'invalid'],
  ['eth0 x', 'invalid'],
  ['eth0&timeout=1', 'invalid'],
  [repeat(16), 'invalid']
])

table('pathKey', network.pathKey, [
  ['', 'required'],
  ['HLS-1_b', 'ok'],
  [repeat(63), 'ok'],
  [repeat(64), 'length 1..63'],
  ['a/b', 'characters'],
  ['..', 'characters'],
  ['a%2fb', 'characters'],
  ['ä', 'characters']
])

table('rtspKey', network.rtspKey, [
  ['', 'required'],
  ["Hall-1_b.sub+(a)[2]'s", 'ok'],
  [repeat(63), 'ok'],
  [repeat(64), 'length 1..63'],
  ['a/b', 'characters'],
  ['a b', 'characters'],
  ['.', 'characters'],
  ['..', 'characters'],
  ['...', 'ok'],
  ['a%2fb', 'characters'],
  ['ä', 'characters']
])

table('loginName', network.loginName, [
  ['', 'required'],
  ['viewer@hall', 'ok'],
  ['a:b', 'characters'],
  ['a"b', 'characters'],
  ['a\\b', 'characters'],
  [NUL, 'characters']
])

table('ipv4', network.ipv4, [
  ['', 'required'],
  ['1.0.0.0', 'ok'],
  ['255.255.255.255', 'ok'],
  ['192.168.1.10', 'ok'],
  ['0.0.0.1', 'invalid'],
  ['0.0.0.0', 'invalid'],
  ['256.1.1.1', 'invalid'],
  ['1.1.1.256', 'invalid'],
  ['1.1.1', 'invalid'],
  ['1.1.1.1.1', 'invalid'],
  ['01.1.1.1', 'invalid'],
  ['1.1.1.01', 'invalid'],
  ['1..1.1', 'invalid'],
  ['1.1.1.a', 'invalid'],
  ['0x1.1.1.1', 'invalid'],
  ['1.1.1.1/24', 'invalid'],
  ['1.1.1.1:80', 'invalid'],
  [' 1.1.1.1', 'invalid'],
  ['1.1.1.1\n', 'invalid'],
  ['1.1.1.1\0', 'invalid'],
  ['１.1.1.1', 'invalid'],
  ['::1', 'invalid'],
  ['localhost', 'invalid'],
  [LONG, 'invalid'],
  [repeat(10_000, '1.'), 'invalid']
])

table('hostName', network.hostName, [
  ['', 'required'],
  ['hub', 'ok'],
  ['hub-1.example', 'ok'],
  ['10.1.2.3', 'ok'],
  ['fe80::1', 'ok'],
  ['::ffff:10.1.2.3', 'ok'],
  [`${repeat(63)}.example`, 'ok'],
  [`${repeat(64)}.example`, 'invalid'],
  ['-hub', 'invalid'],
  ['hub-', 'invalid'],
  ['hub..example', 'invalid'],
  ['hub.example.', 'invalid'],
  ['[::1]', 'invalid'],
  ['hub:3000', 'invalid'],
  ['http://hub', 'invalid'],
  ['hub example', 'invalid'],
  ['hub\n', 'invalid'],
  ['演', 'invalid'],
  [repeat(254), 'length 1..253']
])

table('domain', rules.domain, [
  ['', 'required'],
  ['a.b', 'ok'],
  ['stream.example', 'ok'],
  ['1a.2b', 'ok'],
  ['a-.example', 'ok'],
  ['xn--bcher-kva.example', 'ok'],
  [`${repeat(63)}.example`, 'ok'],
  [`${repeat(64)}.example`, 'invalid'],
  [`${repeat(126, 'a.')}b`, 'ok'],
  [`${repeat(126, 'a.')}bc`, 'invalid'],
  ['example', 'invalid'],
  ['-a.example', 'invalid'],
  ['a..example', 'invalid'],
  ['.example', 'invalid'],
  ['a.example.', 'invalid'],
  ['a_b.example', 'invalid'],
  ['a b.example', 'invalid'],
  ['bücher.example', 'invalid'],
  ['1.2.3.4', 'invalid'],
  ['http://a.example', 'invalid'],
  ['a.example\n', 'invalid'],
  ['a.example\0', 'invalid'],
  ['a\u202e.example', 'invalid'],
  [`${EMOJI}.example`, 'invalid'],
  [LONG, 'invalid'],
  [repeat(10_000, 'a.'), 'invalid']
])

table('host', rules.host, [
  ['', 'required'],
  ['2001:db8::7', 'ok'],
  ['::1', 'ok'],
  ['::', 'invalid'],
  ['fe80::1', 'invalid'],
  ['[2001:db8::7]', 'invalid'],
  ['::ffff:10.0.0.1', 'invalid'],
  ['10.0.0.1', 'ok'],
  ['stream.example', 'ok'],
  ['localhost', 'ok'],
  ['nas', 'invalid'],
  ['-i', 'invalid'],
  ['0.0.0.0', 'invalid'],
  ['1.2.3.4.5', 'invalid'],
  ['10.0.0.1:80', 'invalid'],
  ['a.example/x', 'invalid'],
  ['a.example ', 'invalid'],
  [LONG, 'invalid']
])

table('ipv4Host', rules.ipv4Host, [
  ['', 'required'],
  ['10.0.0.1', 'ok'],
  ['stream.example', 'ok'],
  ['localhost', 'ok'],
  ['2001:db8::7', 'invalid']
])

table("ipBetween('10.0.0.5', '10.0.1.9')", network.ipBetween('10.0.0.5', '10.0.1.9'), [
  ['', 'required'],
  ['10.0.0.4', 'range 10.0.0.5..10.0.1.9'],
  ['10.0.0.5', 'ok'],
  ['10.0.0.255', 'ok'],
  ['10.0.1.0', 'ok'],
  ['10.0.1.9', 'ok'],
  ['10.0.1.10', 'range 10.0.0.5..10.0.1.9'],
  ['9.255.255.255', 'range 10.0.0.5..10.0.1.9'],
  ['200.0.0.1', 'range 10.0.0.5..10.0.1.9'],
  ['10.0.0', 'invalid'],
  ['a.example', 'invalid'],
  [LONG, 'invalid']
])

table('multicastAddress', network.multicastAddress, [
  ['', 'required'],
  ['223.255.255.255', 'range 224.0.0.0..239.255.255.255'],
  ['224.0.0.0', 'ok'],
  ['239.255.255.255', 'ok'],
  ['240.0.0.0', 'range 224.0.0.0..239.255.255.255'],
  ['224.0.0', 'invalid']
])

table('ipRange', network.ipRange, [
  ['', 'required'],
  ['10.0.0.0', 'ok'],
  ['10.0.0.0/8', 'ok'],
  ['192.168.1.7/32', 'ok'],
  ['10.0.0.0/1', 'ok'],
  ['10.0.0.0/0', 'invalid'],
  ['10.0.0.0/33', 'invalid'],
  ['10.0.0.0/08', 'invalid'],
  ['10.0.0.0/', 'invalid'],
  ['10.0.0.0/8/8', 'invalid'],
  ['10.0.0.0/8 ', 'invalid'],
  ['10.0.0/8', 'invalid'],
  ['2001:db8::', 'ok'],
  ['2001:db8::/32', 'ok'],
  ['fd00::1/128', 'ok'],
  ['2001:db8::/129', 'invalid'],
  ['2001:db8::/0', 'invalid'],
  ['2001:db8::/32/1', 'invalid'],
  ['[2001:db8::]/32', 'invalid'],
  ['::ffff:10.0.0.0/104', 'invalid'],
  ['a.example', 'invalid']
])

table('ipAddress', network.ipAddress, [
  ['', 'required'],
  ['10.0.0.1', 'ok'],
  ['2001:db8::7', 'ok'],
  ['fe80::1', 'invalid'],
  ['a.example', 'invalid']
])

table('clientRange', network.clientRange, [
  ['10.0.0.20-10.0.0.29', 'ok'],
  ['10.0.0.20-10.0.0.20', 'ok'],
  ['10.0.0.20-10.0.0.19', 'order'],
  ['10.0.0.20-', 'required'],
  ['-10.0.0.20', 'required'],
  ['10.0.0.20-29', 'invalid'],
  ['10.0.0.1-10.0.0.2-10.0.0.3', 'invalid'],
  ['10.0.0.0/24-10.0.1.0/24', 'invalid'],
  ['fe80::1-fe80::2', 'invalid'],
  ['', 'required'],
  ['10.0.0.0', 'ok'],
  ['10.0.0.0/8', 'ok'],
  ['10.0.0.0/33', 'invalid'],
  ['2001:db8::1', 'ok'],
  ['2001:db8::/32', 'ok'],
  ['2001:DB8:0:0:0:0:0:1', 'ok'],
  ['::1', 'ok'],
  ['::', 'ok'],
  ['fe80::1/128', 'ok'],
  ['fe80::1/129', 'invalid'],
  ['fe80::1/0', 'invalid'],
  ['fe80::1/064', 'invalid'],
  ['fe80::1/', 'invalid'],
  ['fe80::1/64/64', 'invalid'],
  ['fe80::1%eth0', 'invalid'],
  ['::ffff:10.0.0.1', 'invalid'],
  ['1:2:3:4:5:6:7', 'invalid'],
  ['1:2:3:4:5:6:7:8:9', 'invalid'],
  ['1:2:3:4:5:6:7::8', 'invalid'],
  ['1:2:3:4:5:6::7', 'ok'],
  ['1::2::3', 'invalid'],
  ['1:::2', 'invalid'],
  [':1', 'invalid'],
  ['12345::', 'invalid'],
  ['g::', 'invalid'],
  ['a.example', 'invalid']
])

table("ipNotBelow('first')", (value: string) => network.ipNotBelow('first')(value, { first: '10.0.0.200' }), [
  ['', 'required'],
  ['10.0.0.199', 'order'],
  ['10.0.0.200', 'ok'],
  ['10.0.1.0', 'ok'],
  ['9.0.0.201', 'order'],
  ['10.0.0', 'invalid']
])

table(
  "ipNotBelow('first'), which is no address",
  (value: string) => network.ipNotBelow('first')(value, { first: '' }),
  [
    ['10.0.0.1', 'ok'],
    ['', 'required']
  ]
)

table('subnetMask', network.subnetMask, [
  ['', 'required'],
  ['128.0.0.0', 'ok'],
  ['255.0.0.0', 'ok'],
  ['255.255.0.0', 'ok'],
  ['255.255.255.0', 'ok'],
  ['255.255.254.0', 'ok'],
  ['255.255.255.252', 'ok'],
  ['255.255.255.254', 'ok'],
  ['255.255.255.255', 'ok'],
  ['0.0.0.0', 'invalid'],
  ['255.0.255.0', 'invalid'],
  ['255.255.255.1', 'invalid'],
  ['255.255.253.0', 'invalid'],
  ['254.255.0.0', 'invalid'],
  ['1.0.0.0', 'invalid'],
  ['24', 'invalid'],
  ['/24', 'invalid'],
  ['255.255.255.0 ', 'invalid'],
  [LONG, 'invalid']
])

table('liveUrl', network.liveUrl, [
  ['', 'required'],
  ['rtmp://a.example/live', 'ok'],
  ['rtmps://a.example/live', 'ok'],
  ['RTMP://A.Example/live', 'ok'],
  ['a.example/live', 'ok'],
  ['10.0.0.1/live/key', 'ok'],
  ['rtmp://10.0.0.1:1/live', 'ok'],
  ['rtmp://10.0.0.1:65535/live', 'ok'],
  ['rtmp://10.0.0.1:0/live', 'range 1..65535'],
  ['rtmp://10.0.0.1:65536/live', 'range 1..65535'],
  ['rtmp://10.0.0.1:/live', 'invalid'],
  ['rtmp://a.example/live/', 'ok'],
  ['rtmp://a.example/live?token=1/2', 'ok'],
  ['rtmp://a.example', 'invalid'],
  ['rtmp://a.example/', 'invalid'],
  ['rtmp://a.example//live', 'invalid'],
  ['rtmp:///live', 'invalid'],
  ['rtmp://', 'invalid'],
  ['rtmp://nas/live', 'invalid'],
  ['rtmp://0.1.2.3/live', 'invalid'],
  ['rtmp://me:secret@a.example/live', 'invalid'],
  ['rtmp://a.example/live#x', 'invalid'],
  ['rtmp://a.example/`id`', 'invalid'],
  ['rtmp://a.example/a|b', 'invalid'],
  ['http://a.example/live', 'scheme'],
  ['srt://a.example:9000', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['rtmp://a.example/live x', 'any-space'],
  [' rtmp://a.example/live', 'any-space'],
  ['rtmp://a.example/live\n', 'any-space'],
  ['rtmp://a.example/li\0ve', 'invalid'],
  ['rtmp://a.example/li\u202eve', 'invalid'],
  [`rtmp://a.example/${EMOJI}`, 'invalid'],
  [LONG, 'invalid'],
  [`a.example${repeat(10_000, '/a')}`, 'ok'],
  [`a.example${repeat(10_000, '/')}`, 'invalid']
])

table('sourceUrl', sourceUrl, [
  ['', 'required'],
  ['rtmp://a.example/live', 'ok'],
  ['srt://10.0.0.1:9000?latency=20', 'ok'],
  ['srt://10.0.0.1:9000?latency=19', 'range 20..8000'],
  ['srt://10.0.0.1:9000?passphrase=short', 'length 10..79'],
  ['srt://10.0.0.1', 'range 1..65535'],
  ['rtmp://a.example/', 'invalid'],
  ['concat:a|file:/etc/passwd', 'invalid'],
  ['file:///etc/passwd', 'scheme'],
  ['rtmp://a.example/li\0ve', 'invalid'],
  ['rtmp://a.example/li\u202eve', 'invalid'],
  [`rtmp://a.example/${repeat(2031)}`, 'length 1..2048'],
  [LONG, 'length 1..2048']
])
