import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Call } from '../../contract/call.ts'
import { schemaOf } from '../../contract/calls.schema.ts'
import { exampleResponse } from '../../contract/description.schema.ts'
import * as device from '../../contract/device/device.ts'
import { setSettings } from '../../contract/settings.ts'
import * as channel from '../../contract/stream/channel.ts'
import { HTTP, RTMP, RTSP, SRT, UDP } from '../../contract/stream/protocols.ts'
import * as source from '../../contract/stream/source.ts'
import { listDeclaredCalls } from '../../make/wire/declared-calls.ts'
import { EXAMPLES, fullRtmpConfig, rtmpOutput } from './request-examples.ts'

const test = suite('requests')

const isValid = (call: Call, request: unknown) => schemaOf(call)?.request.safeParse(request).success === true

const asQuery = (request: object) => Object.fromEntries(new URLSearchParams(Object.entries(request)))

test('every call has an example, and all examples are valid', () => {
  assert.deepEqual(
    listDeclaredCalls().filter((call) => EXAMPLES.get(call)?.length === 0),
    []
  )
  for (const [call, requests] of EXAMPLES)
    for (const request of requests) assert.ok(isValid(call, request), `${call.path} ${JSON.stringify(request)}`)
})

test('the example of every answer has the declared fields', () => {
  const wrong = listDeclaredCalls().flatMap((call) => {
    const schema = schemaOf(call)
    const issues = schema?.response?.safeParse(exampleResponse(schema)).error?.issues ?? []
    return issues.map((issue) => `${call.path} ${issue.path.join('.')}: ${issue.message}`)
  })
  assert.deepEqual(wrong, [])
})

test('a query string is parsed to the same values as a JSON body', () => {
  for (const [call, requests] of EXAMPLES) {
    if (call.method !== 'GET') continue
    for (const request of requests) {
      const schema = schemaOf(call)?.request
      assert.deepEqual(
        schema?.parse(asQuery(request)),
        schema?.parse(request),
        `${call.path} ${JSON.stringify(request)}`
      )
    }
  }
})

test('unknown fields are removed', () => {
  for (const [call, [request]] of EXAMPLES) {
    const parsed = schemaOf(call)?.request.parse({ ...request, 'not-there': 1, constructor: 1 }) as object
    assert.ok(!Object.hasOwn(parsed, 'not-there') && !Object.hasOwn(parsed, 'constructor'), call.path)
  }
})

test('fields of the wrong type, out of range or too long are refused, and so are missing required fields', () => {
  for (const [call, requests] of EXAMPLES) {
    for (const request of requests) {
      for (const [field, value] of Object.entries(request)) {
        // An id of a device group below 0 stands for 0. A camera moves in both directions.
        const isCatalogId = call.path.startsWith('/catalog/') && field.endsWith('id')
        const isSpeed = call.path === '/input/source/move' && field !== 'id'
        const invalid = [
          null,
          0.5,
          ...(isCatalogId || isSpeed ? [] : [-2]),
          1e300,
          Number.NaN,
          'x'.repeat(10_000),
          [[]],
          [null]
        ]
        // An object with only unknown fields is valid where all fields are optional.
        if (typeof value !== 'object' || Array.isArray(value)) invalid.push({ x: 1 } as never)
        for (const invalidValue of invalid)
          assert.ok(
            !isValid(call, { ...request, [field]: invalidValue }),
            `${call.path} ${field} ${String(invalidValue).slice(0, 20)}`
          )
      }
    }
    // The first example has required fields only.
    const [minimal] = requests
    for (const field of Object.keys(minimal ?? {})) {
      const { [field]: _, ...rest } = minimal as Record<string, unknown>
      assert.ok(!isValid(call, rest), `${call.path} without ${field}`)
    }
  }
})

test('numbers in a query string are digits; empty text is invalid', () => {
  for (const start of ['', ' 1', '1e3', '0x10', '1.0', '-1', '99999999999999999999', 'NaN'])
    assert.ok(!isValid(device.listDevices as Call, { start }), JSON.stringify(start))
})

test('lists of ids and serial numbers have 1 to 1000 items', () => {
  const accept = device.acceptDevices as Call
  assert.ok(!isValid(accept, { sn: [] }))
  assert.ok(!isValid(accept, { sn: Array(1001).fill('a') }))
  for (const sn of ['', 'a b', '../x', 'a'.repeat(65), 'é', 7, null])
    assert.ok(!isValid(accept, { sn: [sn] }), String(sn))
  assert.ok(!isValid(source.deleteInputs as Call, { id: [] }))
  assert.ok(!isValid(source.deleteInputs as Call, { id: Array(1001).fill(1) }))
  const outputs = Array.from({ length: 17 }, (_, index) => index)
  assert.ok(!isValid(channel.addChannelOutputs as Call, { id: 1, outputs }))
})

