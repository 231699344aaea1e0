// The firewall service with another time for the confirmation: `node quick-firewall.ts MILLISECONDS`.
import { SOCKET_PATH } from '../../../firewall/protocol.ts'
import { listen } from '../../../firewall/server.ts'
import { FirewallService } from '../../../firewall/service.ts'
import { portStore } from '../../../firewall/store.ts'
import { kernelTables } from '../../../firewall/table.ts'

const report = (message: string) => void process.stderr.write(`${message}\n`)
const folder = process.env.HEADEND_FIREWALL_STATE ?? ''
const confirmTime = Number(process.argv[2])
const service = new FirewallService({ tables: kernelTables, store: portStore(folder, report), report, confirmTime })
await service.start()
await listen(SOCKET_PATH, service)
