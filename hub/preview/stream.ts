// The stream to one browser. It holds at most the newest picture of each id and one part that the reader has not fetched yet:
// on a thin line pictures are dropped, not queued, so that latency and memory stay bounded.
import { randomUUID } from 'node:crypto'
import type { PicturePace } from './pace.ts'

const encoder = new TextEncoder()

/**
 * Opens a multipart body.
 * @param onCancel called when the reader goes
 * @param pace says when a picture may be sent to a reader that tells what arrived; without it one is sent whenever the socket takes it
 */
export function createPictureStream(onCancel: () => void, pace?: PicturePace) {
  // 32 characters: with its dashes and line end it lies within the 48 that consoles search (specification 9).
  const boundary = randomUUID().replaceAll('-', '')
  const line = `--${boundary}\r\n`
  // A map keeps its order when a value is replaced: an id keeps its turn while its picture becomes newer, and goes to the
  // end once it was sent. So no id can keep others from their turn.
  const pending = new Map<string, Uint8Array>()
  let open = true
  let control: ReadableStreamDefaultController<Uint8Array>
  let wake = () => {}

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        control = controller
        // The first boundary line goes out at once and carries the headers with it: the browser needs the handle before any picture.
        controller.enqueue(encoder.encode(line))
      },
      // Called only when the reader waits, since nothing is to be queued ahead (highWaterMark 0).
      async pull(controller) {
        for (;;) {
          const [next] = pending
          const wait = next && (pace?.wait(next[1].length) ?? 0)
          if (!open || wait === 0) break
          let timer: NodeJS.Timeout | undefined
          await new Promise<void>((resolve) => {
            wake = resolve
            if (wait !== undefined) timer = setTimeout(resolve, wait).unref()
          })
          clearTimeout(timer)
        }
        const [next] = pending
        if (!open || !next) return
        const [id, jpeg] = next
        pending.delete(id)
        pace?.sent(jpeg.length)
        controller.enqueue(partOf(id, jpeg, line))
      },
      cancel() {
        end()
        onCancel()
      }
    },
    { highWaterMark: 0 }
  )

  function end(): void {
    open = false
    pending.clear()
    wake()
  }

  return {
    body,
    boundary,
    /** Sends a picture when it is its turn, instead of an older one of the same id that still waits. */
    offer(id: string, jpeg: Uint8Array): void {
      if (!open) return
      pending.set(id, jpeg)
      wake()
    },
    /** So many pictures have arrived at the reader. */
    seen(count: number): void {
      pace?.seen(count)
      wake()
    },
    /** No longer sends what waits for an id. */
    forget(id: string): void {
      pending.delete(id)
    },
    /** Ends the body; what waits is dropped. */
    close(): void {
      if (!open) return
      end()
      control.close()
    }
  }
}

export type PictureStream = ReturnType<typeof createPictureStream>

/** One part with the boundary line of the next behind it, so that no reader has to wait for the next picture to find its end. */
function partOf(id: string, jpeg: Uint8Array, line: string): Uint8Array {
  const head = encoder.encode(`image-id: ${id}\r\ncontent-type: image/jpeg\r\ncontent-length: ${jpeg.length}\r\n\r\n`)
  const tail = encoder.encode(`\r\n${line}`)
  const part = new Uint8Array(head.length + jpeg.length + tail.length)
  part.set(head)
  part.set(jpeg, head.length)
  part.set(tail, head.length + jpeg.length)
  return part
}
