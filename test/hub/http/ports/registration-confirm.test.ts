// Confirmations of changes of the machine at the port for registration: as at the console's ports, they must come over
// a new connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { suite } from 'uvu'
import type { Call, Envelope } from '../../../../contract/call.ts'
import { SUCCESS, WRONG_STATE } from '../../../../contract/codes.ts'
import { confirmFirewall, setFirewall } from '../../../../contract/machine/firewall/firewall.ts'
import { confirmNetwork } from '../../../../contract/machine/network.ts'
import { TestFirewall } from '../../../kit/firewall/service.ts'
import { type Client, startHub, type TestHub } from '../../../kit/hub/hub.ts'

const test = suite('confirmations at the port for registration')

let firewall: TestFirewall
let hub: TestHub
let admin: Client
let linkPort = 0
/** Keeps one connection. */
let agent: Agent
test.before.each(async () => {
  firewall = new TestFirewall()
  await firewall.start()
  hub = await startHub({ machine: 'manage', firewallSocket: firewall.socket })
  admin = hub.clientAs()
  linkPort = (await hub.listen(0, 0)).linkPort
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
test.after.each(async () => {
  agent.destroy()
  await hub.close()
  await firewall.close()
})

async function post<Request extends object, Reply>(call: Call<Request, Reply>, body: Request) {
  const headers = { cookie: admin.cookie, 'content-type': 'application/json' }
  const options = { host: '127.0.0.1', port: linkPort, method: 'POST', path: `/api${call.path}`, agent, headers }
  const sent = request(options).end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  const { connection } = response.headers
  return { ...(JSON.parse(text) as Reply & Envelope), connection, isReused: sent.reusedSocket }
}

test('a change of the firewall is not confirmed over a connection from before the change, which ends', async () => {
  assert.equal((await post(setFirewall, { mode: 0, rules: [] })).result, SUCCESS)
  const { result, message, isReused, connection } = await post(confirmFirewall, {})
  assert.deepEqual([result, isReused, connection], [WRONG_STATE, true, 'close'])
  assert.match(
    message ?? '',
    /^Confirm the change over a new connection\. Open the console in another browser window\.$/
  )
  const fresh = await post(confirmFirewall, {})
  assert.deepEqual([fresh.result, fresh.isReused], [0, false])
})

test('a confirmation of the network has the age of its connection', async () => {
  const times: number[] = []
  hub.parts.machine.network.confirm = async (_request, { openedAt }) => void times.push(openedAt)
  for (let turn = 0; turn < 2; turn++) assert.equal((await post(confirmNetwork, {})).result, SUCCESS)
  assert.ok((times[0] ?? 0) > 0)
  assert.equal(times[1], times[0], 'the second request uses the connection of the first')
})

test('a confirmation over an unknown connection counts as one over an old connection', async () => {
  const times: number[] = []
  hub.parts.machine.network.confirm = async (_request, { openedAt }) => void times.push(openedAt)
  const { cookie } = admin
  const body = new Request(`http://localhost/api${confirmNetwork.path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: '{}'
  })
  assert.equal((await hub.fetch(body)).status, 200)
  assert.deepEqual(times, [0])
})

test.run()
