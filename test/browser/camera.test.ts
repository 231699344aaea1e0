// A camera is moved from a real browser: it stops when the pointer is released, and when the page is gone.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addDevice } from '../../contract/device/address.ts'
import { addDeviceStream } from '../../contract/device/stream.ts'
import { ROUTES } from '../../src/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { CAMERA_PASSWORD, CAMERA_USER, type OnvifCamera, startOnvifCamera } from '../kit/fleet/onvif-camera.ts'
import { until } from '../kit/until.ts'

const test = suite('movement of a camera in a browser')

let environment: BrowserEnvironment
let camera: OnvifCamera

test.before(async () => {
  environment = await startEnvironment()
  camera = await startOnvifCamera()
  const login = { user: CAMERA_USER, password: CAMERA_PASSWORD }
  const { sn } = await environment.hub.send(addDevice, { address: '127.0.0.1', port: camera.port, ...login })
  await environment.hub.send(addDeviceStream, { sn, stream: 'main', name: 'Gate' })
})
test.after(async () => {
  await camera?.close()
  await environment?.close()
})

const isStopped = () => camera.moves.at(-1) === 'stop'

/** Presses a button of the camera, and waits until the camera has moved for a while. */
async function hold(page: Page, button: string): Promise<void> {
  camera.moves.length = 0
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).hover()
  await page.mouse.down()
  // The release before may stop the camera a second time, if a request was on its way.
  const newMoves = () => camera.moves.slice(camera.moves.findIndex((move) => move !== 'stop'))
  await until(() => newMoves().length > 2, 'the movement is repeated')
  assert.ok(!newMoves().includes('stop'), camera.moves.join())
}

test('a camera shows its picture, moves while a button is held, also beside it, and stops with the page', () =>
  environment.visit({ at: ROUTES.inputs }, async (page) => {
    await page.getByRole('button', { name: 'Camera: Gate' }).click()
    await page.getByRole('img', { name: 'Live picture of Gate' }).waitFor()
    assert.deepEqual(await checkBothThemes(page, 'the camera', 'dialog'), [])
    await hold(page, 'Left')
    await page.mouse.move(5, 5)
    const { length } = camera.moves
    await until(() => camera.moves.length > length, 'it goes on')
    assert.ok(!isStopped())
    await page.mouse.up()
    await until(isStopped, 'it stops when the pointer is released')
    await hold(page, 'Zoom in')
    await page.goto('about:blank')
    await until(isStopped, 'it stops when the page is gone')
  }))

test.run()
