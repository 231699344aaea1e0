// The HTTP side of the reference licence server: POST /activate, /check and /deactivate with {user-name, sn, machine,
// nonce}. Each answer is signed, so that a hub does not have to trust the connection.
import type { KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { signStatement } from '../statement.ts'
import type { LicenseAnswer, Licenses } from './licenses.ts'

/** What a hub sends. */
export interface ServerRequest {
  'user-name': string
  sn: string
  machine: string
  nonce: string
}

const LENGTH_MAX = 4096

async function readRequest(request: IncomingMessage): Promise<ServerRequest | undefined> {
  if (Number(request.headers['content-length'] ?? Number.NaN) <= LENGTH_MAX) {
    const value = JSON.parse(await text(request)) as Partial<ServerRequest> | null
    const fields = [value?.['user-name'], value?.sn, value?.machine, value?.nonce]
    if (fields.every((field) => typeof field === 'string')) return value as ServerRequest
  }
  return undefined
}

export function createLicenseServer(licenses: Licenses, privateKey: KeyObject, now: () => number = Date.now): Server {
  const actions: Readonly<Record<string, (title: string, sn: string, machine: string) => LicenseAnswer>> = {
    '/activate': (...args) => licenses.activate(...args),
    '/check': (...args) => licenses.check(...args),
    '/deactivate': (...args) => licenses.deactivate(...args)
  }
  return createServer(async (request, response) => {
    const action = request.method === 'POST' ? actions[request.url ?? ''] : undefined
    const body = action && (await readRequest(request).catch(() => undefined))
    if (!action || !body) {
      response.writeHead(action ? 400 : 404).end()
      return
    }
    try {
      const { state, license } = action(body['user-name'], body.sn, body.machine)
      const signed = signStatement(
        { nonce: body.nonce, time: now(), state, ...(license && { license: signStatement(license, privateKey) }) },
        privateKey
      )
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(signed))
    } catch (error) {
      // For instance a file of licences that cannot be read or written.
      console.error((error as Error).message)
      response.writeHead(500).end()
    }
  })
}
