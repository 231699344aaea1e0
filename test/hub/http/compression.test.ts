import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import { systemStatus } from '../../../contract/system.ts'
import { packed } from '../../../hub/http/compression.ts'
import { startHub } from '../../kit/hub.ts'

const test = suite('packed answers')

const LONG = JSON.stringify({ result: 0, list: Array.from({ length: 200 }, (_, id) => ({ id, name: 'Hall' })) })
const ask = (accept?: string) =>
  new Request('http://hub.test/api/x', { headers: accept === undefined ? {} : { 'accept-encoding': accept } })
const json = (text: string, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'application/json;charset=utf-8' } })

test('a long answer goes packed to who takes that, and says that it depends', async () => {
  for (const accept of ['gzip, deflate, br', 'gzip', '*']) {
    const answer = await packed(ask(accept), json(LONG))
    assert.equal(answer.headers.get('content-encoding'), 'gzip', accept)
    assert.equal(answer.headers.get('vary'), 'accept-encoding')
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(bytes.length < LONG.length / 4)
    assert.equal(gunzipSync(bytes).toString(), LONG)
  }
})

test('others have it as it is, as are short answers, refusals and what is no JSON', async () => {
  for (const [request, response] of [
    [ask(), json(LONG)],
    [ask('br'), json(LONG)],
    [ask('gzip;q=0'), json(LONG)],
    [ask('gzip'), json('{"result":0}')],
    [ask('gzip'), json(LONG, 403)],
    [ask('gzip'), new Response(LONG, { headers: { 'content-type': 'text/plain' } })]
  ] as const) {
    const answer = await packed(request, response)
    assert.equal(answer.headers.get('content-encoding'), null)
    assert.equal(answer.status, response.status)
    assert.ok(['{"result":0}', LONG].includes(await answer.text()))
  }
})

test('the hub packs what its calls answer', async () => {
  const hub = await startHub()
  try {
    const { cookie } = await hub.signIn()
    const url = `http://hub.test/api${systemStatus.path}?history=1`
    const answer = await hub.fetch(new Request(url, { headers: { cookie, 'accept-encoding': 'gzip' } }))
    assert.equal(answer.headers.get('content-encoding'), 'gzip')
    assert.equal(JSON.parse(gunzipSync(await answer.arrayBuffer()).toString()).result, 0)
  } finally {
    await hub.close()
  }
})

test.run()
