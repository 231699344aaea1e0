import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { AUTH_FAILED, NAME_EXISTS, NOT_EXIST, SUCCESS } from '../../../../../contract/codes.ts'
import { addDevice, setDeviceAddress } from '../../../../../contract/device/address.ts'
import { queryDevice } from '../../../../../contract/device/device.ts'
import { THIRD_PARTY } from '../../../../../contract/device/products.ts'
import { addDeviceStream, listDeviceStreams } from '../../../../../contract/device/stream.ts'
import { listInputs } from '../../../../../contract/stream/source.ts'
import { setUpMedia } from '../../../../kit/engine/media.ts'
import { startNginxRtmp } from '../../../../kit/engine/nginx-rtmp.ts'
import { addressedHubForEach, addressOf, isOnline } from '../../../../kit/fleet/addressed-devices.ts'
import {
  MEDIAMTX,
  SRS,
  startJsonServer,
  startObs,
  type ThirdPartyServer
} from '../../../../kit/fleet/third-party-servers.ts'
import { admin } from '../../../../kit/hub/hub-for-each.ts'
import { until } from '../../../../kit/until.ts'

const test = suite('streaming servers')
addressedHubForEach(test)
setUpMedia(test)

const servers: Pick<ThirdPartyServer, 'close'>[] = []
function closedAfterwards<Server extends Pick<ThirdPartyServer, 'close'>>(server: Server): Server {
  servers.push(server)
  return server
}
test.after.each(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const add = (port: number, login: { user?: string; password?: string } = {}) =>
  admin.send(addDevice, { address: '127.0.0.1', port, ...login })

/** Makes an input of a stream. @returns its URL */
async function inputUrl(sn: string, stream: string): Promise<string | undefined> {
  const { id, result } = await admin.send(addDeviceStream, { sn, stream })
  assert.equal(result, SUCCESS)
  return (await admin.send(listInputs, {})).list.find((input) => input.id === id)?.config.url
}

test('the paths of a MediaMTX are listed, and become inputs with its login', async () => {
  const server = closedAfterwards(await startJsonServer(MEDIAMTX, { login: 'hub:s3cret' }))
  assert.equal((await add(server.port)).result, AUTH_FAILED)
  assert.equal((await add(server.port, { user: 'hub', password: 'wrong' })).result, AUTH_FAILED)
  assert.equal(server.refused, 1)
  const { sn } = await add(server.port, { user: 'hub', password: 's3cret' })
  const { dev } = await admin.send(queryDevice, { sn })
  assert.deepEqual([dev.module, dev.name, dev['module-name']], [THIRD_PARTY, 'MediaMTX 127.0.0.1', 'MediaMTX'])
  const { list } = await admin.send(listDeviceStreams, { sn })
  assert.deepEqual(
    list.map(({ id, detail, live, playable, ptz }) => [id, detail, live, playable, ptz]),
    [
      ['studio/a', 'H264, MPEG-4 Audio', true, true, false],
      ['idle', undefined, false, true, false]
    ]
  )
  assert.equal(await inputUrl(sn, 'studio/a'), 'rtsp://hub:s3cret@127.0.0.1:8554/studio/a')
  assert.equal((await admin.send(addDeviceStream, { sn, stream: 'studio/a' })).result, NAME_EXISTS)
  assert.equal((await admin.send(addDeviceStream, { sn, stream: 'nothing' })).result, NOT_EXIST)
})

test('a server keeps its serial number when it moves to another address, and is offline while it is gone', async () => {
  const server = closedAfterwards(await startJsonServer(MEDIAMTX))
  const { sn } = await add(server.port)
  assert.ok(isOnline(sn))
  const moved = closedAfterwards(await startJsonServer(MEDIAMTX))
  const request = { sn, address: '127.0.0.1', port: moved.port, user: 'x', password: 'y' }
  assert.equal((await admin.send(setDeviceAddress, request)).result, SUCCESS)
  await moved.close()
  await until(() => !isOnline(sn), 'it is offline')
  closedAfterwards(await startJsonServer(MEDIAMTX, { port: moved.port }))
  await until(() => isOnline(sn), 'it is back')
})

test('the streams of an SRS are played over SRT', async () => {
  const server = closedAfterwards(await startJsonServer(SRS))
  const { sn } = await add(server.port)
  const { list } = await admin.send(listDeviceStreams, { sn })
  assert.deepEqual(
    list.map(({ id, detail, live }) => [id, detail, live]),
    [['live/match', '1920×1080 H264', true]]
  )
  const url = (await inputUrl(sn, 'live/match')) ?? ''
  assert.ok(url.startsWith('srt://127.0.0.1:10080'), url)
  assert.equal(new URL(url).searchParams.get('streamid'), '#!::r=live/match,m=request')
})

test('the stream of an OBS is played where OBS sends it, and a wrong password is sent once', async () => {
  const obs = closedAfterwards(await startObs('studio', { server: 'rtmp://192.0.2.7/live', key: 'show' }))
  assert.equal((await add(obs.port, { user: 'obs', password: 'wrong' })).result, AUTH_FAILED)
  assert.equal(obs.refused, 1)
  const { sn, result } = await add(obs.port, { password: 'studio' })
  assert.equal(result, SUCCESS, obs.requests.join())
  const { list } = await admin.send(listDeviceStreams, { sn })
  assert.deepEqual(
    list.map(({ id, detail, live, playable }) => [id, detail, live, playable]),
    [['stream', '1280×720', true, true]]
  )
  assert.equal(await inputUrl(sn, 'stream'), 'rtmp://192.0.2.7:1935/live/show')
})

test('an OBS that listens for SRT is played at its own address', async () => {
  const settings = { server: 'srt://0.0.0.0:9000?mode=listener&passphrase=0123456789' }
  const obs = closedAfterwards(await startObs('studio', settings))
  const { sn } = await add(obs.port, { password: 'studio' })
  assert.match((await inputUrl(sn, 'stream')) ?? '', /^srt:\/\/127\.0\.0\.1:9000.*passphrase=0123456789/)
})

test('the streams of nginx with its RTMP module are listed while ffmpeg publishes them', async () => {
  const server = closedAfterwards(await startNginxRtmp())
  const { sn, result } = await add(server.port)
  assert.equal(result, SUCCESS)
  const { dev } = await admin.send(queryDevice, { sn })
  assert.equal(dev['firmware-ver'], '1.1.4')
  assert.deepEqual((await admin.send(listDeviceStreams, { sn })).list, [])
  server.publish('studio-1')
  const streams = async () => (await admin.send(listDeviceStreams, { sn })).list
  await until(async () => (await streams())[0]?.detail !== undefined, 'the stream is listed')
  const [stream] = await streams()
  assert.deepEqual([stream?.id, stream?.detail, stream?.live], ['live/studio-1', '160×90 H264', true])
  assert.equal(await inputUrl(sn, 'live/studio-1'), 'rtmp://127.0.0.1:1935/live/studio-1')
  assert.equal((await addressOf(sn))?.['rtmp-port'], 1935)
  assert.equal((await admin.send(setDeviceAddress, { sn, 'rtmp-port': 19_350 })).result, SUCCESS)
  assert.equal((await addressOf(sn))?.['rtmp-port'], 19_350)
  server.publish('studio-2')
  await until(async () => (await streams()).length === 2, 'another stream is listed')
  assert.equal(await inputUrl(sn, 'live/studio-2'), 'rtmp://127.0.0.1:19350/live/studio-2')
})

test('a device that does not exist has no streams', async () => {
  assert.equal((await admin.send(listDeviceStreams, { sn: 'nothing' })).result, NOT_EXIST)
})

test.run()
