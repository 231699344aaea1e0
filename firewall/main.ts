// The firewall service: the only part of Headend with CAP_NET_ADMIN. It writes the table `inet headend` of nftables and
// nothing else (docs/architecture/firewall.md). HEADEND_FIREWALL_SOCKET and HEADEND_FIREWALL_STATE replace the paths of
// its socket and its folder.
import { SOCKET_PATH, STATE_FOLDER } from './protocol.ts'
import { listen } from './server.ts'
import { FirewallService } from './service.ts'
import { portStore } from './store.ts'
import { kernelTables } from './table.ts'

const report = (message: string) => void process.stderr.write(`${message}\n`)
const { HEADEND_FIREWALL_SOCKET: socket = SOCKET_PATH, HEADEND_FIREWALL_STATE: folder = STATE_FOLDER } = process.env

process.title = 'headend-firewall'
const service = new FirewallService({ tables: kernelTables, store: portStore(folder, report), report })
await service.start()
const server = await listen(socket, service)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    server.close()
    await service.stop()
    process.exit(0)
  })
