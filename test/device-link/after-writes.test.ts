import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { afterWrites } from '../../device-link/after-writes.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('take-over of a connection')

test('a connection is taken over after the last write to it has ended, or at once when there is none', async () => {
  const endWrites: (() => void)[] = []
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => void endWrites.push(done) })
  let taken = 0
  const take = () => void taken++
  afterWrites(socket, take)
  assert.equal(taken, 1)
  socket.write('request')
  afterWrites(socket, take)
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(taken, 1)
  endWrites[0]?.()
  await until(() => taken === 2, 'the connection is taken over')
})

test('a connection that was destroyed during a write does not wait for its end', async () => {
  const socket = new Duplex({ read() {}, write() {} }).on('error', () => {})
  socket.write('request')
  let isTaken = false
  afterWrites(socket, () => {
    isTaken = true
  })
  socket.destroy()
  await until(() => isTaken, 'the wait has ended')
})

test.run()
