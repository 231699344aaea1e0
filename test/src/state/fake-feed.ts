// The hub's end of the change feed, controlled by a test.
import type { FeedMessage } from '../../../contract/change-feed.ts'

export interface FakeFeed {
  /** Makes sockets for `setTransport`. While sockets are not available they fail at once. */
  socket(url: string): WebSocket
  /** Sends a message over the open socket. */
  sendMessage(message: FeedMessage): void
  /** Makes sockets available or not. `false` also closes the open one. */
  setAvailable(yes: boolean): void
  /** The last message of the console. */
  lastMessage: string
}

export function openFakeFeed(): FakeFeed {
  let openSocket: WebSocket | undefined
  let available = true
  return {
    lastMessage: '',
    socket() {
      const socket = {
        readyState: 0,
        send: (text: string) => {
          this.lastMessage = text
        },
        close: () => {
          if (openSocket === socket) openSocket = undefined
        }
      } as unknown as WebSocket & { readyState: number }
      queueMicrotask(() => {
        if (!available) return socket.onclose?.({ code: 1006 } as CloseEvent)
        openSocket = socket
        socket.readyState = 1
        socket.onopen?.({} as Event)
        socket.onmessage?.({ data: '{}' } as MessageEvent)
      })
      return socket
    },
    sendMessage(message) {
      if (!openSocket) throw new Error('The console has no open socket')
      openSocket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent)
    },
    setAvailable(yes) {
      available = yes
      if (!yes) openSocket?.onclose?.({ code: 1006 } as CloseEvent)
    }
  }
}
