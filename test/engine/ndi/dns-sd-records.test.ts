// What discovery by DNS-SD makes of the records that it receives.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { MulticastDNS } from 'multicast-dns'
import { suite } from 'uvu'
import { DnsSdBrowser } from '../../../engine/ndi/dns-sd.ts'

const test = suite('DNS-SD records')

const SERVICE = '_ndi._tcp.local'

interface Fake {
  browser: DnsSdBrowser
  queries: string[]
  changes: () => number
  receive(records: object[], sender?: string): void
  pass(ms: number): void
}

let fake: Fake
test.before.each(() => {
  let time = 0
  let changes = 0
  const queries: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    query: (name: string, type: string) => void queries.push(`${type} ${name}`),
    destroy() {}
  })
  const browser = new DnsSdBrowser({
    onChange: () => changes++,
    now: () => time,
    open: () => socket as unknown as MulticastDNS
  })
  browser.start()
  fake = {
    browser,
    queries,
    changes: () => changes,
    // Each interface of this machine has a socket, and here all are the same one.
    receive: (records, sender = '10.0.0.9') =>
      void socket.listeners('response')[0]?.({ answers: records, additionals: [] }, { address: sender }),
    pass: (ms) => (time += ms)
  }
})
test.after.each(() => fake.browser.stop())

const pointer = (name: string, ttl = 4500) => ({ type: 'PTR', name: SERVICE, ttl, data: `${name}.${SERVICE}` })
const server = (name: string, port: number, ttl = 120) => ({
  type: 'SRV',
  name: `${name}.${SERVICE}`,
  ttl,
  data: { target: 'studio.local', port }
})
const address = (data: string) => ({ type: 'A', name: 'Studio.local', ttl: 120, data })

const sources = () => Object.fromEntries(fake.browser.sources())

test('a source has the port of its record and an address of its host, preferably that of the sender', () => {
  assert.ok(fake.queries.includes(`PTR ${SERVICE}`))
  fake.receive([pointer('STUDIO (Cam)'), server('STUDIO (Cam)', 5961)])
  assert.deepEqual(sources(), { 'STUDIO (Cam)': '10.0.0.9:5961' }, 'the address of the host is unknown')
  fake.receive([address('192.168.0.4'), address('10.0.0.9')])
  assert.deepEqual(sources(), { 'STUDIO (Cam)': '10.0.0.9:5961' })
  fake.receive([server('STUDIO (Cam)', 5962)], '10.0.0.254')
  assert.deepEqual(sources(), { 'STUDIO (Cam)': '192.168.0.4:5962' }, 'a gateway has forwarded the packet')
})

test('a source whose port the answer leaves out is asked for it', () => {
  fake.receive([pointer('STUDIO (Cam)')])
  assert.deepEqual(sources(), {})
  assert.ok(fake.queries.includes(`SRV STUDIO (Cam).${SERVICE}`))
})

test('a name is asked for its port once between two queries, at most 100 names are, and none when there are 1000 sources', () => {
  const asked = () => fake.queries.filter((query) => query.startsWith('SRV')).length
  const sockets = fake.queries.length
  for (let times = 0; times < 3; times++) fake.receive([pointer('A (1)'), pointer('A (1)')])
  assert.equal(asked(), sockets)
  fake.receive(Array.from({ length: 200 }, (_, index) => pointer(`B (${index})`)))
  assert.equal(asked(), 100 * sockets)
  // The next search.
  fake.browser.stop()
  fake.browser.start()
  fake.receive([pointer('A (1)')])
  assert.equal(asked(), 101 * sockets, 'it is asked for again')
  fake.receive(Array.from({ length: 1000 }, (_, index) => server(`C (${index})`, 5961)))
  fake.receive([pointer('D (1)')])
  assert.equal(asked(), 101 * sockets)
})

test('a source ends with its goodbye, or when it has not answered three times', () => {
  fake.receive([pointer('A (1)'), server('A (1)', 5961), pointer('A (2)'), server('A (2)', 5962)])
  assert.equal(fake.changes(), 1)
  fake.receive([pointer('A (1)', 0)])
  assert.deepEqual(Object.keys(sources()), ['A (2)'])
  assert.equal(fake.changes(), 2)
  fake.pass(30_000)
  fake.receive([pointer('A (2)')])
  fake.pass(30_000)
  assert.deepEqual(Object.keys(sources()), ['A (2)'])
  fake.pass(6000)
  assert.deepEqual(sources(), {})
})

test('other services are ignored, and so are sources beyond 1000', () => {
  const other = { ...server('A (1)', 1), name: 'A._http._tcp.local' }
  fake.receive([other, { ...pointer('A (1)'), name: '_http._tcp.local' }, { ...server('', 1), name: SERVICE }])
  assert.deepEqual(sources(), {})
  fake.receive(Array.from({ length: 1100 }, (_, index) => server(`A (${index})`, 5961)))
  assert.equal(fake.browser.sources().size, 1000)
})

test.run()
