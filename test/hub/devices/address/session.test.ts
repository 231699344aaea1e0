// How long a device may be silent before it counts as offline.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { SilenceError } from '../../../../device-link/link-error.ts'
import { listGenerations } from '../../../../hub/devices/address/logins.ts'
import { createSession, type Session } from '../../../../hub/devices/address/session.ts'

const test = suite('session with a device at an address')

/** Milliseconds: longer than any test. */
const LONG = 600_000

/** Runs a test with a device that answers each request after a login with what `respond` returns, and then nothing. */
async function withDevice(
  respond: (turn: number) => Promise<string | undefined>,
  task: (session: Session) => Promise<void>
): Promise<void> {
  let turn = 0
  const server = createServer(async (request, response) => {
    const body = request.url?.includes('login') ? '{"result":0}' : await respond(turn++)
    if (body !== undefined) response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const [generation] = listGenerations()
  assert.ok(generation)
  const session = createSession({
    generation,
    user: 'Admin',
    password: 'x',
    sn: 'B313210600123',
    resolveEndpoint: async () => ({ ip: '127.0.0.1', name: '127.0.0.1', port, https: false, cert: '' }),
    timeout: LONG
  })
  try {
    await task(session)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const QUICK = { method: 'GET', path: '/usapi?method=get-status', isQuick: true }
const OK = '{"result":0}'
test('a device that usually responds at once and then sends nothing is found silent long before the timeout', () =>
  withDevice(
    async (turn) => (turn < 2 ? OK : undefined),
    async (session) => {
      for (let turn = 0; turn < 2; turn++) assert.equal((await session.request(QUICK, LONG)).body.toString(), OK)
      await assert.rejects(session.request(QUICK, LONG), SilenceError)
    }
  ))

test.run()
