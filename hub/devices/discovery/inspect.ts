// Looks at a machine that may be a device, without login: what its description says, and which API answers.
import { CONN_REFUSED, SUCCESS } from '../../../contract/codes.ts'
import type { Discovered } from '../../../contract/device/discovery.ts'
import { LinkError } from '../../../device-link/link-error.ts'
import type { DeviceRequest } from '../../../device-link/request.ts'
import { NAME_MAX } from '../adapters/fields.ts'
import { type DeviceEndpoint, openConnection, sendHttpRequest } from '../address/http-call.ts'
import { listGenerations } from '../address/logins.ts'
import { isJpeg } from '../address/pictures.ts'
import { parseJson } from '../address/session.ts'
import type { ThirdPartyEndpoint } from '../address/third-party/adapter.ts'
import { THIRD_PARTY_ADAPTERS } from '../address/third-party/adapters.ts'
import { elementsAt, parseXml, textAt } from '../xml.ts'
import { HostLimitError, type Pace } from './pace.ts'

/** Port of web servers, at which most devices have their API. */
const WEB_PORT = 80
/** Milliseconds of one request, in which the machine answers or is left alone. */
const REQUEST_TIMEOUT = 2500
/** Bytes of an answer, and of the picture in a description. */
const RESPONSE_MAX = 256 << 10
const PICTURE_MAX = 16 << 10
/** Messages of errors after which further requests would wait in vain. */
const SILENCE = /timed out|^E(HOST|NET)UNREACH$|no response within/

export type Findings = Partial<Pick<Discovered, 'name' | 'model' | 'serial' | 'picture'>> &
  Pick<Discovered, 'kind' | 'https'> & { api?: string }

/** What a machine says about itself. */
export type Description = Pick<Findings, 'name' | 'model' | 'serial' | 'picture'> & { port?: number }

/** One port of a machine. */
export interface Place {
  address: string
  port: number
  https: boolean
}

type Unreachable = 'closed' | 'silent'

const isUnreachable = (answer: unknown): answer is Unreachable => answer === 'closed' || answer === 'silent'

export class Inspector {
  readonly #pace: Pace
  readonly #localAddress: string

  /** @param localAddress address of the interface from which all connections are made */
  constructor(pace: Pace, localAddress: string) {
    this.#pace = pace
    this.#localAddress = localAddress
  }

  /**
   * Finds out which API a port has. Each API that can be there gets the one request that needs no login.
   * @returns `silent` if nothing answers, `closed` if the machine refuses the connection
   */
  async findApi(place: Place): Promise<Findings | 'silent' | 'closed'> {
    const { https } = place
    const usual = THIRD_PARTY_ADAPTERS.filter(({ ports }) => ports.includes(place.port))
    // An announced port of which nothing is known can be any web server.
    const isUnusual = usual.length === 0
    const kinds = isUnusual ? THIRD_PARTY_ADAPTERS.filter(({ ports }) => ports.includes(WEB_PORT)) : usual
    const canBeVendors = isUnusual || place.port === WEB_PORT
    let finding: Findings | 'silent' = 'silent'
    for (const { api, ping, code, sessionExpiredCodes } of canBeVendors ? listGenerations() : []) {
      const response = await this.#request(place, ping)
      if (isUnreachable(response)) return response
      if (response) finding = { kind: 'other', https }
      const result = response && code(parseJson(response.body))
      if (result !== undefined && [SUCCESS, ...sessionExpiredCodes].includes(result))
        return { kind: 'device', api, https }
    }
    for (const { api, product, needsLogin, recognizes } of https ? [] : kinds) {
      const isOne = await this.#quietly(() => recognizes(this.#endpoint(place)))
      if (isUnreachable(isOne)) return isOne
      if (isOne) return { kind: needsLogin ? 'camera' : 'server', api, model: product, https }
      if (isOne === false) finding = { kind: 'other', https }
    }
    return finding
  }

