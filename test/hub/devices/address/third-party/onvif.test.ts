import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { suite } from 'uvu'
import { AUTH_FAILED, INVALID_DATA, SUCCESS, UNSUPPORTED } from '../../../../../contract/codes.ts'
import { rebootDevices } from '../../../../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../../../../contract/device/address.ts'
import { queryDevice } from '../../../../../contract/device/device.ts'
import { THIRD_PARTY } from '../../../../../contract/device/products.ts'
import { addDeviceStream, inputPicture, listDeviceStreams, moveInput } from '../../../../../contract/device/stream.ts'
import { addInput, listInputs } from '../../../../../contract/stream/source.ts'
import { addressedHubForEach, addressOf, isOnline } from '../../../../kit/fleet/addressed-devices.ts'
import { CAMERA_PASSWORD, CAMERA_USER, type OnvifCamera, startOnvifCamera } from '../../../../kit/fleet/onvif-camera.ts'
import { admin } from '../../../../kit/hub/hub-for-each.ts'
import { until } from '../../../../kit/until.ts'

const test = suite('ONVIF cameras')
addressedHubForEach(test)

const cameras: OnvifCamera[] = []
async function start(...options: Parameters<typeof startOnvifCamera>): Promise<OnvifCamera> {
  const camera = await startOnvifCamera(...options)
  cameras.push(camera)
  return camera
}
test.after.each(async () => {
  for (const camera of cameras.splice(0)) await camera.close()
})

const request = ({ port }: OnvifCamera, password = CAMERA_PASSWORD) => ({
  address: '127.0.0.1',
  port,
  user: CAMERA_USER,
  password
})

test('the client of another maker is content with the camera of these tests', async () => {
  const { port } = await start()
  const { Cam } = createRequire(import.meta.url)('onvif/promises') as {
    Cam: new (
      options: object
    ) => {
      connect(): Promise<void>
      getDeviceInformation(): Promise<{ serialNumber: string }>
      getStreamUri(options: object): Promise<{ uri: string }>
    }
  }
  const cam = new Cam({ hostname: '127.0.0.1', port, username: CAMERA_USER, password: CAMERA_PASSWORD })
  await cam.connect()
  assert.equal((await cam.getDeviceInformation()).serialNumber, 'CAM0042')
  const { uri } = await cam.getStreamUri({ protocol: 'RTSP', profileToken: 'sub' })
  assert.equal(uri, 'rtsp://127.0.0.1:554/sub?channel=1&mode=live')
})

for (const login of ['token', 'digest'] as const) {
  test(`a camera with ${login} login is added as a third-party device without actions, also if its clock is wrong`, async () => {
    const camera = await start({ login, clockError: -86_400_000 })
    const { result, sn } = await admin.send(addDevice, request(camera))
    assert.equal(result, SUCCESS, camera.requests.join())
    const { dev } = await admin.send(queryDevice, { sn })
    assert.deepEqual([dev.module, dev['module-name'], dev['firmware-ver']], [THIRD_PARTY, 'Optic PT-30', '4.2.1'])
    assert.equal(sn.slice(9), 'CAM0042')
    assert.equal((await admin.send(rebootDevices, { sn: [sn] })).result, UNSUPPORTED)
    assert.equal(camera.refused, 0)
  })

  test(`its profiles become inputs at the address of the user, with the login, a picture, and movement (${login})`, async () => {
    const camera = await start({ login, reportedHost: '192.0.2.99' })
    const { sn } = await admin.send(addDevice, request(camera))
    const { list } = await admin.send(listDeviceStreams, { sn })
    assert.deepEqual(list, [
      {
        id: 'main',
        name: 'Main stream',
        detail: '1920×1080 H264',
        playable: true,
        ptz: true,
        picture: true,
        inputs: []
      },
      { id: 'sub', name: 'Sub stream', detail: '640×360 H264', playable: true, ptz: true, picture: true, inputs: [] }
    ])
    const { id } = await admin.send(addDeviceStream, { sn, stream: 'sub', name: 'Gate' })
    const [input] = (await admin.send(listInputs, {})).list
    const url = new URL(input?.config.url ?? '')
    assert.deepEqual(
      [url.host, url.pathname, url.search, decodeURIComponent(url.password)],
      ['127.0.0.1:554', '/sub', '?channel=1&mode=live', CAMERA_PASSWORD]
    )
    assert.ok(!input?.['masked-url'].includes('Zoom'))
    const { picture } = await admin.send(inputPicture, { id })
    assert.equal(Buffer.from(picture.split(',')[1] ?? '', 'base64').readUInt16BE(0), 0xffd8)
    assert.equal((await admin.send(moveInput, { id, pan: 50, tilt: -100 })).result, SUCCESS)
    assert.equal((await admin.send(moveInput, { id })).result, SUCCESS)
    assert.deepEqual(camera.moves, ['0.5 -1 0 PT1S', 'stop'])
    assert.deepEqual((await admin.send(listDeviceStreams, { sn })).list[1]?.inputs, [id])
    assert.deepEqual([camera.refused, camera.concurrent], [0, 1])
    const other = await admin.send(addInput, { name: 'Other', config: { type: 1, url: 'rtsp://127.0.0.1:554/x' } })
    assert.equal((await admin.send(moveInput, { id: other.id, pan: 100 })).result, UNSUPPORTED)
  })
}

test('an empty picture is an answer that cannot be read', async () => {
  const { sn } = await admin.send(addDevice, request(await start({ picture: Buffer.alloc(0) })))
  const { id } = await admin.send(addDeviceStream, { sn, stream: 'main' })
  assert.equal((await admin.send(inputPicture, { id })).result, INVALID_DATA)
})

test('a wrong password is sent once for each time that a user enters it', async () => {
  for (const login of ['token', 'digest'] as const) {
    const camera = await start({ login })
    assert.equal((await admin.send(addDevice, request(camera, 'wrong'))).result, AUTH_FAILED)
    assert.equal(camera.refused, 1, camera.requests.join())
  }
})

test('a camera whose password was changed is not asked again until the user has entered the new one', async () => {
  const camera = await start()
  const { sn } = await admin.send(addDevice, request(camera))
  assert.ok(isOnline(sn))
  await camera.close()
  await until(() => !isOnline(sn), 'a camera that is gone is offline')
  assert.notEqual((await addressOf(sn))?.trouble, undefined)
  const back = await start({ port: camera.port, password: 'changed' })
  await until(async () => (await addressOf(sn))?.trouble === AUTH_FAILED, 'the hub has tried')
  await until(() => back.requests.filter((line) => line === 'GetSystemDateAndTime').length > 0, 'it was asked')
  assert.equal(back.refused, 1, back.requests.join())
  assert.equal((await admin.send(setDeviceAddress, { sn, password: 'changed' })).result, SUCCESS)
  assert.ok(isOnline(sn))
  assert.equal(back.refused, 1)
})

test.run()
