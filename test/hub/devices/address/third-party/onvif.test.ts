import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { suite } from 'uvu'
import { AUTH_FAILED, INVALID_DATA, NOT_EXIST, SUCCESS, UNSUPPORTED } from '../../../../../contract/codes.ts'
import { rebootDevices } from '../../../../../contract/device/action.ts'
import { addDevice, setDeviceAddress } from '../../../../../contract/device/address.ts'
import { deleteDevices, queryDevice } from '../../../../../contract/device/device.ts'
import { THIRD_PARTY } from '../../../../../contract/device/products.ts'
import {
  addDeviceStream,
  inputPicture,
  listDeviceStreams,
  moveInput,
  setInputStream
} from '../../../../../contract/device/stream.ts'
import { listLog } from '../../../../../contract/log.ts'
import { addInput, listInputs, setInput } from '../../../../../contract/stream/source.ts'
import { createPreviewAccess } from '../../../../../hub/auth/preview-access.ts'
import {
  addressedHubForEach,
  addressOf,
  createAddRequest,
  isOnline,
  startDevice
} from '../../../../kit/fleet/addressed-devices.ts'
import { CAMERA_PASSWORD, CAMERA_USER, type OnvifCamera, startOnvifCamera } from '../../../../kit/fleet/onvif-camera.ts'
import { admin, hub } from '../../../../kit/hub/hub-for-each.ts'
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
    assert.equal(dev['hardware-ver'], '', 'what it does not tell is not shown')
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
    // A request, and the check of whether it is there.
    assert.ok(camera.concurrent <= 2)
    assert.equal((await admin.send(moveInput, { id, pan: 50, tilt: -100 })).result, SUCCESS)
    assert.equal((await admin.send(moveInput, { id })).result, SUCCESS)
    assert.deepEqual(camera.moves, ['0.5 -1 0 PT1S', 'stop'])
    assert.deepEqual((await admin.send(listDeviceStreams, { sn })).list[1]?.inputs, [id])
    assert.equal(camera.refused, 0)
    const other = await admin.send(addInput, { name: 'Other', config: { type: 1, url: 'rtsp://127.0.0.1:554/x' } })
    assert.equal((await admin.send(moveInput, { id: other.id, pan: 100 })).result, UNSUPPORTED)
  })
}

test('a camera whose console has gone is stopped by the hub, which logs one movement', async () => {
  const camera = await start()
  const { sn } = await admin.send(addDevice, request(camera))
  const { id } = await admin.send(addDeviceStream, { sn, stream: 'main' })
  for (const tilt of [10, 20, 30]) await admin.send(moveInput, { id, tilt })
  await until(() => camera.moves.at(-1) === 'stop', 'the camera is stopped')
  assert.deepEqual(camera.moves, ['0 0.1 0 PT1S', '0 0.2 0 PT1S', '0 0.3 0 PT1S', 'stop'])
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.equal(list.filter(({ event }) => event === moveInput.path).length, 1)
})

test('a camera that moves is stopped when it is removed', async () => {
  const camera = await start()
  const { sn } = await admin.send(addDevice, request(camera))
  const { id } = await admin.send(addDeviceStream, { sn, stream: 'main' })
  await admin.send(moveInput, { id, zoom: 100 })
  await admin.send(deleteDevices, { sn: [sn] })
  await until(() => camera.moves.at(-1) === 'stop', 'the camera is stopped')
})

test('an input names its camera, and takes another stream of it with the options that the user has set', async () => {
  const camera = await start()
  const { sn } = await admin.send(addDevice, request(camera))
  const { id } = await admin.send(addDeviceStream, { sn, stream: 'sub', name: 'Gate' })
  const inputOf = async () => (await admin.send(listInputs, {})).list.find((input) => input.id === id)
  const before = await inputOf()
  assert.equal(before?.camera, sn)
  const url = `${before?.config.url}&mw-tcp-first=1&mw-buffer-duration=300`
  await admin.send(setInput, { id, name: 'Gate', config: { type: 1, url } })
  assert.equal((await admin.send(setInputStream, { id, sn, stream: 'main' })).result, SUCCESS)
  const after = await inputOf()
  assert.deepEqual([after?.name, after?.config.url], ['Gate', url.replace('/sub?', '/main?')])
  const { list } = await admin.send(listDeviceStreams, { sn })
  assert.deepEqual(
    list.map(({ inputs }) => inputs),
    [[id], []]
  )
  assert.equal((await admin.send(setInputStream, { id, sn, stream: 'third' })).result, NOT_EXIST)
  await camera.close()
  await until(() => !isOnline(sn), 'the camera is offline')
  assert.equal((await inputOf())?.camera, sn)
})

test('the preview of a camera is for users with access to the input and to the camera', async () => {
  const camera = await start()
  const { sn } = await admin.send(addDevice, request(camera))
  const { id } = await admin.send(addDeviceStream, { sn, stream: 'main' })
  const other = await admin.send(addInput, { name: 'Other', config: { type: 1, url: 'rtsp://127.0.0.1:554/x' } })
  const pictures = new Map<number, Uint8Array>()
  const ends = [id, other.id].map((input) =>
    hub.parts.cameraPictures.subscribe(String(input), (jpeg) => pictures.set(input, jpeg))
  )
  await until(() => pictures.has(id), 'a picture has arrived')
  assert.equal(Buffer.from(pictures.get(id) ?? []).readUInt16BE(0), 0xffd8)
  assert.ok(!pictures.has(other.id))
  for (const end of ends) end()
  const { store, gate, addressedDevices } = hub.parts
  const [session] = store.users.sessions({ createdSince: 0, seenSince: 0, now: 0 })
  const createAccess = (camerasOf: (url: string) => string[]) => createPreviewAccess(store, gate, camerasOf)
  const maySee = createAccess(addressedDevices.camerasOf)(session?.hash ?? '')
  assert.deepEqual([maySee(`INPUT-${id}`), maySee('INPUT-999')], [true, false])
  assert.equal(createAccess(() => ['hidden'])(session?.hash ?? '')(`INPUT-${id}`), false)
})

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

test('a camera that refuses its login while it is online is offline for that reason, and gets no second login', async () => {
  const camera = await start()
  const { sn } = await admin.send(addDevice, request(camera))
  camera.setPassword('changed')
  assert.equal((await admin.send(listDeviceStreams, { sn })).result, AUTH_FAILED)
  assert.ok(!isOnline(sn))
  assert.equal((await addressOf(sn))?.trouble, AUTH_FAILED)
  const before = camera.requests.length
  const other = await startDevice('encodeAio')
  await admin.send(addDevice, createAddRequest(other))
  await camera.close()
  const back = await start({ port: camera.port, password: 'changed' })
  const polls = () => other.requests.filter((line) => line.includes('get-status')).length
  await until(() => polls() > 2, 'another device is polled meanwhile')
  assert.deepEqual([camera.refused, camera.requests.length, back.requests], [1, before, []])
  assert.equal((await admin.send(setDeviceAddress, { sn, password: 'changed' })).result, SUCCESS)
  assert.ok(isOnline(sn))
  assert.equal(back.refused, 0)
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
