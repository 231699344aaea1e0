// Cameras with ONVIF profile S or T (https://www.onvif.org/profiles/specifications): who they are, their profiles with
// the RTSP streams, pictures, and movement. All addresses that a camera reports lead to the host that the user entered.
import { AUTH_FAILED } from '../../../../contract/codes.ts'
import { urlHost } from '../../../../contract/ipv6.ts'
import { LinkError } from '../../../../device-link/link-error.ts'
import { NAME_MAX } from '../../adapters/fields.ts'
import { elementsAt, parseXml, textAt, type XmlElement } from '../../xml.ts'
import { isJpeg } from '../pictures.ts'
import type { Login, Movement, ThirdPartyAdapter, ThirdPartyEndpoint, ThirdPartyStream } from './adapter.ts'
import { basicAuthorization, invalidResponse } from './http-json.ts'
import { MOVE_TIME } from './movement.ts'
import { callSoap, digestAuthorization, escapeXml, soapRequest } from './soap.ts'

const DEVICE_SERVICE = '/onvif/device_service'
const DEVICE = 'http://www.onvif.org/ver10/device/wsdl'
const MEDIA = 'http://www.onvif.org/ver10/media/wsdl'
const PTZ = 'http://www.onvif.org/ver20/ptz/wsdl'
const SCHEMA = 'http://www.onvif.org/ver10/schema'
const URL_MAX = 1000
/** Profiles that are read; each takes two further requests. */
const PROFILES_MAX = 8
/** Bytes of a picture. */
const PICTURE_MAX = 4 << 20
/** Every camera tells its time without login. */
const TIME = `<GetSystemDateAndTime xmlns="${DEVICE}"/>`

/** The time of the camera, in milliseconds since the epoch: its clock may be wrong. */
async function cameraTime(endpoint: ThirdPartyEndpoint): Promise<number> {
  const answer = await callSoap(endpoint, { user: '', password: '' }, { path: DEVICE_SERVICE, body: TIME }).catch(
    (error) => {
      if (error instanceof LinkError && error.code === AUTH_FAILED) return undefined
      throw error
    }
  )
  const [utc] = elementsAt(answer, 'GetSystemDateAndTimeResponse', 'SystemDateAndTime', 'UTCDateTime')
  const part = (...path: string[]) => Number(textAt(utc, 4, ...path))
  const [year, month, day] = [part('Date', 'Year'), part('Date', 'Month'), part('Date', 'Day')]
  const time = Date.UTC(year, month - 1, day, part('Time', 'Hour'), part('Time', 'Minute'), part('Time', 'Second'))
  return Number.isNaN(time) ? Date.now() : time
}

/** Path of an address that a camera reports; undefined if it is none. */
const pathOf = (address: string | undefined) => {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  return url && url.pathname + url.search
}

/** A connection to a camera for several requests. */
interface Camera {
  call(path: string, body: string): Promise<XmlElement | undefined>
  media: string
  /** Path of the service that moves it, if it has one. */
  ptz: string | undefined
}

/** Milliseconds for which the clock and the services of a camera are used again, so that movements follow at once. */
const CAMERA_AGE = 10_000

const cameras = new WeakMap<ThirdPartyEndpoint, { camera: Camera; at: number }>()

async function openCamera(endpoint: ThirdPartyEndpoint, login: Login): Promise<Camera> {
  const known = cameras.get(endpoint)
  if (known && performance.now() - known.at < CAMERA_AGE) return known.camera
  const camera = await readCamera(endpoint, login)
  cameras.set(endpoint, { camera, at: performance.now() })
  return camera
}

async function readCamera(endpoint: ThirdPartyEndpoint, login: Login): Promise<Camera> {
  const offset = (await cameraTime(endpoint)) - Date.now()
  const call = (path: string, body: string) => callSoap(endpoint, login, { path, body, now: Date.now() + offset })
  const body = `<GetServices xmlns="${DEVICE}"><IncludeCapability>false</IncludeCapability></GetServices>`
  const services = elementsAt(await call(DEVICE_SERVICE, body), 'GetServicesResponse', 'Service')
  const pathOfService = (namespace: string) => {
    const service = services.find((each) => textAt(each, URL_MAX, 'Namespace') === namespace)
    return pathOf(textAt(service, URL_MAX, 'XAddr'))
  }
  return { call, media: pathOfService(MEDIA) ?? '/onvif/media_service', ptz: pathOfService(PTZ) }
}

const profileToken = (id: string) => `<ProfileToken>${escapeXml(id)}</ProfileToken>`

/** An address that a camera reports, at the host that the user entered. */
function atHost(address: string | undefined, host: string): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^rtsps?:$/.test(url.protocol)) return undefined
  return `${url.protocol}//${urlHost(host)}${url.port ? `:${url.port}` : ''}${url.pathname}${url.search}`
}

async function streamAddress({ call, media }: Camera, id: string, host: string): Promise<string | undefined> {
  const setup = `<StreamSetup><Stream xmlns="${SCHEMA}">RTP-Unicast</Stream><Transport xmlns="${SCHEMA}">
<Protocol>RTSP</Protocol></Transport></StreamSetup>`
  const answer = await call(media, `<GetStreamUri xmlns="${MEDIA}">${setup}${profileToken(id)}</GetStreamUri>`)
  return atHost(textAt(answer, URL_MAX, 'GetStreamUriResponse', 'MediaUri', 'Uri'), host)
}

