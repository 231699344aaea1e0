// The context of one call. What most calls do not need is computed on demand.

import type { Peer } from '../../web-server/peer.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Caller } from '../auth/gate.ts'
import { type Language, requestLanguage } from '../messages/language.ts'
import type { Context } from './handler.ts'

/** Characters of the User-Agent header that are kept. */
const USER_AGENT_MAX = 128

/** Headers that handlers add to the response. */
export class CallHeaders {
  /** Values of Set-Cookie headers. */
  readonly cookies: string[] = []

  append(_name: 'set-cookie', value: string): void {
    this.cookies.push(value)
  }
}

export class CallContext implements Context {
  caller: Caller | undefined
  readonly address: string
  readonly localAddress: string | undefined
  readonly openedAt: number | undefined
  readonly secure: boolean
  readonly localPort: number | undefined
  readonly headers = new CallHeaders()
  detail = ''
  objects: string[] = []
  body?: Context['body']
  userName?: string
  isLogged?: boolean
  readonly #request: HubRequest
  #language: Language | undefined

  constructor(
    request: HubRequest,
    { address, secure, localAddress, localPort, openedAt }: Peer,
    caller: Caller | undefined
  ) {
    this.#request = request
    this.caller = caller
    this.address = address
    this.localAddress = localAddress
    this.openedAt = openedAt
    this.secure = secure
    this.localPort = localPort
  }

  get host(): string | null {
    return this.#request.headers.get('host')
  }

  get cookie(): string | null {
    return this.#request.headers.get('cookie')
  }

  get userAgent(): string {
    return (this.#request.headers.get('user-agent') ?? '').replace(/\p{C}/gu, '').trim().slice(0, USER_AGENT_MAX)
  }

  get range(): Context['range'] {
    const { headers } = this.#request
    return { range: headers.get('range'), ifRange: headers.get('if-range') }
  }

  get language(): Language {
    this.#language ??= requestLanguage(this.#request.headers)
    return this.#language
  }

  afterCommit = (effect: () => void): void => effect()
}
