// Starts the hub. Environment: PORT (3000), HOST (127.0.0.1), LINK_PORT (8070), DATA (./data), DIST (./dist), DEV (1 = read the
// console anew for each request), SRT_PORT and RTMP_PORT (in the place of those set in the console; 0 = any), PUBLIC_KEY (whose packs of
// the console are taken: PEM files, with a colon between them; the development key), NODE_ENV (production = never that one).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LINK_PORT } from '../contract/limits.ts'
import type { Budget } from '../pack/budget.ts'
import { createHub } from './hub.ts'
import { readTrusted } from './upgrade/trusted-keys.ts'

const {
  PORT = '3000',
  HOST = '127.0.0.1',
  LINK_PORT: link = String(LINK_PORT),
  DATA = './data',
  DIST,
  DEV,
  SRT_PORT,
  RTMP_PORT,
  PUBLIC_KEY,
  NODE_ENV
} = process.env

/** The walls that a console must stay within, as of this hub. */
function readBudget(): Budget {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../size-budget.json'), 'utf8'))
}

async function start() {
  const upgrade = { trusted: readTrusted(PUBLIC_KEY, NODE_ENV === 'production'), budget: readBudget() }
  return createHub({ data: DATA, dist: DIST ?? './dist', host: HOST, dev: DEV === '1', upgrade })
}

const running = await start().catch((error: Error): never => {
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
