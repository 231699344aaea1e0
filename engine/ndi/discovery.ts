// Which NDI sources the network announces. It is listened to while somebody asks, and a little longer.
import type { Failure } from '../process/failure.ts'
import type { Launcher, Process } from '../process/launcher.ts'
import { type Ndi, NdiUnavailable } from './runtime.ts'

/** Milliseconds that the first answer waits, for sources are announced one by one, and for which it is listened to when nobody asks any more. */
const FIRST = 1000
const LINGER = 60_000
/** Sources that are kept at most. */
const SOURCES_MAX = 1000

export interface NdiFound {
  /** By their names: where they are. */
  sources: ReadonlyMap<string, string>
  /** Of the runtime, where it can be used. */
  version?: string
  /** Why nothing can be found. */
  why?: Failure
}

export interface NdiFinder {
  find(): Promise<NdiFound>
  stop(): void
}

/** @param changed there are other sources now */
export function createNdiFinder(ndi: Ndi, launcher: Pick<Launcher, 'run'>, changed: () => void): NdiFinder {
  const sources = new Map<string, string>()
  let process: Process | undefined
  let version: string | undefined
  let began: Promise<void> | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  /** Counts ends: a search that was ended before it began does not begin. */
  let ends = 0

  function stop(): void {
    ends++
    clearTimeout(idle)
    process?.stop()
    process = undefined
    began = undefined
    sources.clear()
  }

  async function start(): Promise<void> {
    const ended = ends
    const runtime = await ndi.look()
    if (ended !== ends) return
    const over = Promise.withResolvers<void>()
    version = runtime.version
    const mine = launcher.run({
      program: runtime.program,
      args: ['find', runtime.library, '', ''],
      says(text) {
        if (process !== mine) return
        const { found, gone, url = '' } = JSON.parse(text)
        if (gone !== undefined) sources.delete(gone)
        else if (found !== undefined && sources.size < SOURCES_MAX) sources.set(found, url)
        changed()
      },
      ended() {
        if (process === mine) stop()
        over.resolve()
      }
    })
    process = mine
    const enough = setTimeout(over.resolve, FIRST)
    await over.promise
    clearTimeout(enough)
  }

  return {
    async find() {
      clearTimeout(idle)
      idle = setTimeout(stop, LINGER).unref()
      began ??= start()
      const mine = began
      try {
        await mine
      } catch (error) {
        if (began === mine) began = undefined
        if (!(error instanceof NdiUnavailable)) throw error
        return { sources: new Map(), why: error.why }
      }
      return { sources, ...(version !== undefined && { version }) }
    },
    stop
  }
}
