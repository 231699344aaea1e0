// Keeps asking devices for the pictures that are wanted of them, through refusals, stalls and absences.
import { type ClientHttp2Stream, constants } from 'node:http2'
import { createPictureReader } from './preview-reader.ts'

export interface PictureOptions {
  /** Opens a stream to a device; undefined while it has no link. */
  open(sn: string, path: string): ClientHttp2Stream | undefined
  /** Milliseconds without a byte after which a stream is given up. */
  stall: number
  /** Milliseconds until it is asked again where it failed: at first, and at most. */
  retry: readonly [number, number]
}

interface Wish {
  path: string
  onPicture(jpeg: Uint8Array): void
  delay: number
  timer?: NodeJS.Timeout
  stream?: ClientHttp2Stream
}

export function createPictures({ open, stall, retry: [shortest, longest] }: PictureOptions) {
  const wishes = new Map<string, Set<Wish>>()

  function ask(sn: string, wish: Wish): void {
    clearTimeout(wish.timer)
    if (wish.stream) return
    const stream = open(sn, wish.path)
    // `deviceUp` asks again.
    if (!stream) return
    wish.stream = stream
    const giveUp = () => stream.close(constants.NGHTTP2_CANCEL)
    const read = createPictureReader((jpeg) => {
      wish.delay = shortest
      if (wish.stream === stream) wish.onPicture(jpeg)
    })
    stream.setTimeout(stall, giveUp)
    stream.on('response', ({ ':status': status }) => {
      if (status !== 200) giveUp()
    })
    stream.on('data', (chunk: Buffer) => {
      if (!stream.closed && !read(chunk)) giveUp()
    })
    stream.on('error', () => {})
    stream.on('close', () => {
      if (wish.stream !== stream) return
      wish.stream = undefined
      wish.timer = setTimeout(ask, wish.delay, sn, wish)
      wish.delay = Math.min(longest, wish.delay * 2)
    })
  }

  return {
    /**
     * Asks for a device's pictures until the function returned is called.
     * @param width pixels
     * @param fps pictures a second
     */
    want(
      sn: string,
      { width, fps }: { width: number; fps: number },
      onPicture: (jpeg: Uint8Array) => void
    ): () => void {
      const wish: Wish = { path: `/link/preview?width=${width}&fps=${fps}`, onPicture, delay: shortest }
      const ofDevice = wishes.get(sn) ?? new Set()
      wishes.set(sn, ofDevice.add(wish))
      ask(sn, wish)
      return () => {
        clearTimeout(wish.timer)
        wish.stream?.close(constants.NGHTTP2_CANCEL)
        wish.stream = undefined
        ofDevice.delete(wish)
        if (ofDevice.size === 0 && wishes.get(sn) === ofDevice) wishes.delete(sn)
      }
    },

    /** A link is up: whoever waits for it need not wait longer. */
    deviceUp(sn: string): void {
      for (const wish of wishes.get(sn) ?? []) {
        wish.delay = shortest
        ask(sn, wish)
      }
    },

    /** Wants nothing any more. */
    close(): void {
      for (const ofDevice of wishes.values()) {
        for (const wish of ofDevice) {
          clearTimeout(wish.timer)
          wish.stream = undefined
        }
      }
      wishes.clear()
    }
  }
}
