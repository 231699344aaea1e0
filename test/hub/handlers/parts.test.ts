// A feature without a hub: its handlers are a function of the parts that they use.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getGlobalChannel, setGlobalChannel } from '../../../contract/stream/channel-security.ts'
import { createFirstUser } from '../../../hub/auth/first-start.ts'
import { Gate } from '../../../hub/auth/gate.ts'
import { channelSecurityHandlers } from '../../../hub/handlers/channel/security.ts'
import { createApi } from '../../../hub/http/api.ts'
import { openStore } from '../../../hub/store/store.ts'
import { toResponse } from '../../../web-server/reply.ts'
import { FetchRequest } from '../../../web-server/request.ts'

const test = suite('handlers with few parts')

test('the handlers of a feature answer with just the parts that they name', async () => {
  const store = openStore(':memory:')
  await createFirstUser(store, 0)
  const gate = new Gate(store)
  let changes = 0
  const api = createApi({
    store,
    gate,
    handlers: channelSecurityHandlers({ store, permissionsChanged: () => changes++ }),
    offAir: { snapshot: () => new Map(), compare: () => [], find: () => [] },
    timeline: { recordOperation() {} }
  })
  const [admin] = store.users.all()
  assert.ok(admin)
  const caller = gate.callerOfSession(gate.openSession(admin.id, '127.0.0.1').hash)
  async function send(path: string, body?: object): Promise<Record<string, unknown>> {
    const request = new Request(`http://127.0.0.1/api${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    })
    const answer = await api(new FetchRequest(request), { address: '127.0.0.1', secure: false }, caller)
    return (await toResponse(answer).json()) as Record<string, unknown>
  }
  const security = { 'group-mask': 2, 'usr-mask': 0 }
  assert.equal((await send(setGlobalChannel.path, { security })).result, 0)
  assert.deepEqual((await send(getGlobalChannel.path)).security, security)
  assert.equal(changes, 1)
  store.close()
})

test.run()
