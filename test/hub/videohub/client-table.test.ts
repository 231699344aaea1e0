import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CLIENTS_MAX, ClientTable, NETWORK_CLIENTS_MAX } from '../../../hub/videohub/client-table.ts'

const test = suite('client table')

/** Adds `count` clients, each named `address #n`. */
function fill(table: ClientTable<string>, address: string, count: number, isActive = false): void {
  for (let n = 1; n <= count; n++) {
    assert.equal(table.add(`${address} #${n}`, address), undefined)
    if (isActive) table.recordRequest(`${address} #${n}`)
  }
}

test('a network at its limit replaces its oldest client without a request, else the one with the oldest request', () => {
  const table = new ClientTable<string>()
  fill(table, '10.0.0.1', NETWORK_CLIENTS_MAX)
  table.recordRequest('10.0.0.1 #1')
  assert.equal(table.add('a', '10.0.0.1'), '10.0.0.1 #2')
  for (let n = 3; n <= NETWORK_CLIENTS_MAX; n++) table.recordRequest(`10.0.0.1 #${n}`)
  assert.equal(table.add('b', '10.0.0.1'), 'a')
  table.recordRequest('b')
  assert.equal(table.add('c', '10.0.0.1'), '10.0.0.1 #1')
})

test('the addresses of an IPv6 network count together', () => {
  const table = new ClientTable<string>()
  for (let n = 0; n < NETWORK_CLIENTS_MAX; n++) table.add(String(n), `2001:db8::${n + 1}`)
  assert.equal(table.add('a', '2001:db8::ffff'), '0')
  assert.equal(table.add('b', '2001:db8:0:1::1'), undefined)
})

test('a full table replaces a client without a request, of the network with the most of them', () => {
  const table = new ClientTable<string>()
  for (let n = 1; n <= 6; n++) fill(table, `10.0.0.${n}`, NETWORK_CLIENTS_MAX, true)
  fill(table, '10.0.1.1', 6)
  fill(table, '10.0.1.2', 7)
  fill(table, '10.0.1.3', 3)
  assert.equal(table.add('a', '10.0.2.1'), '10.0.1.2 #1')
  assert.equal(table.add('b', '10.0.2.2'), '10.0.1.1 #1')
})

test('a table full of clients with requests replaces one of an address with several, but no single one', () => {
  const table = new ClientTable<string>()
  for (let n = 1; n < CLIENTS_MAX - 1; n++) fill(table, `10.0.0.${n}`, 1, true)
  fill(table, '10.0.1.1', 2, true)
  assert.equal(table.add('a', '10.0.2.1'), '10.0.1.1 #1')
  table.recordRequest('a')
  assert.equal(table.add('b', '10.0.2.2'), 'full')
  table.delete('10.0.0.7 #1')
  assert.equal(table.add('b', '10.0.2.2'), undefined)
})

test.run()