async function pictureAddress({ call, media }: Camera, id: string): Promise<URL | undefined> {
  const answer = await call(media, `<GetSnapshotUri xmlns="${MEDIA}">${profileToken(id)}</GetSnapshotUri>`)
  const address = textAt(answer, URL_MAX, 'GetSnapshotUriResponse', 'MediaUri', 'Uri')
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined
}

async function readProfile(camera: Camera, profile: XmlElement, host: string): Promise<ThirdPartyStream[]> {
  const id = profile['@token']
  if (typeof id !== 'string' || id.length > NAME_MAX) return []
  const [encoder] = elementsAt(profile, 'VideoEncoderConfiguration')
  const [width, height] = ['Width', 'Height'].map((field) => textAt(encoder, 6, 'Resolution', field))
  const detail = [width && height && `${width}×${height}`, textAt(encoder, NAME_MAX, 'Encoding')]
  const url = await streamAddress(camera, id, host)
  return [
    {
      id,
      name: textAt(profile, NAME_MAX, 'Name') ?? id,
      detail: detail.filter(Boolean).join(' '),
      ptz: camera.ptz !== undefined && elementsAt(profile, 'PTZConfiguration').length > 0,
      picture: (await pictureAddress(camera, id)) !== undefined,
      ...(url !== undefined && { url })
    }
  ]
}

/** Downloads a picture, which cameras protect with HTTP Digest or Basic. */
async function downloadPicture(endpoint: ThirdPartyEndpoint, login: Login, address: URL): Promise<Buffer> {
  const path = address.pathname + address.search
  const port = Number(address.port || (address.protocol === 'https:' ? 443 : 80))
  const request = (authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization }
    const call = { method: 'GET', path, headers, maxBody: PICTURE_MAX }
    return port === endpoint.port ? endpoint.send(call) : endpoint.sendToPort(port, call)
  }
  let response = await request()
  if (response.status === 401) {
    const challenge = String(response.headers['www-authenticate'] ?? '')
    response = await request(digestAuthorization(challenge, login, 'GET', path) ?? basicAuthorization(login))
  }
  if (response.status === 401) throw new LinkError(AUTH_FAILED, 'the camera refuses the login')
  if (response.status !== 200 || !isJpeg(response.body)) throw invalidResponse()
  return response.body
}

/** Time limit of a movement in seconds, so that the camera stops also if the hub has gone. */
const MOVE_SECONDS = MOVE_TIME / 1000

async function sendMovement({ call, ptz }: Camera, id: string, { pan, tilt, zoom }: Movement): Promise<void> {
  if (ptz === undefined) throw invalidResponse()
  const isStop = pan === 0 && tilt === 0 && zoom === 0
  const speed = `<Velocity><PanTilt xmlns="${SCHEMA}" x="${pan}" y="${tilt}"/><Zoom xmlns="${SCHEMA}" x="${zoom}"/></Velocity>`
  const answer = await call(
    ptz,
    isStop
      ? `<Stop xmlns="${PTZ}">${profileToken(id)}<PanTilt>true</PanTilt><Zoom>true</Zoom></Stop>`
      : `<ContinuousMove xmlns="${PTZ}">${profileToken(id)}${speed}<Timeout>PT${MOVE_SECONDS}S</Timeout></ContinuousMove>`
  )
  if (!answer) throw invalidResponse()
}

export const onvif: ThirdPartyAdapter = {
  api: 'onvif',
  product: 'ONVIF',
  ports: [80, 8000, 8080],
  needsLogin: true,
  async recognizes(endpoint) {
    const { body } = await endpoint.send(soapRequest(DEVICE_SERVICE, TIME))
    return elementsAt(parseXml(body.toString()), 'Envelope', 'Body').length > 0
  },
  async identify(endpoint, login) {
    const now = await cameraTime(endpoint)
    const body = `<GetDeviceInformation xmlns="${DEVICE}"/>`
    const answer = await callSoap(endpoint, login, { path: DEVICE_SERVICE, body, now })
    const [information] = elementsAt(answer, 'GetDeviceInformationResponse')
    if (!information) throw invalidResponse()
    const [maker = '', model = ''] = ['Manufacturer', 'Model'].map((field) => textAt(information, NAME_MAX, field))
    return {
      serial: textAt(information, NAME_MAX, 'SerialNumber') ?? '',
      name: '',
      model: `${maker} ${model}`.trim().slice(0, NAME_MAX),
      firmware: textAt(information, NAME_MAX, 'FirmwareVersion') ?? ''
    }
  },
  async listStreams(endpoint, login) {
    const camera = await openCamera(endpoint, login)
    const answer = await camera.call(camera.media, `<GetProfiles xmlns="${MEDIA}"/>`)
    const streams: ThirdPartyStream[] = []
    // One after the other: cameras serve few connections.
    for (const profile of elementsAt(answer, 'GetProfilesResponse', 'Profiles').slice(0, PROFILES_MAX))
      streams.push(...(await readProfile(camera, profile, endpoint.host)))
    return streams
  },
  async picture(endpoint, login, id) {
    const address = await pictureAddress(await openCamera(endpoint, login), id)
    if (!address) throw invalidResponse()
    return downloadPicture(endpoint, login, address)
  },
  async move(endpoint, login, id, movement) {
    await sendMovement(await openCamera(endpoint, login), id, movement)
  }
}
