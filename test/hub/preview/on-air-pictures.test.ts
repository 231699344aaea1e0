// Pictures of devices at addresses that have none of their own.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { addDevice } from '../../../contract/device/address.ts'
import { type Device, queryDevice } from '../../../contract/device/device.ts'
import { setupPreview } from '../../../contract/preview.ts'
import { addChannel, enableChannel, setChannelInput } from '../../../contract/stream/channel.ts'
import { handleUsapi } from '../../../fleet/apis/usapi.ts'
import { OnAirPictures } from '../../../hub/preview/on-air-pictures.ts'
import { readStreamHead } from '../../../src/preview/headers.ts'
import { cleanUpMedia, clipPath } from '../../kit/engine/media.ts'
import { addressedHubForEach, createAddRequest, startDevice } from '../../kit/fleet/addressed-devices.ts'
import { admin } from '../../kit/hub/hub-for-each.ts'
import { until } from '../../kit/until.ts'

const test = suite('pictures of devices on air')
test.after(cleanUpMedia)
addressedHubForEach(test)

const deviceOf = async (sn: string) => (await admin.send(queryDevice, { sn })).dev

/** Adds an encoder without snapshots. */
async function addEncoder(): Promise<Device> {
  const device = await startDevice('encodeAio', { documented: { clipPath: () => clipPath() } })
  const query = new URLSearchParams({ method: 'get-info' })
  device.override = (path) =>
    path.includes('method=get-info')
      ? { body: JSON.stringify(handleUsapi(device.appliance, { method: 'GET', path: '/usapi', query, body: {} })) }
      : undefined
  const { sn, result } = await admin.send(addDevice, createAddRequest(device))
  assert.equal(result, SUCCESS)
  return deviceOf(sn)
}

/** The ID in the header of the first picture of a preview. */
async function firstPicture(id: string): Promise<string> {
  const response = await admin.raw('GET', '/api/preview/open?v=1')
  const { handle = '' } = readStreamHead(response.headers) ?? {}
  const reader = response.body?.getReader()
  await admin.send(setupPreview, { id: handle, add: [id] })
  let text = ''
  while (!/image-id: .*\r\n[\s\S]*\xff\xd8\xff/.test(text)) {
    const { value, done } = (await reader?.read()) ?? { done: true }
    assert.ok(!done, 'the stream goes on')
    text += Buffer.from(value ?? []).toString('latin1')
  }
  await reader?.cancel()
  return /image-id: (.*)\r\n/.exec(text)?.[1] ?? ''
}

test('an encoder without snapshots has the picture of its stream while that is on air, and else the reason', async () => {
  const { sn, id: input, 'preview-id': preview, 'no-picture': reason } = await addEncoder()
  assert.deepEqual([preview, reason], [undefined, 'The device offers no pictures; shown while on air'])
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(setChannelInput, { id, input })
  await admin.send(enableChannel, { id, enable: true })
  await until(async () => (await deviceOf(sn))['preview-id'] !== undefined, 'it is on air')
  assert.equal((await deviceOf(sn))['no-picture'], undefined)
  assert.equal(await firstPicture(`DEV-${sn}`), `DEV-${sn}`)
  await admin.send(enableChannel, { id, enable: false })
  await until(async () => (await deviceOf(sn))['preview-id'] === undefined, 'it is not on air any more')
  assert.equal((await deviceOf(sn))['no-picture'], reason)
})

test('a device without a stream, and one whose snapshot cannot be read, say why there is no picture', async () => {
  const decoder = await startDevice('ndiToHdmi', { sn: 'Z410210600124' })
  const { sn } = await admin.send(addDevice, createAddRequest(decoder))
  assert.equal((await deviceOf(sn))['no-picture'], 'The device offers no pictures')
  const encoder = await startDevice('encodeAio', { documented: {} })
  encoder.override = (path) => (path.startsWith('/snapshot') ? { status: 404, body: '' } : undefined)
  const added = await admin.send(addDevice, createAddRequest(encoder))
  const response = await admin.raw('GET', '/api/preview/open?v=1')
  const { handle = '' } = readStreamHead(response.headers) ?? {}
  await admin.send(setupPreview, { id: handle, add: [`DEV-${added.sn}`] })
  await until(async () => (await deviceOf(added.sn))['no-picture'] !== undefined, 'the hub has asked for the picture')
  assert.equal((await deviceOf(added.sn))['no-picture'], 'The device answers without a picture')
  await response.body?.cancel()
})

test('the pictures follow the device from one channel to another, and end with its place on air', () => {
  const onAir = new Map<number, number>()
  const watched: string[] = []
  const pictures = new OnAirPictures({
    store: { devices: { bySerial: () => ({ id: 7, preview: 0 }) } } as never,
    addressedDevices: { has: () => true },
    incomingStreams: { listOnAir: () => onAir },
    engine: {
      watchPreview(channel) {
        watched.push(`watch ${channel}`)
        return () => watched.push(`stop ${channel}`)
      }
    }
  })
  const show = (channel: number | undefined) => {
    onAir.clear()
    if (channel !== undefined) onAir.set(7, channel)
    pictures.refresh()
  }
  const end = pictures.watch('B313', { width: 320, fps: 2 }, () => {})
  for (const channel of [1, 1, 2, undefined, 3]) show(channel)
  end?.()
  show(4)
  assert.deepEqual(watched, ['watch 1', 'stop 1', 'watch 2', 'stop 2', 'watch 3', 'stop 3'])
})

test.run()