  /**
   * Reads the description of a UPnP device: name, model, serial number, the smallest picture of its model, and the port
   * of its web pages.
   */
  async readDescription(address: string, port: number, path: string): Promise<Description> {
    const place = { address, port, https: false }
    const response = await this.#request(place, { method: 'GET', path })
    if (!response || isUnreachable(response)) return {}
    const [device] = elementsAt(parseXml(response.body.toString()), 'root', 'device')
    const [name, maker, model, serial] = ['friendlyName', 'manufacturer', 'modelName', 'serialNumber'].map((field) =>
      textAt(device, NAME_MAX, field)
    )
    const icons = elementsAt(device, 'iconList', 'icon').flatMap((icon) => {
      const [type, url] = [textAt(icon, NAME_MAX, 'mimetype'), textAt(icon, 1000, 'url')]
      const isPicture = type === 'image/png' || type === 'image/jpeg'
      return isPicture && url ? [{ type, url, width: Number(textAt(icon, 5, 'width') ?? 1e4) }] : []
    })
    const [icon] = icons.sort((a, b) => a.width - b.width)
    const picture = icon && (await this.#picture(place, path, icon.url, icon.type))
    const pages = textAt(device, 1000, 'presentationURL')
    const page = pages !== undefined && URL.canParse(pages) ? new URL(pages) : undefined
    return {
      ...(page?.protocol === 'http:' && page.hostname === address && { port: Number(page.port || WEB_PORT) }),
      ...(name !== undefined && { name }),
      ...(model !== undefined && { model: [maker, model].filter(Boolean).join(' ').slice(0, NAME_MAX) }),
      ...(serial !== undefined && { serial }),
      ...(picture !== undefined && { picture })
    }
  }

  async #picture(place: Place, base: string, url: string, type: string): Promise<string | undefined> {
    const origin = `http://${place.address}:${place.port}`
    const target = URL.canParse(url, origin + base) ? new URL(url, origin + base) : undefined
    // Only from the machine that was found.
    if (target?.origin !== new URL(origin).origin) return undefined
    const path = target.pathname + target.search
    const response = await this.#request(place, { method: 'GET', path, maxBody: PICTURE_MAX })
    if (!response || isUnreachable(response) || response.status !== 200) return undefined
    const isPng = response.body.subarray(1, 4).toString() === 'PNG'
    return (type === 'image/png' ? isPng : isJpeg(response.body))
      ? `data:${type};base64,${response.body.toString('base64')}`
      : undefined
  }

  #request(place: Place, call: DeviceRequest) {
    return this.#quietly(() => this.#endpoint(place).send(call))
  }

  /**
   * @returns `closed` or `silent` if the port cannot be connected to; undefined if it gave no usable answer, or the
   * machine has been asked often enough
   */
  async #quietly<Result>(ask: () => Promise<Result>): Promise<Result | Unreachable | undefined> {
    try {
      return await ask()
    } catch (error) {
      if (error instanceof HostLimitError) return undefined
      if (!(error instanceof LinkError)) throw error
      if (error.code === CONN_REFUSED) return 'closed'
      return SILENCE.test(error.message) ? 'silent' : undefined
    }
  }

  #endpoint({ address, port, https }: Place): ThirdPartyEndpoint {
    const endpoint = (to: number): DeviceEndpoint => ({
      ip: address,
      name: address,
      port: to,
      https,
      cert: '',
      localAddress: this.#localAddress
    })
    const send = (to: number, call: DeviceRequest) =>
      this.#pace.connect(address, () =>
        sendHttpRequest(endpoint(to), { maxBody: RESPONSE_MAX, ...call }, REQUEST_TIMEOUT)
      )
    return {
      host: address,
      port,
      send: (call) => send(port, call),
      sendToPort: (to, call) => send(to, call),
      connect: () =>
        this.#pace.connect(address, async () => (await openConnection(endpoint(port), REQUEST_TIMEOUT)).socket)
    }
  }
}
