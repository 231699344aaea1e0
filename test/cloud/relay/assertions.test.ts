import assert from 'node:assert/strict'
import { once } from 'node:events'
import { performServerHandshake } from 'node:http2'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { AssertionRefused, Assertions } from '../../../cloud/relay/assertions.ts'
import { CHALLENGE_PATH, CHALLENGE_USES_MAX } from '../../../contract/cloud/relay.ts'
import { type Link, openLink } from '../../../device-link/link.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('assertions of relayed requests')

const CALLER = {
  user: { name: 'Admin', organisation: 'headend', permission: 1, type: 1 },
  session: 'session-of-the-cloud',
  authenticatedAt: 0
}
const REQUEST = { sn: 'HUB-1', method: 'GET', target: '/api/session', address: '127.0.0.1' }
/** Signs nothing, so that the test is quick. */
const makeAssertions = () => new Assertions({ sign: () => Buffer.alloc(64), refreshKeys: async () => {}, now: () => 0 })

const challengeOf = (assertion: string): string =>
  JSON.parse(Buffer.from(assertion.split('.')[0] ?? '', 'base64url').toString()).challenge

/** Runs a test with a link to a hub that counts its challenges. */
async function withLink(run: (link: Link, challenges: () => number) => Promise<void>): Promise<void> {
  let count = 0
  const server = createServer((socket) => {
    const session = performServerHandshake(socket)
    session.on('error', () => {})
    session.on('stream', (stream, { ':path': path }) => {
      assert.equal(path, CHALLENGE_PATH)
      stream.respond({ ':status': 200 })
      stream.end(JSON.stringify({ challenge: `challenge ${++count}` }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const link = await new Promise<Link>((resolve) => {
    const opened: Link = openLink(socket, {
      ...{ pingInterval: 5000, pingTimeout: 15_000, onEnd() {} },
      onUp: () => resolve(opened)
    })
  })
  try {
    await run(link, () => count)
  } finally {
    link.end('the test has ended')
    server.close()
  }
}

test('a new challenge is asked for before the hub has seen too many assertions with one', () =>
  withLink(async (link, challenges) => {
    const assertions = makeAssertions()
    const uses = new Map<string, number>()
    for (let request = 0; request <= CHALLENGE_USES_MAX; request++) {
      const challenge = challengeOf(await assertions.make(link, CALLER, REQUEST))
      uses.set(challenge, (uses.get(challenge) ?? 0) + 1)
    }
    assert.deepEqual([...uses.values()], [CHALLENGE_USES_MAX, 1])
    assert.equal(challenges(), 2)
  }))

test('requests that are refused at the same time ask for one new challenge together', () =>
  withLink(async (link, challenges) => {
    const assertions = makeAssertions()
    const send = async (assertion: string) => {
      if (challengeOf(assertion) === 'challenge 1') throw new AssertionRefused('expired')
      return challengeOf(assertion)
    }
    const requests = Array.from({ length: 100 }, () => assertions.use(link, CALLER, REQUEST, send))
    assert.deepEqual([...new Set(await Promise.all(requests))], ['challenge 2'])
    assert.equal(challenges(), 2)
  }))

test.run()
