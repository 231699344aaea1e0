// The far end of the change feed, as a test has it: it speaks when the test says so.
import type { FeedMessage } from '../../../contract/change-feed.ts'

export interface Voice {
  /** Makes sockets for `setDoor`. While there is none to be had they fail at once. */
  socket(url: string): WebSocket
  /** Says a message over the open socket. */
  say(message: FeedMessage): void
  /** Ends the socket; with `false` there is none to be had until `true`. */
  available(yes: boolean): void
  /** What the console wished last. */
  wish: string
}

export function openVoice(): Voice {
  let present: WebSocket | undefined
  let available = true
  return {
    wish: '',
    socket() {
      const socket = {
        readyState: 0,
        send: (text: string) => {
          this.wish = text
        },
        close: () => {
          if (present === socket) present = undefined
        }
      } as unknown as WebSocket & { readyState: number }
      queueMicrotask(() => {
        if (!available) return socket.onclose?.({ code: 1006 } as CloseEvent)
        present = socket
        socket.readyState = 1
        socket.onopen?.({} as Event)
        socket.onmessage?.({ data: '{}' } as MessageEvent)
      })
      return socket
    },
    say(message) {
      if (!present) throw new Error('nobody listens')
      present.onmessage?.({ data: JSON.stringify(message) } as MessageEvent)
    },
    available(yes) {
      available = yes
      if (!yes) present?.onclose?.({ code: 1006 } as CloseEvent)
    }
  }
}
