// Messages of a hub that is killed while their receiver is away.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { addDestination, listDeliveries, testDestination } from '../../../contract/alert/destination.ts'
import { addRule } from '../../../contract/alert/rule.ts'
import { startWebhookReceiver } from '../../kit/hub/alerts/webhook-receiver.ts'
import { type HubProcess, startHubProcess } from '../../kit/hub/hub-process.ts'
import { until } from '../../kit/until.ts'

const test = suite('notifications of a killed hub')

const SECRET = 'signs every message'

test('messages of a hub that is killed while the receiver is away arrive once, when both are back', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-alerts-'))
  let hub: HubProcess | undefined
  const away = await startWebhookReceiver()
  await away.close()
  try {
    // Without a stream engine, which is a problem.
    hub = await startHubProcess(data)
    const destinations: number[] = []
    for (const name of ['one', 'two', 'three']) {
      const config = { url: `${away.url}/${name}`, secret: SECRET }
      destinations.push((await hub.send(addDestination, { name, type: 'webhook', config })).id)
    }
    await hub.send(addRule, { name: 'All', destinations })
    const first: HubProcess = hub
    const waiting = async () => {
      const { list } = await first.send(listDeliveries, {})
      return list.length === 3 && list.every(({ attempts }) => attempts > 0)
    }
    await until(waiting, 'all messages were tried')
    await hub.kill()
    const receiver = await startWebhookReceiver({ secret: SECRET, port: away.port })
    hub = await startHubProcess(data)
    const second: HubProcess = hub
    const isSent = async () => (await second.send(listDeliveries, {})).list.every(({ state }) => state === 'sent')
    await until(isSent, 'all messages are delivered')
    const received = receiver.received.filter(({ message }) => message.state === 'problem')
    assert.deepEqual(received.map(({ path, isSigned }) => [path, isSigned]).sort(), [
      ['/one', true],
      ['/three', true],
      ['/two', true]
    ])
    assert.equal(new Set(received.map(({ message }) => message.id)).size, 1)
    // What was delivered is not sent again by the next run either.
    await hub.kill()
    hub = await startHubProcess(data)
    const id = destinations[0] ?? 0
    assert.equal((await hub.send(testDestination, { id })).answer, '200 OK ok')
    assert.deepEqual(receiver.received.map(({ message }) => message.state).sort(), [
      ...['problem', 'problem', 'problem', 'test']
    ])
    await receiver.close()
  } finally {
    await hub?.kill()
    rmSync(data, { recursive: true })
  }
})

test.run()
