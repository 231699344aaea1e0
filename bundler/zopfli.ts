// gzip by zopfli. Browsers ask for brotli on secure origins only, so most hubs send gzip. The result is the same on
// every machine.

/**
 * @gfx/zopfli installs handlers that print a megabyte of its own source before each uncaught error. They are removed
 * below.
 */
const EVENTS = ['uncaughtException', 'unhandledRejection']
const before = EVENTS.map((event) => process.listeners(event as 'uncaughtException'))

const { gzip, gzipAsync } = await import('@gfx/zopfli')
// Compiles the WebAssembly module. Afterwards `gzip` is synchronous.
await gzipAsync(new Uint8Array(1), {})

for (const [at, event] of EVENTS.entries())
  for (const listener of process.listeners(event as 'uncaughtException'))
    if (!before[at]?.includes(listener)) process.off(event, listener)

/** Compresses to the gzip format. Synchronous, because @gfx/zopfli calls its callback before it returns. */
export function zopfli(bytes: Uint8Array): Buffer {
  let packed = bytes
  gzip(bytes, { numiterations: 15 }, (error, result) => {
    if (error) throw error
    packed = result
  })
  return Buffer.from(packed)
}
