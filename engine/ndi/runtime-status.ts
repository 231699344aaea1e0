// Watches whether the NDI runtime can be used, which can be installed and removed while the engine runs.
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import { NdiUnavailableError } from '../interfaces/errors.ts'
import type { Ndi, NdiStatus } from '../interfaces/ndi.ts'
import { failure } from '../process/failure.ts'

/** Milliseconds between two checks. A check reads the file system; the runtime is only loaded if its file has changed. */
const INTERVAL = 3000

const NO_ROUTING = failure(CONNECTION_STATE.creationFailed, 'ndi-unusable routing', SOURCE_STATE.unsupported)

export class NdiStatusMonitor {
  readonly #ndi: Ndi
  readonly #onChange: () => void
  readonly #timer: ReturnType<typeof setInterval>
  #status: NdiStatus | undefined
  #isClosed = false

  constructor(ndi: Ndi, onChange: () => void) {
    this.#ndi = ndi
    this.#onChange = onChange
    this.#timer = setInterval(() => void this.#check(), INTERVAL)
    void this.#check()
  }

  /** Undefined until the first check. */
  get status(): NdiStatus | undefined {
    return this.#status
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const runtime = await this.#ndi.findRuntime().then(
      ({ version, canRoute }) => ({ version, canRoute, ...(!canRoute && { failure: NO_ROUTING }) }),
      (error) => (error instanceof NdiUnavailableError ? { canRoute: false, failure: error.failure } : undefined)
    )
    const next: NdiStatus | undefined = runtime && {
      ...runtime,
      defaultMachineName: this.#ndi.defaultMachineName()
    }
    if (this.#isClosed || !next || JSON.stringify(next) === JSON.stringify(this.#status)) return
    this.#status = next
    this.#onChange()
  }
}
