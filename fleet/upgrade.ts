// A device's side of an update: takes a firmware file as it arrives, looks whether it is for this device and whole, installs it.
// The bytes are looked at and dropped: what is simulated is the device, not its flash.
import { createHash } from 'node:crypto'
import { boundaryOf, createMultipart } from '../contract/multipart.ts'
import { fitsDevice, infoOfHeader, MWF_HEAD_MAX, readMwfHead } from '../contract/mwf.ts'
import type { Behaviour } from './behaviour.ts'
import type { Model } from './models.ts'

/** What becomes of an upload or an order to install. The documented APIs have their codes for it. */
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
  /** Percent of the installation. */
  percent: number
  /** The version that is installed. */
  version: string
}

export interface Upgrader {
  state(): UpgradeState
  /** The file that was taken last, until it is installed. */
  readonly file: { version: string; size: number } | undefined
  /**
   * Takes a form with the file, in part `file`.
   * @param size bytes of the form, as the sender says
   */
  receive(body: AsyncIterable<Uint8Array>, contentType: string | undefined, size: number): Promise<UpgradeResult>
  /** Installs the file. */
  install(): UpgradeResult
  /** The device restarts. @returns the version that it has then, where an installation was complete */
  restarted(): string | undefined
  /** The power is gone: what was under way is lost. */
  stop(): void
}

export interface UpgraderOptions {
  model: Model
  behaviour(): Behaviour
  /** Milliseconds that an installation takes. */
  duration: number
  /** All is written. */
  completed(): void
}

/** Share of the file after which a full disk is noticed, and of the installation after which one fails. */
const HALF = 0.5

export function createUpgrader({ model, behaviour, duration, completed }: UpgraderOptions): Upgrader {
  const device = { 'product-id': model.productId, 'module-name': model.name, 'hardware-ver': model.hardware }
  let receiving = false
  let file: Upgrader['file']
  let step: UpgradeState['step'] = 'idle'
  let version = ''
  let since = 0
  let timer: NodeJS.Timeout | undefined

  const busy = () => receiving || step === 'updating' || step === 'completed'

  function finish(): void {
    if (behaviour() === 'update-failed') {
      step = 'failed'
      return
    }
    step = 'completed'
    completed()
  }

  /** What a file's first bytes and its whole say. */
  function createCheck() {
    const sum = createHash('sha256')
    let start = new Uint8Array()
    let head: ReturnType<typeof readMwfHead> | undefined
    let size = 0
    const beginning = () => {
      head = readMwfHead(start)
      if (typeof head === 'object') {
        sum.update(start.subarray(head.length))
        size = start.length - head.length
      }
    }
    return {
      push(bytes: Uint8Array): void {
        if (head) {
          sum.update(bytes)
          size += bytes.length
          return
        }
        start = new Uint8Array(Buffer.concat([start, bytes]))
        if (start.length >= MWF_HEAD_MAX) beginning()
      },
      result(): UpgradeResult {
        if (!head) beginning()
        if (typeof head !== 'object') return 'bad-file'
        const { header } = head
        if (!fitsDevice(infoOfHeader(header), device)) return 'wrong-model'
        if (size !== header.size || sum.digest('hex') !== header.sha256) return 'damaged'
        file = { version: header.version, size }
        return 'done'
      }
    }
  }

  async function receive(body: AsyncIterable<Uint8Array>, contentType: string | undefined, size: number) {
    if (behaviour() === 'update-refused' || busy()) return 'busy'
    const boundary = boundaryOf(contentType)
    if (boundary === undefined) return 'bad-file'
    const full = behaviour() === 'full' || behaviour() === 'update-full'
    const check = createCheck()
    let inFile = false
    const form = createMultipart(boundary, {
      part(name, filename) {
        inFile = name === 'file' && filename !== undefined
      },
      data(bytes) {
        if (inFile) check.push(bytes)
      },
      end() {}
    })
    receiving = true
    file = undefined
    step = 'idle'
    let received = 0
    try {
      for await (const chunk of body) {
        received += chunk.length
        if (full && received > size * HALF) return 'no-space'
        form.push(chunk)
      }
      return form.complete ? check.result() : 'damaged'
    } catch {
      return 'bad-file'
    } finally {
      receiving = false
    }
  }

  return {
    state() {
      const share = step === 'updating' ? Math.min(1, (Date.now() - since) / Math.max(1, duration)) : 0
      return { step, percent: step === 'completed' ? 100 : Math.floor(share * 100), version }
    },
    get file() {
      return file
    },
    receive: receive as Upgrader['receive'],
    install() {
      if (behaviour() === 'update-refused') return 'busy'
      if (step === 'updating' || step === 'completed') return 'already'
      if (!file) return 'no-file'
      version = file.version
      step = 'updating'
      since = Date.now()
      timer = setTimeout(finish, behaviour() === 'update-failed' ? duration * HALF : duration)
      return 'done'
    },
    restarted() {
      const installed = step === 'completed' && behaviour() !== 'update-old' ? version : undefined
      clearTimeout(timer)
      step = 'idle'
      file = undefined
      return installed
    },
    stop() {
      clearTimeout(timer)
      step = 'idle'
      file = undefined
    }
  }
}
