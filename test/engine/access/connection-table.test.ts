import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { type ConnectionLimits, ConnectionTable } from '../../../engine/access/connection-table.ts'

const test = suite('connection table')
const LIMITS = { strangers: 8, strangersPerNetwork: 4, known: 6, knownPerNetwork: 4 }

interface Connection {
  address: string
  isOpen: boolean
  destroy(): void
}

function createTable(now = () => 0, limits: ConnectionLimits = LIMITS) {
  const table = new ConnectionTable<Connection>(limits, now)
  return {
    table,
    open(address: string): Connection {
      const connection: Connection = {
        address,
        isOpen: true,
        destroy() {
          connection.isOpen = false
        }
      }
      if (!table.add(connection, address)) connection.destroy()
      return connection
    }
  }
}
const countOpen = (connections: Connection[]) => connections.filter(({ isOpen }) => isOpen).length

test('a network of strangers loses its oldest connection, and no other network loses one', () => {
  const { open } = createTable()
  const other = open('192.0.2.1')
  const many = Array.from({ length: 20 }, () => open('192.0.2.2'))
  assert.equal(countOpen(many), 4)
  assert.ok(many.at(-1)?.isOpen)
  assert.ok(other.isOpen)
})

test('addresses of one IPv6 /64 count as one network', () => {
  const { open } = createTable()
  const many = Array.from({ length: 20 }, (_, n) => open(`2001:db8::${n + 1}`))
  assert.equal(countOpen(many), 4)
})

test('when strangers hold all their connections, the network with the most of them gives way', () => {
  const { open } = createTable()
  const few = open('192.0.2.1')
  const many = [...Array(4)].map(() => open('192.0.2.2'))
  const more = [...Array(3)].map(() => open('192.0.2.3'))
  const late = open('192.0.2.4')
  assert.deepEqual(
    [few, late].map(({ isOpen }) => isOpen),
    [true, true]
  )
  assert.equal(countOpen(many), 3)
  assert.equal(countOpen(more), 3)
})

test('an admitted client keeps its connection, and further ones of its network are served while strangers hold the rest', () => {
  const { table, open } = createTable()
  const member = open('192.0.2.1')
  table.admit(member)
  const strangers = Array.from({ length: 100 }, (_, n) => open(`198.51.100.${n}`))
  const another = open('192.0.2.1')
  for (let n = 0; n < 100; n++) strangers.push(open(`203.0.113.${n}`))
  assert.deepEqual(
    [member, another].map(({ isOpen }) => isOpen),
    [true, true]
  )
  assert.equal(countOpen(strangers), 8)
})

test('strangers in the network of an admitted client take no connection from it', () => {
  const { table, open } = createTable()
  const members = [open('192.0.2.1'), open('192.0.2.1')]
  for (const member of members) table.admit(member)
  const strangers = Array.from({ length: 50 }, () => open('192.0.2.1'))
  assert.equal(countOpen(members), 2)
  assert.equal(countOpen(strangers), 2)
  for (const stranger of strangers) table.admit(stranger)
  assert.equal(open('192.0.2.1').isOpen, false, 'all four are admitted')
})

test('a connection that waits for the client is closed before one that waits for the hub', () => {
  const { table, open } = createTable()
  const [busy, idle, last] = [open('192.0.2.1'), open('192.0.2.1'), open('192.0.2.1')] as const
  table.setBusy(busy, true)
  open('192.0.2.1')
  open('192.0.2.1')
  assert.deepEqual([busy.isOpen, idle.isOpen, last.isOpen], [true, false, true])
  table.setBusy(busy, false)
  open('192.0.2.1')
  assert.deepEqual([busy.isOpen, last.isOpen], [true, false], 'the one used last is closed last')
})

test('where many connect at once, a network at its limit waits for the clients to which the server owes a response', () => {
  const { table, open } = createTable(() => 0, { ...LIMITS, keepsBusy: true })
  const first = [...Array(4)].map(() => open('192.0.2.1'))
  for (const connection of first.slice(1)) table.setBusy(connection, true)
  const fifth = open('192.0.2.1')
  assert.deepEqual([first[0]?.isOpen, fifth.isOpen], [false, true], 'one that has sent nothing gives way')
  table.setBusy(fifth, true)
  assert.equal(open('192.0.2.1').isOpen, false)
  assert.equal(countOpen([...first, fifth]), 4)
  for (let n = 0; n < 7; n++) open(`198.51.100.${n}`)
  assert.equal(countOpen([...first, fifth]), 1, 'other networks do not wait')
})

test('a network is known for an hour after its last admission', () => {
  let now = 0
  const { table, open } = createTable(() => now)
  const member = open('192.0.2.1')
  table.admit(member)
  table.delete(member)
  const openWithStrangers = () => {
    const known = open('192.0.2.1')
    for (let n = 0; n < 50; n++) open(`198.51.100.${n}`)
    return known.isOpen
  }
  assert.equal(openWithStrangers(), true)
  now += 3_600_000
  assert.equal(openWithStrangers(), false)
})

test('a deleted connection frees its place', () => {
  const { table, open } = createTable()
  const closed = [...Array(4)].map(() => open('192.0.2.1'))
  for (const connection of closed) table.delete(connection)
  assert.equal(table.size, 0)
  const again = [...Array(4)].map(() => open('192.0.2.1'))
  assert.equal(countOpen(again), 4)
  assert.equal(table.size, 4)
})

test.run()