test('an output has the fields that its protocol and mode require', () => {
  const add = source.addOutput as Call
  const srt = (config: object) => isValid(add, { name: 'x', protocol: SRT, config })
  assert.ok(!srt({ mode: 'listener' }))
  assert.ok(!srt({ mode: 'caller', 'dst-port': 9000 }))
  assert.ok(!srt({ mode: 'caller', 'dst-ip': 'a.example' }))
  assert.ok(!srt({ mode: 'listener', 'bind-port': 9000, passphrase: 'short' }))
  assert.ok(!srt({ mode: 'caller', 'dst-ip': '-i', 'dst-port': 9000 }))
  assert.ok(!isValid(add, { name: 'x', protocol: RTMP, config: { url: 'srt://10.0.0.1:9000' } }), 'not an RTMP URL')
  const udp = (config: object) =>
    isValid(add, { name: 'x', protocol: UDP, config: { 'dst-ip': 'a.example', ...config } })
  assert.ok(udp({ 'dst-port': 1 }))
  for (const invalidConfig of [
    {},
    { 'dst-port': 0 },
    { 'dst-port': 1, mtu: 227 },
    { 'dst-port': 1, mtu: 1501 },
    { 'dst-port': 1, 'mcast-time-to-live': 256 },
    { 'dst-port': 1, iface: '-i' },
    { 'dst-port': 1, 'dst-ip': 'x y' }
  ])
    assert.ok(!udp(invalidConfig), JSON.stringify(invalidConfig))
  const rtsp = (config: object) => isValid(add, { name: 'x', protocol: RTSP, config: { port: 554, ...config } })
  for (const invalidConfig of [
    { port: 65_536 },
    { key: 'a/b' },
    { key: '..' },
    { 'max-client-num': 65 },
    { username: 'a:b' }
  ])
    assert.ok(!rtsp(invalidConfig), JSON.stringify(invalidConfig))
  const hls = (config: object) => isValid(add, { name: 'x', protocol: HTTP, config })
  for (const invalidConfig of [{ 'seg-count': 2 }, { 'seg-duration': 11 }, { key: '../x' }, { key: '' }])
    assert.ok(!hls(invalidConfig), JSON.stringify(invalidConfig))
  assert.ok(!isValid(add, { name: 'x', protocol: 128, config: {} }), 'unknown protocol')
})

test('logins and search texts must not contain control characters', () => {
  for (const field of ['username', 'password', 'key']) {
    const request = (value: string) => ({ ...rtmpOutput, config: { ...fullRtmpConfig, [field]: value } })
    assert.ok(isValid(source.addOutput as Call, request('a b')), field)
    for (const invalidText of ['a\0b', 'a\nb', 'a\x85b'])
      assert.ok(!isValid(source.addOutput as Call, request(invalidText)), field)
  }
  assert.ok(!isValid(device.listDevices as Call, { key: '\0' }))
})

test('setSettings takes exactly one part, and an invitation code of four digits', () => {
  const set = setSettings as Call
  assert.ok(!isValid(set, {}))
  assert.ok(!isValid(set, { 'expired-time': 10, security: { 'enable-code': false } }))
  for (const minutes of [0, -2, 1441, 1.5, '10']) assert.ok(!isValid(set, { 'expired-time': minutes }), String(minutes))
  for (const code of [undefined, '', '123', '12345', '12a4', 1234, '١٢٣٤'])
    assert.ok(!isValid(set, { security: { 'enable-code': true, 'code-value': code } }), String(code))
  const parsed = schemaOf(set)?.request.parse({ security: { 'enable-code': 1, 'code-value': '0165' } })
  assert.deepEqual(parsed, { security: { 'enable-code': true, 'code-value': '0165' } })
})

test('an invalid value is reported with the fault of its rule', () => {
  const result = schemaOf(channel.addChannel as Call)?.request.safeParse({ name: 'x'.repeat(65) })
  assert.equal(result?.error?.issues[0]?.message, 'length')
  assert.deepEqual(result?.error?.issues[0]?.path, ['name'])
})

test.run()
