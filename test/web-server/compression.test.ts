import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { SUCCESS } from '../../contract/codes.ts'
import { systemStatus } from '../../contract/system.ts'
import { compressReply } from '../../web-server/compression.ts'
import { type Reply, toResponse } from '../../web-server/reply.ts'
import { startHub } from '../kit/hub/hub.ts'

const test = suite('compression')

const LONG = JSON.stringify({ result: SUCCESS, list: Array.from({ length: 200 }, (_, id) => ({ id, name: 'Hall' })) })
const requestWith = (accept?: string) => new Headers(accept === undefined ? {} : { 'accept-encoding': accept })
const json = (body: string, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json;charset=utf-8' },
  body
})
const compress = async (headers: Headers, reply: Reply) => toResponse(await compressReply(headers, reply))

test('a long response is compressed if the client accepts gzip, with a Vary header', async () => {
  for (const accept of ['gzip, deflate, br', 'gzip', '*']) {
    const compressed = await compress(requestWith(accept), json(LONG))
    assert.equal(compressed.headers.get('content-encoding'), 'gzip', accept)
    assert.equal(compressed.headers.get('vary'), 'accept-encoding')
    const bytes = Buffer.from(await compressed.arrayBuffer())
    assert.ok(bytes.length < LONG.length / 4)
    assert.equal(gunzipSync(bytes).toString(), LONG)
  }
})

test('responses to other clients, short ones, errors, and other types than JSON are not compressed', async () => {
  for (const [request, response] of [
    [requestWith(), json(LONG)],
    [requestWith('br'), json(LONG)],
    [requestWith('gzip;q=0'), json(LONG)],
    [requestWith('gzip'), json('{"result":0}')],
    [requestWith('gzip'), json(LONG, 403)],
    [requestWith('gzip'), { status: 200, headers: { 'content-type': 'text/plain' }, body: LONG }]
  ] as const) {
    const compressed = await compress(request, response)
    assert.equal(compressed.headers.get('content-encoding'), null)
    assert.equal(compressed.status, response.status)
    assert.ok(['{"result":0}', LONG].includes(await compressed.text()))
  }
})

test('the hub compresses responses of calls', async () => {
  const hub = await startHub()
  try {
    const { cookie } = await hub.signIn()
    const url = `http://localhost/api${systemStatus.path}?history=1`
    const compressed = await hub.fetch(new Request(url, { headers: { cookie, 'accept-encoding': 'gzip' } }))
    assert.equal(compressed.headers.get('content-encoding'), 'gzip')
    assert.equal(JSON.parse(gunzipSync(await compressed.arrayBuffer()).toString()).result, SUCCESS)
  } finally {
    await hub.close()
  }
})

test.run()
