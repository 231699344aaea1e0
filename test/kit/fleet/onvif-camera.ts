// An ONVIF camera: answers the requests of profile S that a client needs for streams, pictures and movement, and no
// others. Checks the login as the ONVIF Core Specification says, in the time of its own clock, and locks the account
// after three that are wrong. The client of another maker drives it, too.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createCamera } from '../../../fleet/test-picture/camera.ts'

export const CAMERA_USER = 'operator'
export const CAMERA_PASSWORD = 'Zoom & <pan>'
/** Wrong logins after which the account is locked. */
export const LOCKED_AFTER = 3

export interface OnvifCamera {
  setPassword(password: string): void
  port: number
  /** Names of the requests, with `+` if they carried a login. */
  requests: string[]
  /** Logins that were wrong. */
  readonly refused: number
  /** Requests to move, as text. */
  moves: string[]
  /** Most connections at a time. */
  readonly concurrent: number
  close(): Promise<void>
}

interface CameraOptions {
  /** How it wants the login. */
  login?: 'token' | 'digest'
  port?: number
  address?: string
  /** Milliseconds by which its clock is wrong. */
  clockError?: number
  /** Replaces the host in the addresses that it reports. */
  reportedHost?: string
  password?: string
  /** Body of the response with the picture. */
  picture?: Buffer
}

const REALM = 'camera'
const NONCE = '0a4f113b'
const PICTURE = '/snapshot.jpg'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Text of the first element with a name. */
const elementText = (xml: string, name: string) =>
  new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>([^<]*)<`).exec(xml)?.[1] ?? ''
const decodeXml = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')

function envelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope" xmlns:tt="http://www.onvif.org/ver10/schema"
 xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl"
 xmlns:tptz="http://www.onvif.org/ver20/ptz/wsdl" xmlns:ter="http://www.onvif.org/ver10/error">
<SOAP-ENV:Body>${body}</SOAP-ENV:Body></SOAP-ENV:Envelope>`
}

const fault = (subcode: string) =>
  envelope(`<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:Sender</SOAP-ENV:Value><SOAP-ENV:Subcode>
<SOAP-ENV:Value>ter:${subcode}</SOAP-ENV:Value></SOAP-ENV:Subcode></SOAP-ENV:Code><SOAP-ENV:Reason>
<SOAP-ENV:Text xml:lang="en">${subcode}</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>`)

const profile = (token: string, name: string, width: number, height: number) =>
  `<trt:Profiles token="${token}" fixed="true"><tt:Name>${name}</tt:Name><tt:VideoSourceConfiguration token="vsc">
<tt:Name>VSC</tt:Name><tt:UseCount>1</tt:UseCount><tt:SourceToken>vs0</tt:SourceToken></tt:VideoSourceConfiguration>
<tt:VideoEncoderConfiguration token="ve-${token}"><tt:Name>VE</tt:Name><tt:Encoding>H264</tt:Encoding><tt:Resolution>
<tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution></tt:VideoEncoderConfiguration>
<tt:PTZConfiguration token="ptz0"><tt:Name>PTZ</tt:Name><tt:NodeToken>node0</tt:NodeToken></tt:PTZConfiguration>
</trt:Profiles>`

interface LoginState {
  login: 'token' | 'digest'
  password: string
  now: () => number
  /** Logins that were wrong. */
  refused: number
}

function isTokenRight(xml: string, { password, now }: LoginState): boolean {
  const created = elementText(xml, 'Created')
  const nonce = Buffer.from(elementText(xml, 'Nonce'), 'base64')
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
  // A token from another time could have been recorded.
  const isCurrent = Math.abs(Date.parse(created) - now()) < 60_000
  return isCurrent && decodeXml(elementText(xml, 'Username')) === CAMERA_USER && elementText(xml, 'Password') === digest
}

function isDigestRight({ method, headers }: IncomingMessage, { password }: LoginState): boolean {
  const header = headers.authorization ?? ''
  const part = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(header)?.[1] ?? ''
  const [first, second] = [md5(`${CAMERA_USER}:${REALM}:${password}`), md5(`${method}:${part('uri')}`)]
  const expected = md5(`${first}:${NONCE}:${part('nc')}:${part('cnonce')}:${part('qop')}:${second}`)
  return part('username') === CAMERA_USER && part('response') === expected
}

/** @returns false after it has refused the request */
function checkLogin(request: IncomingMessage, xml: string, response: ServerResponse, state: LoginState): boolean {
  const isDigest = state.login === 'digest' || xml === ''
  const hasLogin = isDigest ? request.headers.authorization !== undefined : xml.includes('UsernameToken')
  const isLocked = state.refused >= LOCKED_AFTER
  if (hasLogin && !isLocked && (isDigest ? isDigestRight(request, state) : isTokenRight(xml, state))) return true
  if (hasLogin) state.refused++
  if (isDigest) response.setHeader('www-authenticate', `Digest realm="${REALM}", nonce="${NONCE}", qop="auth"`)
  response.writeHead(isDigest ? 401 : 400).end(fault('NotAuthorized'))
  return false
}

