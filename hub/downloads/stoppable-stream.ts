// A stream that the hub can end: when the session of its client ends, or when the client stops reading.

/** Milliseconds after which the download of a client that stops reading ends. */
export const STALL_TIME = 60_000

export interface StoppableStream {
  stream: ReadableStream<Uint8Array>
  /** Aborts the stream. */
  stop(): void
}

/** @param onEnd called once, when the stream is complete or has broken off */
export function stoppableStream(
  source: ReadableStream<Uint8Array>,
  onEnd: () => void,
  stallTime: number = STALL_TIME
): StoppableStream {
  const reader = source.getReader()
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  let breakOff = (): void => {}
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    onEnd()
  }
  const stop = () => {
    if (hasEnded) return
    end()
    void reader.cancel().catch(() => {})
    breakOff()
  }
  const awaitClient = () => {
    clearTimeout(timer)
    timer = setTimeout(stop, stallTime).unref()
  }
  awaitClient()
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        breakOff = () => controller.error(new Error('The download was ended'))
      },
      async pull(controller) {
        clearTimeout(timer)
        try {
          const { done, value } = await reader.read()
          if (hasEnded) return
          if (done) {
            end()
            controller.close()
          } else {
            awaitClient()
            controller.enqueue(value)
          }
        } catch (error) {
          end()
          throw error
        }
      },
      cancel() {
        end()
        return reader.cancel()
      }
    },
    // Nothing is read ahead, so that a client that stops reading is noticed.
    { highWaterMark: 0 }
  )
  return { stream, stop }
}
