// Starts the hub. Environment: PORT (3000), HOST (127.0.0.1), LINK_PORT (8070), DATA (./data), DIST (./dist), DEV (1 = read the
// console anew for each request), SRT_PORT and RTMP_PORT (in the place of those set in the console; 0 = any).
import { LINK_PORT } from '../contract/limits.ts'
import { createHub } from './hub.ts'

const {
  PORT = '3000',
  HOST = '127.0.0.1',
  LINK_PORT: link = String(LINK_PORT),
  DATA = './data',
  DIST,
  DEV,
  SRT_PORT,
  RTMP_PORT
} = process.env

const options = { data: DATA, dist: DIST ?? './dist', host: HOST, dev: DEV === '1' }
const running = await createHub(options).catch((error: Error): never => {
  console.error(`The hub cannot start on ${DATA}: ${error.message}.`)
  process.exit(1)
})
// Before it says that it is there: whoever reads that may end it at once.
let closing = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    if (closing) process.exit(1)
    closing = true
    await running.close()
    process.exit(0)
  })
}

try {
  const shared = { ...(SRT_PORT && { srt: Number(SRT_PORT) }), ...(RTMP_PORT && { rtmp: Number(RTMP_PORT) }) }
  const { port, linkPort } = await running.listen(Number(PORT), Number(link), shared)
  console.log(`Hub: http://${HOST}:${port}/ (devices register at port ${linkPort})`)
} catch (error) {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  console.error(code === 'EADDRINUSE' ? `Port ${port} is in use: choose another with PORT or LINK_PORT.` : error)
  await running.close()
  process.exit(1)
}
