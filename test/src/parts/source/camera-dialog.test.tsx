// The camera of an input: its stream is chosen, and it moves only while somebody holds a button or a key.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addDevice } from '../../../../contract/device/address.ts'
import { addDeviceStream } from '../../../../contract/device/stream.ts'
import { ROUTES } from '../../../../src/paths.ts'
import { hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, selectOption, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { addNamedInput, openSourceList, storedUrls } from '../../../kit/console/source-list.ts'
import { buttonInRow, findRow } from '../../../kit/console/table-rows.ts'
import { CAMERA_PASSWORD, CAMERA_USER, type OnvifCamera, startOnvifCamera } from '../../../kit/fleet/onvif-camera.ts'
import { until } from '../../../kit/until.ts'

const test = suite('camera of an input')
hubForEach(test)

const ADDRESS = '127.31.0.2'
let camera: OnvifCamera

test.before.each(async () => {
  camera = await startOnvifCamera({ address: ADDRESS })
  const { sn } = await other.send(addDevice, {
    address: ADDRESS,
    port: camera.port,
    user: CAMERA_USER,
    password: CAMERA_PASSWORD
  })
  await other.send(addDeviceStream, { sn, stream: 'main', name: 'Gate' })
})
test.after.each(() => camera.close())

async function openCamera(user?: string): Promise<HTMLElement> {
  await openSourceList(ROUTES.inputs, user)
  await click(await buttonInRow('Gate', 'Camera: Gate'))
  return findByRole('dialog', 'Camera Gate')
}

const firstMove = () => camera.moves.find((move) => move !== 'stop')
const isStopped = () => firstMove() !== undefined && camera.moves.at(-1) === 'stop'
const isMoving = () => camera.moves.length > 0 && !isStopped()
const hold = (button: HTMLElement) =>
  button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 }))
const key = (type: 'keydown' | 'keyup', name: string, target: Element) =>
  target.dispatchEvent(new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true }))

test('the camera moves while a button is held, and stops when the pointer is released or lost', async () => {
  const dialog = await openCamera()
  const button = await findByRole('button', 'Up', dialog)
  hold(button)
  await until(() => camera.moves.length > 1, 'the movement is repeated')
  assert.ok(
    camera.moves.every((move) => move === '0 0.5 0 PT1S'),
    camera.moves.join()
  )
  button.dispatchEvent(new PointerEvent('lostpointercapture', { bubbles: true, pointerId: 1 }))
  await until(isStopped, 'the camera is stopped')
})

test('the camera stops when the page is hidden or loses the focus, and when the dialog closes', async () => {
  const dialog = await openCamera()
  const ends: [why: string, end: () => unknown][] = [
    ['the page is hidden', () => document.dispatchEvent(new Event('visibilitychange'))],
    ['another window has the focus', () => window.dispatchEvent(new Event('blur'))],
    ['the dialog closes', async () => click(queryAllByRole('button', 'Close', dialog)[0] as HTMLElement)]
  ]
  for (const [why, end] of ends) {
    camera.moves.length = 0
    hold(await findByRole('button', 'Zoom in', dialog))
    await until(isMoving, 'it moves')
    await end()
    await until(isStopped, why)
  }
})

test('arrow keys move the camera until they are released, but not in the list of streams', async () => {
  const dialog = await openCamera()
  const button = await findByRole('button', 'Up', dialog)
  key('keydown', 'ArrowLeft', await findByRole('combobox', 'Stream', dialog))
  key('keydown', 'ArrowRight', button)
  await until(isMoving, 'it moves')
  assert.equal(firstMove(), '0.5 0 0 PT1S')
  key('keyup', 'ArrowRight', button)
  await until(isStopped, 'it stops')
})

test('a click without a pointer, as of a screen reader, moves the camera for a moment', async () => {
  const dialog = await openCamera()
  await click(await findByRole('button', 'Down', dialog))
  await until(isStopped, 'it has moved and stopped')
  assert.equal(firstMove(), '0 -0.5 0 PT1S')
})

test('the camera says why it does not move', async () => {
  const dialog = await openCamera()
  const button = await findByRole('button', 'Left', dialog)
  await camera.close()
  hold(button)
  await findByRole('alert', undefined, dialog)
})

test('another stream of the camera is chosen, and an input without a camera offers none', async () => {
  await addNamedInput('Plain')
  const dialog = await openCamera()
  await waitForText('Main stream · 1920×1080 H264', dialog)
  await selectOption(await findByRole('combobox', 'Stream', dialog), /^Sub stream/)
  await until(async () => (await storedUrls()).some(([, url]) => url?.includes('/sub?')), 'the address is changed')
  await click(queryAllByRole('button', 'Close', dialog)[0] as HTMLElement)
  await waitForNone('dialog')
  assert.deepEqual(queryAllByRole('button', /^Camera/, await findRow('Plain')), [])
})

test.run()
