// Sends in real time, as a source of media does.

/**
 * Sends one part after the other, one every `interval` milliseconds. A machine with other work delays parts, and none
 * catches up.
 */
export function sendPaced<Part>(parts: Iterable<Part>, interval: number, send: (part: Part) => unknown): Promise<void> {
  const rest = parts[Symbol.iterator]()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const { done, value } = rest.next()
      if (!done) return void send(value)
      clearInterval(timer)
      resolve()
    }, interval)
  })
}
