// Nodes of one cloud: what is known of a hub at another node, and calls over its link.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import { WebSocket } from 'ws'
import { getSession } from '../../../contract/access/session.ts'
import { getRevisions } from '../../../contract/change-feed.ts'
import { acceptHubs, deleteHubs, getInvitation, listHubs, rejectHubs } from '../../../contract/cloud/calls.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { setDeviceName } from '../../../contract/machine/name.ts'
import type { CloudClient } from '../../kit/cloud/cloud.ts'
import { type FakeHub, helloOf, startFakeHub } from '../../kit/cloud/fake-hub.ts'
import { type CloudNode, withNodes } from '../../kit/cloud/nodes.ts'
import { openAs } from '../../kit/cloud/opened-hub.ts'
import { runSql } from '../../kit/cloud/owned-database.ts'
import { type PostgresServer, startPostgres } from '../../kit/cloud/postgres.ts'
import { listed, set, untilOnline, untilState } from '../../kit/cloud/registered-hub.ts'
import { startHub } from '../../kit/hub/hub.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('network of nodes')

const { accepted, rejected, deleted } = REGISTRATION_STATE

let postgres: PostgresServer

test.before(async () => {
  postgres = await startPostgres()
})

test.after(() => postgres.close())

interface Fixture {
  first: CloudNode
  second: CloudNode
  /** Administrators at the two nodes. */
  users: [CloudClient, CloudClient]
  invitation: string
  databaseUrl: string
  /** Starts a hub that has a link to one of the nodes. */
  connectHub(node: CloudNode, sn: string, instance?: string): FakeHub
}

const withTwo = (run: (fixture: Fixture) => Promise<void>) =>
  withNodes(postgres, { count: 2 }, async (nodes, databaseUrl) => {
    const [first, second] = nodes as [CloudNode, CloudNode]
    const users: Fixture['users'] = [await first.cloud.clientAs(), await second.cloud.clientAs()]
    const { invitation } = await users[0].send(getInvitation, {})
    const hubs: FakeHub[] = []
    try {
      await run({
        ...{ first, second, users, invitation, databaseUrl },
        connectHub({ linkPort }, sn, instance = `instance-${sn}`) {
          const hub = startFakeHub(linkPort, () => ({ ...helloOf(invitation, sn), instance, name: instance }))
          hubs.push(hub)
          return hub
        }
      })
    } finally {
      for (const hub of hubs) hub.stop()
    }
  })

const untilSeen = (user: CloudClient, sn: string, isOnline = true) =>
  until(
    async () => (await listed(user)).some((hub) => hub.sn === sn && hub.online === isOnline),
    `${sn} online: ${isOnline}`
  )

const revisionOf = async (user: CloudClient) => (await user.send(getRevisions, {})).revs.device ?? 0

test('a hub at one node is online at the other one, and both have the same revision', () =>
  withTwo(async ({ first, users, connectHub }) => {
    const before = await revisionOf(users[1])
    const hub = connectHub(first, 'HUB1')
    await untilSeen(users[1], 'HUB1')
    const connected = await revisionOf(users[1])
    assert.ok(connected > before)
    const isSame = async () => (await revisionOf(users[0])) === (await revisionOf(users[1]))
    await until(isSame, 'both have the same revision')
    hub.stop()
    await untilSeen(users[1], 'HUB1', false)
    assert.ok((await revisionOf(users[1])) > connected)
  }))

test('a decision at one node reaches a hub at the other one', () =>
  withTwo(async ({ first, users, connectHub }) => {
    const [hub1, hub2, hub3] = ['HUB1', 'HUB2', 'HUB3'].map((sn) => connectHub(first, sn)) as [
      FakeHub,
      FakeHub,
      FakeHub
    ]
    for (const sn of ['HUB1', 'HUB2', 'HUB3']) await untilSeen(users[1], sn)
    await users[1].send(acceptHubs, { sn: ['HUB1'] })
    await users[1].send(rejectHubs, { sn: ['HUB2'] })
    await users[1].send(deleteHubs, { sn: ['HUB3'] })
    await until(() => hub1.states.at(-1) === accepted, 'it is accepted')
    await until(() => hub2.states.at(-1) === rejected, 'it is rejected')
    await until(() => hub3.states.at(-1) === deleted, 'it is deleted')
  }))

