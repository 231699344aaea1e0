import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { formatNdiUrl, isNdiUrl, ndiUrl, parseNdiUrl } from '../../../contract/ndi/url.ts'

const test = suite('ndi url')

function normalize(text: string): string {
  const url = parseNdiUrl(text)
  assert.ok(!('fault' in url), `${text}: ${JSON.stringify(url)}`)
  return formatNdiUrl(url)
}

test('an NDI URL is recognised by its scheme, ignoring case', () => {
  for (const text of ['ntkndi://ndi?name=a', 'NTKNDI:', 'ntkndi://']) assert.ok(isNdiUrl(text), text)
  for (const text of ['srt://10.0.0.1:9000', 'ndi://a', '', 'x ntkndi://ndi?name=a']) assert.ok(!isNdiUrl(text), text)
})

test('a URL has a required name and an optional address and buffer', () => {
  assert.deepEqual(parseNdiUrl('ntkndi://ndi?name=STUDIO%20(Cam%201)&url=10.0.0.9:5961&mw-buffer-duration=60'), {
    name: 'STUDIO (Cam 1)',
    address: '10.0.0.9:5961',
    buffer: 60
  })
  assert.deepEqual(parseNdiUrl('ntkndi://ndi?name=%E5%8E%85'), { name: '厅' })
  for (const text of ['ntkndi://ndi', 'ntkndi://ndi?', 'ntkndi://ndi?url=10.0.0.9', 'ntkndi://ndi?name='])
    assert.deepEqual(ndiUrl(text), { name: 'required' }, text)
})

test('a formatted URL has the documented form without unknown options', () => {
  assert.equal(normalize('NtkNDI://NDI/?ndi-name=a&ndi-url=cam.example&x=1'), 'ntkndi://ndi?name=a&url=cam.example')
  assert.equal(
    normalize('ntkndi://ndi?name=a%26url%3Db&mw-buffer-duration=2000'),
    'ntkndi://ndi?name=a%26url%3Db&mw-buffer-duration=2000'
  )
  const formatted = normalize('ntkndi://ndi?name=A%20(B)%27'.replace("'", ''))
  assert.equal(normalize(formatted), formatted)
})

test('a URL says where the source is searched and how it is received', () => {
  const url = {
    name: 'A (B)',
    group: 'public,Stage 2',
    transport: 4,
    multicastAddress: '239.1.2.3',
    multicastMask: '255.255.0.0',
    multicastTtl: 8,
    extraIps: ['10.0.1.7', '10.0.1.8'],
    lowBandwidth: true,
    discoveryServers: ['10.0.0.8:5959', 'ndi.example.com']
  }
  const text = formatNdiUrl(url)
  assert.equal(
    text,
    'ntkndi://ndi?name=A%20(B)&group=public,Stage%202&transport-mode=4&mcast-ip=239.1.2.3&mcast-sub-mask=255.255.0.0' +
      '&mcast-time-to-live=8&extra-ips=10.0.1.7,10.0.1.8&low-bw=1&discovery-server=10.0.0.8:5959,ndi.example.com'
  )
  assert.deepEqual(parseNdiUrl(text), url)
  assert.equal('lowBandwidth' in parseNdiUrl('ntkndi://ndi?name=a&low-bw=0'), false)
})

test('invalid options are refused', () => {
  for (const [option, name] of [
    ['group=a,%20b', 'invalid'],
    ['transport-mode=6', 'range'],
    ['mcast-ip=10.0.0.1', 'range'],
    ['mcast-sub-mask=255.0.255.0', 'invalid'],
    ['mcast-time-to-live=0', 'range'],
    ['extra-ips=cam.example', 'invalid'],
    ['low-bw=yes', 'number'],
    ['discovery-server=a.example,b.example,c.example', 'invalid']
  ])
    assert.equal(ndiUrl(`ntkndi://ndi?name=a&${option}`)?.name, name, option)
})

test('invalid addresses, buffers and unprintable characters are refused', () => {
  const faults: readonly [string, string][] = [
    ['ntkndi://ndi?name=a&url=10.0.0', 'invalid'],
    ['ntkndi://ndi?name=a&url=10.0.0.1:0', 'range'],
    ['ntkndi://ndi?name=a&url=10.0.0.1:1:2', 'invalid'],
    ['ntkndi://ndi?name=a&url=-i', 'invalid'],
    ['ntkndi://ndi?name=a&mw-buffer-duration=2001', 'range'],
    ['ntkndi://ndi?name=a&mw-buffer-duration=x', 'number'],
    ['ntkndi://ndi?name=%0A', 'characters'],
    ['ntkndi://ndi?name=%E2%80%AEa', 'characters'],
    ['ntkndi://ndi?name=%', 'invalid'],
    ['ntkndi://other?name=a', 'invalid'],
    ['ntkndi://ndi?name=a b', 'invalid'],
    ["ntkndi://ndi?name='a'", 'invalid'],
    [`ntkndi://ndi?name=${'a'.repeat(254)}`, 'length'],
    [`ntkndi://ndi?name=a&x=${'a'.repeat(2048)}`, 'length']
  ]
  for (const [text, name] of faults) assert.equal(ndiUrl(text)?.name, name, text)
  assert.equal(ndiUrl(`ntkndi://ndi?name=${'a'.repeat(253)}`), undefined)
})

test.run()
