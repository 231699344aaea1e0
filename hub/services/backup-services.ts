// Creates the backups, and the export and import of the configuration.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { HubContext } from '../context.ts'
import { SigningKey } from '../export/signing-key.ts'
import { Transfer } from '../export/transfer.ts'
import { BackupService } from '../scheduled-backups/backup-service.ts'

export function createBackups(
  hub: Pick<HubContext, 'store' | 'hosts' | 'version' | 'engine' | 'dataFolder' | 'now'>
): BackupService {
  const { store, hosts, version, engine, dataFolder, now } = hub
  const transfer = new Transfer({
    store,
    key: new SigningKey(dataFolder ?? ':memory:'),
    hostName: () => hosts.machineName,
    version,
    isOnAir: (channel) => engine.observe(channel)?.connState === CONNECTION_STATE.connected,
    now: Date.now
  })
  return new BackupService({ store, transfer, data: dataFolder, now })
}