test('copies of a hub at two nodes are held and named at both, and one takes over when the first one is gone', () =>
  withTwo(async ({ first, second, users, connectHub }) => {
    const original = connectHub(first, 'HUB1', 'original')
    await untilSeen(users[1], 'HUB1')
    await users[1].send(acceptHubs, { sn: ['HUB1'] })
    await until(() => original.states.at(-1) === accepted, 'it is accepted')
    const copy = connectHub(second, 'HUB1', 'restored')
    const copiesOf = async (user: CloudClient) =>
      (await user.send(listHubs, {})).list.flatMap(({ copies }) => copies.map(({ name }) => name)).join()
    for (const user of users) await until(async () => (await copiesOf(user)) === 'restored', 'the copy is named')
    assert.equal(original.states.at(-1), accepted)
    original.stop()
    await until(() => copy.states.at(-1) === accepted, 'the copy counts')
    for (const user of users) await until(async () => (await copiesOf(user)) === '', 'there is no copy')
    await untilSeen(users[0], 'HUB1')
  }))

test('the console of a hub works at a node that has no link to it', () =>
  withTwo(async ({ first, second, users, invitation }) => {
    const hub = await startHub()
    try {
      const admin = hub.clientAs()
      await set(admin, { port: first.linkPort, invitation, role: 'administer' })
      await untilState(admin, REGISTRATION_STATE.pending)
      const sn = hub.parts.cloudLink.settings.serial
      await untilSeen(users[1], sn)
      await users[1].send(acceptHubs, { sn: [sn] })
      await untilOnline(admin)
      // Opened at one node, and used at the other.
      const visitor = await openAs(users[0], sn, second.webPort)
      assert.equal((await visitor.send(setDeviceName, { name: 'Hall' })).result, SUCCESS)
      assert.equal((await visitor.send(getSession, {})).user.name, 'Admin@headend')
      const socket = new WebSocket(`ws://127.0.0.1:${second.webPort}/socket/sub_socket?client-id=${sn}`, {
        headers: { host: visitor.host, cookie: visitor.cookie }
      })
      await once(socket, 'open')
      socket.send(JSON.stringify({ topics: ['channel'] }))
      const [message] = await once(socket, 'message')
      assert.ok(JSON.parse(String(message)))
      // The node that has the link ends: the browser learns it, and the calls say so.
      const closed = once(socket, 'close')
      await first.cloud.close()
      await closed
      assert.equal((await visitor.visit(`/socket/api${getSession.path}?client-id=${sn}`)).status, 502)
    } finally {
      await hub.close()
    }
  }))

test('a node that the others have forgotten writes its links again', () =>
  withTwo(async ({ first, second, databaseUrl, users, connectHub }) => {
    connectHub(first, 'HUB1')
    await untilSeen(users[1], 'HUB1')
    await runSql(databaseUrl, `delete from nodes where id = '${first.cloud.links.node}'`)
    await second.cloud.links.refreshNodes()
    await untilSeen(users[1], 'HUB1', false)
    await first.cloud.links.refreshNodes()
    await untilSeen(users[1], 'HUB1')
  }))

test('a client without the key of a node gets no stream, and a row that the cloud has not signed is no node', () =>
  withTwo(async ({ first, databaseUrl, users, connectHub }) => {
    connectHub(first, 'HUB1')
    await untilSeen(users[1], 'HUB1')
    const address = first.cloud.links.nodes.find(({ id }) => id === first.cloud.links.node)?.peerAddress ?? ''
    const session = connect(`https://${address}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    const stream = session.request({ ':path': '/link/challenge', 'headend-node-hub': 'headend/HUB1' })
    stream.on('error', () => {})
    let hasResponse = false
    stream.on('response', () => {
      hasResponse = true
    })
    await once(session, 'close')
    assert.equal(hasResponse, false)
    assert.notEqual(stream.rstCode, constants.NGHTTP2_NO_ERROR)
    await runSql(
      databaseUrl,
      "insert into nodes (id, address, heartbeat, peer_address, pin, signature) values ('forged', '', 1, '127.0.0.1:1', 'pin', 'c2ln')"
    )
    await first.cloud.links.refreshNodes()
    const forged = first.cloud.links.nodes.find(({ id }) => id === 'forged')
    assert.deepEqual([forged?.peerAddress, forged?.pin], ['', ''])
  }))

test.run()
