// A connection of the preview stream: opens it, registers the subscribed ids, and reads the images.
import { SUCCESS } from '../../contract/codes.ts'
import { REQUEST_TIMEOUT } from '../../contract/limits.ts'
import type { PreviewSetup } from '../../contract/preview.ts'
import type { PartBuffer } from './buffer.ts'
import { readStreamHead } from './headers.ts'
import type { Part } from './parser.ts'
import { readParts } from './read-parts.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The calls of the hub that previews need. */
export interface PreviewTransport {
  /** `GET preview/open`. Must have no timeout once the response has started. */
  open(signal: AbortSignal): Promise<Response>
  /** `POST preview/setup`. Any result but 0, and a rejection, lead to a new connection. */
  setup(request: PreviewSetup): Promise<{ result: number }>
  /**
   * `GET preview/clear`, for hubs behind a relay, which do not notice that the stream has ended. The response is
   * ignored.
   */
  clear?(id: string): Promise<unknown>
  /**
   * Reports the number of images that have arrived on a stream, so that the hub sends no more than the connection
   * carries.
   */
  acknowledge?(handle: string, count: number): void
}

export interface PreviewConnection {
  /** Registers changed subscriptions with the hub, once the stream is open. */
  register(): void
  /** Closes the stream. @returns its handle, if it was open */
  close(): string | undefined
}

/**
 * Opens the stream.
 * @param buffer used by this connection until it is closed or has failed
 * @param onFailure called once when the stream could not be opened, ended or timed out; not after `close`
 */
export function openConnection(
  transport: PreviewTransport,
  buffer: PartBuffer,
  subscriptions: Subscriptions,
  onFailure: () => void
): PreviewConnection {
  const abort = new AbortController()
  const { signal } = abort
  let handle: string | undefined
  /** Ids that are registered with the hub. */
  let registeredIds: ReadonlySet<string> = new Set()
  let isRegistering = false
  /** Number of parts received. */
  let partCount = 0
  let timeout: ReturnType<typeof setTimeout> | undefined

  /**
   * Runs while the stream is being opened, and after each image, because a broken connection may report nothing. Not
   * between opening and the first image, so that devices without an image do not cause endless reconnects.
   */
  function restartTimeout(): void {
    clearTimeout(timeout)
    timeout = setTimeout(fail, REQUEST_TIMEOUT)
  }

  function close(): string | undefined {
    clearTimeout(timeout)
    abort.abort()
    return handle
  }

  function fail(): void {
    if (signal.aborted) return
    close()
    onFailure()
  }

  async function readStream(): Promise<void> {
    const response = await transport.open(signal)
    const head = readStreamHead(response.headers)
    if (signal.aborted || !response.ok || !head || !response.body) return response.body?.cancel()
    handle = head.handle
    clearTimeout(timeout)
    void register()
    await readParts(response.body, head.boundary, buffer, handlePart, signal)
  }

  function handlePart(part: Part): void {
    if (handle !== undefined) transport.acknowledge?.(handle, ++partCount)
    if (subscriptions.receive(part)) restartTimeout()
  }

  /** Adds and removes ids at the hub until they match the subscriptions, with one call at a time. */
  async function register(): Promise<void> {
    if (isRegistering || handle === undefined || signal.aborted) return
    const ids = subscriptions.ids()
    const request = setupRequest(handle, registeredIds, ids)
    if (!request) return
    registeredIds = new Set(ids)
    isRegistering = true
    const response = await transport.setup(request).catch(() => undefined)
    isRegistering = false
    if (response?.result === SUCCESS) await register()
    else fail()
  }

  restartTimeout()
  // The stream is opened again after any error.
  void readStream()
    .catch(() => {})
    .then(fail)
  return { register: () => void register(), close }
}

/** The call that changes the registered ids. @returns undefined when nothing has changed */
function setupRequest(handle: string, registeredIds: ReadonlySet<string>, ids: string[]): PreviewSetup | undefined {
  const added = ids.filter((id) => !registeredIds.has(id))
  const removed = [...registeredIds].filter((id) => !ids.includes(id))
  if (added.length + removed.length === 0) return undefined
  const request: PreviewSetup = { id: handle }
  if (added.length > 0) request.add = added
  if (removed.length > 0) request.del = removed
  return request
}
