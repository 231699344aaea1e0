// Firmware update of a device: receives a firmware file, checks that it is complete and made for this model, and
// installs it. The payload is checked and dropped, because the flash memory of the device is not simulated.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import busboy from 'busboy'
import { firmwareInfoFromHeader, fitsDevice, MWF_HEADER_MAX, parseMwfHeader } from '../contract/mwf.ts'
import type { Behaviour } from './behaviour.ts'
import type { Model } from './models.ts'

/** Result of an upload or of a request to install. The APIs translate it into their codes. */
export type UpgradeResult =
  | 'done'
  | 'already'
  | 'busy'
  | 'bad-file'
  | 'damaged'
  | 'wrong-model'
  | 'no-space'
  | 'no-file'

export interface UpgradeState {
  step: 'idle' | 'updating' | 'completed' | 'failed'
  /** Progress of the installation in percent. */
  percent: number
  /** Version that is installed. */
  version: string
}

interface UploadedFile {
  version: string
  /** Bytes. */
  size: number
}

interface UpgraderOptions {
  model: Model
  behaviour(): Behaviour
  /** Duration of an installation in milliseconds. */
  duration: number
  /** The installation is complete. */
  onCompleted(): void
}

/** Share of the upload after which a full disk is noticed, and of the installation after which it fails. */
const HALF = 0.5

/** Checks a firmware file while it is received. */
class FirmwareCheck {
  readonly #model: Model
  readonly #hash = createHash('sha256')
  #start = new Uint8Array()
  #head: ReturnType<typeof parseMwfHeader> | undefined
  /** Bytes of the payload received so far. */
  #size = 0

  constructor(model: Model) {
    this.#model = model
  }

  push(bytes: Uint8Array): void {
    if (this.#head) {
      this.#hash.update(bytes)
      this.#size += bytes.length
      return
    }
    this.#start = new Uint8Array(Buffer.concat([this.#start, bytes]))
    if (this.#start.length >= MWF_HEADER_MAX) this.#readHead()
  }

  /** Ends the check. */
  finish(): UploadedFile | 'bad-file' | 'wrong-model' | 'damaged' {
    const head = this.#head ?? this.#readHead()
    if (typeof head !== 'object') return 'bad-file'
    const { header } = head
    const { productId, name, hardware } = this.#model
    const device = { 'product-id': productId, 'module-name': name, 'hardware-ver': hardware }
    if (!fitsDevice(firmwareInfoFromHeader(header), device)) return 'wrong-model'
    if (this.#size !== header.size || this.#hash.digest('hex') !== header.sha256) return 'damaged'
    return { version: header.version, size: this.#size }
  }

  #readHead(): ReturnType<typeof parseMwfHeader> {
    const head = parseMwfHeader(this.#start)
    this.#head = head
    if (typeof head === 'object') {
      this.#hash.update(this.#start.subarray(head.length))
      this.#size = this.#start.length - head.length
    }
    return head
  }
}

export class Upgrader {
  readonly #options: UpgraderOptions
  #isReceiving = false
  #file: UploadedFile | undefined
  #step: UpgradeState['step'] = 'idle'
  #version = ''
  /** Start of the installation in milliseconds since the epoch. */
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: UpgraderOptions) {
    this.#options = options
  }

  state(): UpgradeState {
    const step = this.#step
    const duration = Math.max(1, this.#options.duration)
    const share = step === 'updating' ? Math.min(1, (Date.now() - this.#startedAt) / duration) : 0
    return { step, percent: step === 'completed' ? 100 : Math.floor(share * 100), version: this.#version }
  }

  /** The file that was uploaded last; undefined after its installation. */
  get file(): UploadedFile | undefined {
    return this.#file
  }

  /**
   * Receives a form with the firmware file in part `file`.
   * @param size value of the Content-Length header
   */
  async receive(
    body: AsyncIterable<Uint8Array>,
    contentType: string | undefined,
    size: number
  ): Promise<UpgradeResult> {
    const behaviour = this.#options.behaviour()
    const isBusy = this.#isReceiving || this.#step === 'updating' || this.#step === 'completed'
    if (behaviour === 'update-refused' || isBusy) return 'busy'
    const sizeMax = behaviour === 'full' || behaviour === 'update-full' ? size * HALF : Number.POSITIVE_INFINITY
    this.#isReceiving = true
    this.#file = undefined
    this.#step = 'idle'
    try {
      const result = await this.#readForm(body, contentType, sizeMax)
      if (typeof result === 'string') return result
      this.#file = result
      return 'done'
    } catch {
      return 'bad-file'
    } finally {
      this.#isReceiving = false
    }
  }

  /**
   * @param sizeMax number of bytes after which the disk is full
   * @throws Error if the body is not a form
   */
  async #readForm(
    body: AsyncIterable<Uint8Array>,
    contentType: string | undefined,
    sizeMax: number
  ): Promise<UploadedFile | UpgradeResult> {
    const isMismatch = this.#options.behaviour() === 'update-mismatch'
    const check = new FirmwareCheck(this.#options.model)
    const form = busboy({ headers: { 'content-type': contentType } })
    form.on('file', (name, file) => {
      file.on('error', () => {})
      if (name === 'file') file.on('data', (bytes) => check.push(bytes))
      else file.resume()
    })
    const closed = once(form, 'close').then(
      () => true,
      () => false
    )
    let received = 0
    for await (const chunk of body) {
      received += chunk.length
      if (received > sizeMax) return 'no-space'
      if (!form.write(chunk)) await Promise.race([once(form, 'drain'), closed])
    }
    form.end()
    const isComplete = await closed
    if (isMismatch) return 'wrong-model'
    return isComplete ? check.finish() : 'damaged'
  }

  /** Starts to install the uploaded file. */
  install(): UpgradeResult {
    const { behaviour, duration } = this.#options
    if (behaviour() === 'update-refused') return 'busy'
    if (this.#step === 'updating' || this.#step === 'completed') return 'already'
    if (!this.#file || behaviour() === 'update-missing') return 'no-file'
    this.#version = this.#file.version
    this.#step = 'updating'
    this.#startedAt = Date.now()
    const delay = behaviour() === 'update-failed' ? duration * HALF : duration
    this.#timer = setTimeout(() => this.#finishInstallation(), delay)
    return 'done'
  }

  #finishInstallation(): void {
    if (this.#options.behaviour() === 'update-failed') {
      this.#step = 'failed'
      return
    }
    this.#step = 'completed'
    this.#options.onCompleted()
  }

  /** Resets the update when the device restarts. @returns the new version, if an installation was complete */
  completeRestart(): string | undefined {
    const isInstalled = this.#step === 'completed' && this.#options.behaviour() !== 'update-old'
    this.cancel()
    return isInstalled ? this.#version : undefined
  }

  /** Cancels a running installation, as a loss of power does. */
  cancel(): void {
    clearTimeout(this.#timer)
    this.#step = 'idle'
    this.#file = undefined
  }
}
