// A hub and a cloud of two nodes on one PostgreSQL.
import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { acceptHubs, getInvitation } from '../../../contract/cloud/calls.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { type CloudNode, withNodes } from '../../kit/cloud/nodes.ts'
import { type PostgresServer, startPostgres } from '../../kit/cloud/postgres.ts'
import {
  listed,
  registrationOf,
  set,
  untilListedOnline,
  untilOnline,
  untilState
} from '../../kit/cloud/registered-hub.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('links to two nodes')

let postgres: PostgresServer

test.before(async () => {
  postgres = await startPostgres()
})

test.after(() => postgres.close())

interface Fixture {
  nodes: CloudNode[]
  hub: TestHub
  admin: Client
  /** Registers the hub at a port, and accepts it. */
  register(port: number): Promise<void>
}

/** @param hasAddresses whether the nodes say at which address hubs reach each of them */
function withTwoNodes(hasAddresses: boolean, run: (fixture: Fixture) => Promise<void>): Promise<void> {
  return withNodes(postgres, { count: 2, hasAddresses }, async (nodes) => {
    const hub = await startHub()
    const admin = hub.clientAs()
    try {
      const [first, last] = [nodes[0] as CloudNode, nodes.at(-1) as CloudNode]
      const { invitation } = await (await first.cloud.clientAs()).send(getInvitation, {})
      const user = await last.cloud.clientAs()
      await run({
        ...{ nodes, hub, admin },
        async register(port) {
          await set(admin, { port, invitation })
          await untilState(admin, REGISTRATION_STATE.pending)
          await until(async () => (await listed(user)).length > 0, 'the hub is registered')
          // A decision of any node arrives.
          await user.send(acceptHubs, { sn: [hub.parts.cloudLink.settings.serial] })
          await untilOnline(admin)
        }
      })
    } finally {
      await hub.close()
    }
  })
}

const linksUp = async (admin: Client) =>
  ((await registrationOf(admin))?.links ?? []).flatMap(({ node, up }) => (up ? [node] : []))

/** Passes each connection to the next one of the ports that are open, as a load balancer does. */
async function startBalancer(ports: readonly number[]): Promise<{ server: Server; port: number; close(): void }> {
  const sockets = new Set<Socket>()
  let next = 0
  const server = createServer((socket) => {
    const onward = connect({ host: '127.0.0.1', port: ports[next++ % ports.length] ?? 0 })
    for (const [from, to] of [
      [socket, onward],
      [onward, socket]
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { server, port: (server.address() as AddressInfo).port, close }
}

for (const [way, hasAddresses] of [
  ['that a load balancer leads to', false],
  ['that the cloud names', true]
] as const)
  test(`a hub has links to two nodes ${way}, and stays online when one of them ends`, () =>
    withTwoNodes(hasAddresses, async ({ nodes, hub, admin, register }) => {
      const [first, second] = nodes as [CloudNode, CloudNode]
      const balancer = await startBalancer([first.linkPort, second.linkPort])
      try {
        await register(hasAddresses ? first.linkPort : balancer.port)
        await until(async () => (await linksUp(admin)).length === 2, 'two links')
        const found = (await linksUp(admin)).sort()
        assert.equal(new Set(found).size, 2)
        for (const { cloud } of nodes) await untilListedOnline(await cloud.clientAs())
        const { since } = hub.parts.cloudLink.observed ?? {}
        await first.cloud.close()
        await until(async () => (await linksUp(admin)).length === 1, 'one link')
        await until(async () => (await registrationOf(admin))?.links.length === 1, 'no attempt to reach the other')
        const { state, isUp, since: still } = hub.parts.cloudLink.observed ?? {}
        assert.deepEqual([state, isUp, still], [REGISTRATION_STATE.accepted, true, since])
        await untilListedOnline(await second.cloud.clientAs())
      } finally {
        balancer.close()
      }
    }))

test.run()
