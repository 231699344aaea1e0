// Interface between the hub and a kind of camera or streaming server that is not the vendor's: what it is, and which
// streams it has. The hub starts nothing on it, and changes nothing but the direction of a camera.
import type { Socket } from 'node:net'
import type { DeviceRequest } from '../../../../device-link/request.ts'
import type { EndpointResponse } from '../http-call.ts'

/** Where a camera or server is reached. Each request has a connection of its own. */
export interface ThirdPartyEndpoint {
  /** Address or host name as entered by the user. */
  readonly host: string
  readonly port: number
  /** Where it plays its streams over RTMP, as the user has set it; absent: at the usual port. */
  readonly rtmpPort?: number | undefined
  /** @throws LinkError as `sendHttpRequest` */
  send(call: DeviceRequest): Promise<EndpointResponse>
  /** As `send`, to another port of the same machine, over HTTP. */
  sendToPort(port: number, call: DeviceRequest): Promise<EndpointResponse>
  /** Opens a connection, for a protocol that is not HTTP. @throws LinkError as `openConnection` */
  connect(): Promise<Socket>
}

export interface Login {
  /** Both are empty for a server that asks for none. */
  user: string
  password: string
}

/** The address of a stream with its login, as an input has it. Over SRT there is none. */
export function addressWithLogin(url: string, { user, password }: Login): string {
  if (user === '' || url.startsWith('srt:')) return url
  return url.replace('://', `://${encodeURIComponent(user)}:${encodeURIComponent(password)}@`)
}

export interface ThirdPartyIdentity {
  /** Empty if it has none. */
  serial: string
  name: string
  model: string
  firmware: string
}

export interface ThirdPartyStream {
  /** Identifies the stream on its device. */
  id: string
  name: string
  /** Its address without login, as an input of a channel has it; absent if it cannot be played. */
  url?: string
  /** Format, as text. */
  detail?: string
  /** Whether it has data at the moment; absent if that is not known. */
  live?: boolean
  /** Whether the camera can be moved. */
  ptz?: boolean
  /** Whether there is a picture of it. */
  picture?: boolean
}

/** Speed of the movement of a camera, each from -1 to 1. All 0: it stops. */
export interface Movement {
  pan: number
  tilt: number
  zoom: number
}

export interface ThirdPartyAdapter {
  /** As `api` of the device. */
  readonly api: string
  /** Name of the product, which is the name and the model of a device that reports none. */
  readonly product: string
  /** Ports at which it usually is. */
  readonly ports: readonly number[]
  /** Whether it does not tell its RTMP port, so that a user can set it. */
  readonly hidesRtmpPort?: boolean
  /** Whether it needs a login, or the hub tries without one if the user entered none. */
  readonly needsLogin: boolean
  /** Shortest time in milliseconds from one check of whether it is there to the next, if checks are a burden to it. */
  readonly checkInterval?: number
  /** Whether the machine is one of this kind. Sends one request, without login. @throws LinkError */
  recognizes(endpoint: ThirdPartyEndpoint): Promise<boolean>
  /**
   * Signs in and identifies it. The login is sent once, because cameras lock accounts.
   * @throws LinkError 36 if the login is refused, 49 if the response is none of this kind
   */
  identify(endpoint: ThirdPartyEndpoint, login: Login): Promise<ThirdPartyIdentity>
  /** @throws LinkError as `identify` */
  listStreams(endpoint: ThirdPartyEndpoint, login: Login): Promise<ThirdPartyStream[]>
  /** A picture of a stream. @throws LinkError as `identify` */
  picture?(endpoint: ThirdPartyEndpoint, login: Login, id: string): Promise<Buffer>
  /** Moves a camera for at most a second, if the camera obeys that limit. @throws LinkError as `identify` */
  move?(endpoint: ThirdPartyEndpoint, login: Login, id: string, movement: Movement): Promise<void>
}

/** Streams of a server that are listed. */
export const STREAMS_MAX = 500
