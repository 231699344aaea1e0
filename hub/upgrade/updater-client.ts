// The client of the update service (updater/).
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type {
  ActivateRequest,
  InstalledRelease,
  RejectRequest,
  ReleaseListing,
  ServiceError,
  ServiceFailure,
  TrialRequest
} from '../../pack/update-service.ts'

/** Milliseconds for requests without an update. The service removes old releases in some of them. */
const REQUEST_TIMEOUT = 30_000

/** The service refused a request, or could not be reached (`away`). */
export class UpdaterError extends Error {
  readonly code: ServiceError | 'away'
  constructor(code: ServiceError | 'away', message: string) {
    super(message)
    this.code = code
  }
}

export interface UpdaterClient {
  list(): Promise<ReleaseListing>
  /** @param size bytes of the update */
  install(update: Readable, size: number, signal: AbortSignal): Promise<InstalledRelease>
  markTrial(version: string, request: TrialRequest): Promise<InstalledRelease>
  activate(version: string, request: ActivateRequest): Promise<ReleaseListing>
  reject(version: string, request: RejectRequest): Promise<ReleaseListing>
}

interface SendOptions {
  body?: Readable
  /** Bytes of the body. */
  size?: number
  signal?: AbortSignal
}

/** @throws UpdaterError */
async function send<Response>(
  socketPath: string,
  path: string,
  { body, size, signal }: SendOptions
): Promise<Response> {
  const method = body ? 'POST' : 'GET'
  const headers = { ...(size !== undefined && { 'content-length': size }) }
  const limit = signal ?? AbortSignal.timeout(REQUEST_TIMEOUT)
  const outgoing = request({ socketPath, path, method, headers, signal: limit })
  try {
    const answered = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      outgoing.once('error', reject)
      outgoing.once('response', (response) => {
        json(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
      })
    })
    // A service that refuses an update answers before it has read all of it.
    if (body) pipeline(body, outgoing).catch(() => {})
    else outgoing.end()
    const answer = await answered
    if (answer.status === 200) return answer.body as Response
    const { error = 'failed', message = '' } = answer.body as Partial<ServiceFailure>
    throw new UpdaterError(error, message)
  } catch (error) {
    if (error instanceof UpdaterError) throw error
    throw new UpdaterError('away', (error as Error).message)
  }
}

/** @param socketPath socket of the update service */
export function createUpdaterClient(socketPath: string): UpdaterClient {
  const post = <Response>(path: string, fields: object) => {
    const text = Buffer.from(JSON.stringify(fields))
    return send<Response>(socketPath, path, { body: Readable.from([text]), size: text.length })
  }
  return {
    list: () => send(socketPath, '/releases', {}),
    install: (body, size, signal) => send(socketPath, '/releases', { body, size, signal }),
    markTrial: (version, fields) => post(`/releases/${version}/trial`, fields),
    activate: (version, fields) => post(`/releases/${version}/activate`, fields),
    reject: (version, fields) => post(`/releases/${version}/reject`, fields)
  }
}
