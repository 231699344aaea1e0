// The multipart stream to one browser. It holds at most the newest image of each preview ID, and one part that the
// reader has not fetched: on a slow line images are dropped instead of queued, so that latency and memory stay bounded.
import { randomUUID } from 'node:crypto'
import type { FlowControl } from './flow-control.ts'
import { IntervalMeter } from './interval-meter.ts'
import type { PreviewImage } from './subscriptions.ts'

const encoder = new TextEncoder()

export class PreviewStream {
  /** 32 characters: with dashes and line end it fits the 48 bytes that consoles search (docs/wire.md, Previews). */
  readonly boundary = randomUUID().replaceAll('-', '')
  readonly body: ReadableStream<Uint8Array>
  readonly #boundaryLine = `--${this.boundary}\r\n`
  readonly #now: () => number
  readonly #flowControl: FlowControl | undefined
  /** The interval at which the images of each ID are sent, which is longer than that of their source on a slow line. */
  readonly #meters = new Map<string, IntervalMeter>()
  /**
   * Images to send by ID. A map keeps its order when a value is replaced, so an ID keeps its turn when its image is
   * replaced by a newer one, and goes to the end once it is sent. Thus no ID can starve others.
   */
  readonly #pending = new Map<string, PreviewImage>()
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #isOpen = true
  #wake = () => {}

  /**
   * Opens a multipart body.
   * @param onCancel called when the reader closes the connection
   * @param now milliseconds; the clock of the images
   * @param flowControl decides when an image may be sent; without it one is sent whenever the socket accepts it
   */
  constructor(onCancel: () => void, now: () => number, flowControl?: FlowControl) {
    this.#now = now
    this.#flowControl = flowControl
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          // The first boundary line is sent at once, so that the headers go out: the browser needs the handle ID before
          // any image.
          controller.enqueue(encoder.encode(this.#boundaryLine))
        },
        // Called only while the reader waits, because nothing is queued ahead (highWaterMark 0).
        pull: (controller) => this.#sendNext(controller),
        cancel: () => {
          this.#end()
          onCancel()
        }
      },
      { highWaterMark: 0 }
    )
  }

  /** Queues an image. It replaces a queued image of the same ID. */
  offer = (id: string, image: PreviewImage): void => {
    if (!this.#isOpen) return
    this.#pending.set(id, image)
    this.#wake()
  }

  /** The reader received `count` images in total. */
  acknowledge(count: number): void {
    this.#flowControl?.acknowledge(count)
    this.#wake()
  }

  /** Removes an ID and its queued image. */
  forget(id: string): void {
    this.#pending.delete(id)
    this.#meters.delete(id)
  }

  /** Ends the body. Queued images are dropped. */
  close = (): void => {
    if (!this.#isOpen) return
    this.#end()
    this.#controller?.close()
  }

  #end(): void {
    this.#isOpen = false
    this.#pending.clear()
    this.#wake()
  }

  /** Waits until an image may be sent, and sends it. */
  async #sendNext(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const [next] = this.#pending
      const wait = next && (this.#flowControl?.wait(next[1].jpeg.length) ?? 0)
      if (!this.#isOpen || wait === 0) break
      await this.#sleep(wait)
    }
    const [next] = this.#pending
    if (!this.#isOpen || !next) return
    const [id, image] = next
    this.#pending.delete(id)
    this.#flowControl?.sent(image.jpeg.length)
    controller.enqueue(encodePart(id, image, this.#measure(id, image), this.#boundaryLine))
  }

  /** Age and interval of an image that is sent now. */
  #measure(id: string, { at, interval }: PreviewImage): Timing {
    const now = this.#now()
    const meter = this.#meters.get(id) ?? new IntervalMeter()
    this.#meters.set(id, meter)
    meter.add(now)
    return { age: Math.round(now - at), interval: Math.round(Math.max(interval, meter.interval())) }
  }

  /** Waits for `#wake`, or for some milliseconds if given. */
  async #sleep(milliseconds: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (milliseconds !== undefined) timer = setTimeout(resolve, milliseconds).unref()
    })
    clearTimeout(timer)
  }
}

/** Milliseconds. */
interface Timing {
  age: number
  interval: number
}

/**
 * One part, followed by the boundary line of the next one, so that the reader finds the end of the image without
 * waiting for the next.
 */
function encodePart(id: string, { jpeg }: PreviewImage, { age, interval }: Timing, boundaryLine: string): Uint8Array {
  const head = encoder.encode(
    `image-id: ${id}\r\ncontent-type: image/jpeg\r\nimage-age: ${age}\r\nimage-interval: ${interval}\r\n` +
      `content-length: ${jpeg.length}\r\n\r\n`
  )
  const tail = encoder.encode(`\r\n${boundaryLine}`)
  const part = new Uint8Array(head.length + jpeg.length + tail.length)
  part.set(head)
  part.set(jpeg, head.length)
  part.set(tail, head.length + jpeg.length)
  return part
}
