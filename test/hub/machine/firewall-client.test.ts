import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { FirewallServiceError, serviceClient } from '../../../hub/machine/firewall-client.ts'

const test = suite('client of the firewall service')

let folder: string
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-firewall-'))
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Sends a request to a service that answers with a text. */
async function sendTo(text: string): Promise<unknown> {
  const path = join(folder, 'socket')
  const server = createServer((socket) => void socket.on('data', () => socket.end(text))).listen(path)
  await once(server, 'listening')
  try {
    return await serviceClient(path)({ op: 'state' })
  } finally {
    server.close()
  }
}

test('a response that a restart of the service has cut off counts as a stopped service', async () => {
  const whole = '{"state":{"isInEffect":true}}\n'
  assert.deepEqual(await sendTo(whole), { isInEffect: true })
  for (const text of ['', whole.slice(0, 12), whole.slice(0, -1)])
    await assert.rejects(
      sendTo(text),
      (error) => error instanceof FirewallServiceError && error.obstacle === 'stopped',
      text
    )
})

test.run()
