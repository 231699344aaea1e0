// A hub that is registered with a cloud and accepted, and browsers that have opened it there.
import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { Call, Envelope } from '../../../contract/call.ts'
import { acceptHubs, openHub } from '../../../contract/cloud/calls.ts'
import { openPreview } from '../../../contract/preview.ts'
import { HUB_ID_PARAM } from '../../../contract/relay.ts'
import type { CloudClient } from './cloud.ts'
import { type Fixture, listed, set, untilListedOnline, untilOnline, untilState, withBoth } from './registered-hub.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
}

interface VisitOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** A browser at the origin of a hub in the cloud. */
export interface Visitor {
  host: string
  cookie: string
  visit(path: string, options?: VisitOptions): Promise<Answer>
  /** Makes a call of the hub. */
  send<Request extends object, Reply>(call: Call<Request, Reply>, request: Request): Promise<Reply & Envelope>
}

export interface OpenedHub extends Fixture {
  sn: string
  /** Port of the cloud for browsers. */
  webPort: number
  open(user?: CloudClient): Promise<Visitor>
}

/** A request to the cloud under another name. */
export function requestAs(port: number, host: string, path: string, options: VisitOptions = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(
      { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const whole = Buffer.concat(chunks)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole, text: whole.toString() })
        })
      }
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends the form with which the page of the cloud opens a hub. */
export function enter(
  port: number,
  url: string,
  ticket: string,
  origin = `http://localhost:${port}`,
  at?: string
): Promise<Answer> {
  const { host, pathname } = new URL(url)
  return requestAs(port, host, pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams({ ticket, ...(at !== undefined && { at }) }).toString()
  })
}

/** Opens the stream of pictures of a console, which goes on until the response is destroyed. */
export async function openPictures({ host, cookie }: Visitor, port: number, sn: string): Promise<IncomingMessage> {
  const path = `/socket/api${openPreview.path}?${HUB_ID_PARAM}=${sn}`
  const sent = request({ host: '127.0.0.1', port, path, headers: { host, cookie }, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response.on('error', () => {}).resume()
}

export async function openAs(user: CloudClient, sn: string, port: number): Promise<Visitor> {
  const { url, ticket, result } = await user.send(openHub, { sn })
  if (result !== 0) throw new Error(`The hub cannot be opened: result ${result}`)
  const { host } = new URL(url)
  const address = `${host.split(':')[0]}:${port}`
  const { headers } = await enter(port, `http://${address}${new URL(url).pathname}`, ticket)
  const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const visitor: Visitor = {
    host: address,
    cookie,
    visit: (path, options = {}) =>
      requestAs(port, address, path, { ...options, headers: { cookie: visitor.cookie, ...options.headers } }),
    async send(call, request) {
      const isRead = call.method === 'GET'
      const query = new URLSearchParams({ ...(isRead && (request as Record<string, string>)), [HUB_ID_PARAM]: sn })
      const { text } = await visitor.visit(`/socket/api${call.path}?${query}`, {
        method: call.method,
        ...(!isRead && { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } })
      })
      return JSON.parse(text)
    }
  }
  return visitor
}

/**
 * Runs a test with a hub that a cloud has accepted.
 * @param dist folder of its console
 * @param reach returns the port at which the hub reaches the cloud's port for hubs; by default that one
 */
export function withOpenedHub(
  run: (fixture: OpenedHub) => Promise<void>,
  dist?: string,
  reach = async (port: number) => port
): Promise<void> {
  return withBoth(async (fixture) => {
    const { user, admin, port, invitation, webPort } = fixture
    await set(admin, { port: await reach(port), invitation, role: 'administer' })
    await untilState(admin, 103)
    await untilListedOnline(user)
    const sn = (await listed(user))[0]?.sn ?? ''
    await user.send(acceptHubs, { sn: [sn] })
    await untilOnline(admin)
    await run({ ...fixture, sn, open: (caller = user) => openAs(caller, sn, webPort) })
  }, dist)
}
