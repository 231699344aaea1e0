import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { NO_RESPONSE } from '../../../../../contract/codes.ts'
import { LinkError } from '../../../../../device-link/link-error.ts'
import type { Movement } from '../../../../../hub/devices/address/third-party/adapter.ts'
import { CameraMovement, MOVE_TIME } from '../../../../../hub/devices/address/third-party/movement.ts'

const test = suite('movement of a camera')
test.before.each(() => mock.timers.enable({ apis: ['setTimeout'] }))
test.after.each(() => mock.timers.reset())

const STOP: Movement = { pan: 0, tilt: 0, zoom: 0 }
const LEFT: Movement = { pan: -1, tilt: 0, zoom: 0 }
const RIGHT: Movement = { pan: 1, tilt: 0, zoom: 0 }

/** @param respond the answer of the camera to each request */
function createMovement(respond: () => Promise<void> = async () => {}) {
  const sent: number[] = []
  const movement = new CameraMovement((streamId, { pan }) => {
    assert.equal(streamId, 'main')
    sent.push(pan)
    return respond()
  })
  return { sent, movement }
}

/** Lets timers and the promises behind them run. */
async function pass(milliseconds: number): Promise<void> {
  mock.timers.tick(milliseconds)
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('a camera is stopped a second after the last request to move it, also if it ignores its time limit', async () => {
  const { sent, movement } = createMovement()
  await movement.move('main', RIGHT)
  await pass(MOVE_TIME - 1)
  await movement.move('main', RIGHT)
  await pass(MOVE_TIME - 1)
  assert.deepEqual([sent, movement.isActive], [[1, 1], true])
  await pass(1)
  assert.deepEqual([sent, movement.isActive], [[1, 1, 0], false])
  await pass(10 * MOVE_TIME)
  assert.equal(sent.length, 3)
})

test('a camera that is stopped gets no further request', async () => {
  const { sent, movement } = createMovement()
  await movement.move('main', LEFT)
  await movement.move('main', STOP)
  await pass(10 * MOVE_TIME)
  assert.deepEqual([sent, movement.isActive], [[-1, 0], false])
})

test('a stop does not wait for movements that the camera has not begun', async () => {
  const answers: (() => void)[] = []
  const { sent, movement } = createMovement(() => new Promise((resolve) => answers.push(resolve)))
  const first = movement.move('main', RIGHT)
  await pass(0)
  const others = [LEFT, RIGHT, STOP].map((each) => movement.move('main', each))
  await pass(0)
  assert.deepEqual(sent, [1])
  answers[0]?.()
  await pass(0)
  assert.deepEqual(sent, [1, 0])
  answers[1]?.()
  await Promise.all([first, ...others])
  assert.equal(movement.isActive, false)
})

test('a stop that the camera does not answer is repeated, but not for ever', async () => {
  const { sent, movement } = createMovement(() => Promise.reject(new LinkError(NO_RESPONSE, 'no response')))
  await assert.rejects(movement.move('main', RIGHT))
  for (let second = 0; second < 20; second++) await pass(MOVE_TIME)
  assert.deepEqual([sent, movement.isActive], [[1, 0, 0, 0, 0, 0], false])
})

test('a camera that moves is stopped when the hub closes, and one that does not is left alone', async () => {
  const { sent, movement } = createMovement()
  await movement.close()
  assert.deepEqual(sent, [])
  await movement.move('main', LEFT)
  await movement.close()
  assert.deepEqual(sent, [-1, 0])
  await pass(10 * MOVE_TIME)
  assert.equal(sent.length, 2)
})

test.run()
