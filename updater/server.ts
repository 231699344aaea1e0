// The socket of the update service. Its folder lets only the user of the hub reach it.
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import * as z from 'zod'
import { PackError } from '../pack/pack-error.ts'
import { VERSION_FORMAT } from '../pack/release.ts'
import type { ServiceError, ServiceFailure } from '../pack/update-service.ts'
import { RequestError, type UpdateService } from './service.ts'

const CONNECTIONS_MAX = 8
/** Bytes of a request without an update. */
const REQUEST_MAX = 16_384
/** Milliseconds for a whole request; an update of 100 MB takes seconds on the slowest disk. */
const REQUEST_TIMEOUT = 600_000

const Version = z.string().regex(VERSION_FORMAT)
const Trial = z.strictObject({ engine: z.boolean() })
const Activate = z.strictObject({ keep: z.array(Version).max(8) })
const Reject = z.strictObject({ reason: z.string().max(1000) })

async function readBody<Body>(request: IncomingMessage, schema: z.ZodType<Body>): Promise<Body> {
  const size = Number(request.headers['content-length'] ?? 0)
  if (!(size > 0 && size <= REQUEST_MAX)) throw new RequestError('failed', 'The request has no length, or is too long.')
  const parsed = schema.safeParse(await json(request).catch(() => undefined))
  if (!parsed.success) throw new RequestError('failed', 'The request is malformed.')
  return parsed.data
}

async function perform(service: UpdateService, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const [, version = '', action = ''] = /^\/releases(?:\/([^/]+)\/([a-z]+))?$/.exec(request.url ?? '') ?? []
  switch (`${request.method} ${version ? action : request.url}`) {
    case 'GET /releases':
      return service.list()
    case 'POST /releases': {
      const abort = new AbortController()
      // A hub that cancels the installation closes its connection.
      response.once('close', () => abort.abort())
      return service.install(request, abort.signal)
    }
    case 'POST trial':
      return service.markTrial(version, (await readBody(request, Trial)).engine)
    case 'POST activate':
      return service.activate(version, (await readBody(request, Activate)).keep)
    case 'POST reject':
      return service.reject(version, (await readBody(request, Reject)).reason)
    default:
      throw new RequestError('unknown', 'No such request.')
  }
}

function failureOf(error: unknown, report: (message: string) => void): ServiceFailure {
  if (error instanceof RequestError) return { error: error.code, message: error.message }
  if (error instanceof PackError) return { error: error.kind, message: error.message }
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC'
  const failure: ServiceFailure = { error: isFull ? 'space' : ('failed' satisfies ServiceError), message: `${error}` }
  report(`A request failed: ${failure.message}`)
  return failure
}

function respond(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(text)
}

/**
 * Listens on a Unix socket, which replaces one that an earlier process has left. The group of the process may connect.
 */
export function listen(path: string, service: UpdateService, report: (message: string) => void): Promise<Server> {
  rmSync(path, { force: true })
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    perform(service, request, response).then(
      (body) => respond(response, 200, body),
      (error) => respond(response, 409, failureOf(error, report))
    )
  })
  server.maxConnections = CONNECTIONS_MAX
  const mask = process.umask(0o117)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      process.umask(mask)
      resolve(server)
    })
  })
}