function createAnswers(
  base: () => string,
  host: string,
  now: () => number,
  moves: string[]
): Readonly<Record<string, (xml: string) => string>> {
  const service = (namespace: string, path: string) =>
    `<tds:Service><tds:Namespace>${namespace}</tds:Namespace><tds:XAddr>${base()}${path}</tds:XAddr><tds:Version>
<tt:Major>2</tt:Major><tt:Minor>60</tt:Minor></tds:Version></tds:Service>`
  const uri = (name: string, address: string) =>
    `<trt:${name}Response><trt:MediaUri><tt:Uri>${address}</tt:Uri></trt:MediaUri></trt:${name}Response>`
  return {
    GetSystemDateAndTime() {
      const time = new Date(now())
      return `<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:DateTimeType>NTP</tt:DateTimeType><tt:UTCDateTime>
<tt:Time><tt:Hour>${time.getUTCHours()}</tt:Hour><tt:Minute>${time.getUTCMinutes()}</tt:Minute>
<tt:Second>${time.getUTCSeconds()}</tt:Second></tt:Time><tt:Date><tt:Year>${time.getUTCFullYear()}</tt:Year>
<tt:Month>${time.getUTCMonth() + 1}</tt:Month><tt:Day>${time.getUTCDate()}</tt:Day></tt:Date></tt:UTCDateTime>
</tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>`
    },
    GetServices: () =>
      `<tds:GetServicesResponse>${service('http://www.onvif.org/ver10/device/wsdl', '/onvif/device_service')}
${service('http://www.onvif.org/ver10/media/wsdl', '/onvif/media')}
${service('http://www.onvif.org/ver20/ptz/wsdl', '/onvif/ptz')}</tds:GetServicesResponse>`,
    GetDeviceInformation: () =>
      `<tds:GetDeviceInformationResponse><tds:Manufacturer>Optic</tds:Manufacturer><tds:Model>PT-30</tds:Model>
<tds:FirmwareVersion>4.2.1</tds:FirmwareVersion><tds:SerialNumber>CAM0042</tds:SerialNumber><tds:HardwareId>1</tds:HardwareId>
</tds:GetDeviceInformationResponse>`,
    GetProfiles: () =>
      `<trt:GetProfilesResponse>${profile('main', 'Main stream', 1920, 1080)}${profile('sub', 'Sub stream', 640, 360)}
</trt:GetProfilesResponse>`,
    GetVideoSources: () =>
      `<trt:GetVideoSourcesResponse><trt:VideoSources token="vs0"><tt:Framerate>25</tt:Framerate><tt:Resolution>
<tt:Width>1920</tt:Width><tt:Height>1080</tt:Height></tt:Resolution></trt:VideoSources></trt:GetVideoSourcesResponse>`,
    GetStreamUri: (xml) =>
      uri('GetStreamUri', `rtsp://${host}:554/${elementText(xml, 'ProfileToken')}?channel=1&amp;mode=live`),
    GetSnapshotUri: () => uri('GetSnapshotUri', base() + PICTURE),
    ContinuousMove(xml) {
      const [, pan, tilt] = /PanTilt[^>]* x="([^"]*)" y="([^"]*)"/.exec(xml) ?? []
      moves.push(`${pan} ${tilt} ${/Zoom[^>]* x="([^"]*)"/.exec(xml)?.[1]} ${elementText(xml, 'Timeout')}`)
      return '<tptz:ContinuousMoveResponse/>'
    },
    Stop() {
      moves.push('stop')
      return '<tptz:StopResponse/>'
    }
  }
}

export async function startOnvifCamera(options: CameraOptions = {}): Promise<OnvifCamera> {
  const { login = 'token', address = '127.0.0.1', clockError = 0, password = CAMERA_PASSWORD } = options
  const { reportedHost = address } = options
  const { picture = createCamera('CAM0042', 320)({ name: 'CAMERA', signal: true, time: 0 }) } = options
  const requests: string[] = []
  const moves: string[] = []
  const sockets = new Set<Socket>()
  let concurrent = 0
  const now = () => Date.now() + clockError
  const state: LoginState = { login, password, now, refused: 0 }
  const answers = createAnswers(() => `http://${reportedHost}:${self.port}`, reportedHost, now, moves)
  const server = createServer(async (request, response) => {
    let xml = ''
    for await (const chunk of request) xml += chunk
    const name = /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(xml)?.[1] ?? `${request.method} ${request.url}`
    requests.push(name + (request.headers.authorization || xml.includes('UsernameToken') ? '+' : ''))
    response.setHeader('connection', 'close')
    const isPublic = name === 'GetSystemDateAndTime' || name === 'GetServices'
    if (!isPublic && !checkLogin(request, xml, response, state)) return
    if (request.url === PICTURE) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
    else if (answers[name]) response.setHeader('content-type', 'application/soap+xml').end(envelope(answers[name](xml)))
    else response.writeHead(400).end(fault('ActionNotSupported'))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    concurrent = Math.max(concurrent, sockets.size)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, address, resolve))
  const self: OnvifCamera = {
    port: (server.address() as AddressInfo).port,
    requests,
    setPassword(changed) {
      state.password = changed
    },
    moves,
    get refused() {
      return state.refused
    },
    get concurrent() {
      return concurrent
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  return self
}
