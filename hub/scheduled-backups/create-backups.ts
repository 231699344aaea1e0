// Creates backups, and export and import of the configuration.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { HostAllowList } from '../../web-server/host-allow-list.ts'
import { VERSION } from '../../web-server/version.ts'
import { SigningKey } from '../export/signing-key.ts'
import { Transfer } from '../export/transfer.ts'
import type { Lifetime } from '../lifetime.ts'
import type { ClockWatch } from '../machine/time/clock-watch.ts'
import type { Store } from '../store/store.ts'
import { BackupService } from './backup-service.ts'

interface BackupParts {
  store: Store
  lifetime: Lifetime
  engine: EngineClient
  hosts: HostAllowList
  clockWatch: ClockWatch
  now: () => number
  dataFolder: string | undefined
}

export function createBackups({ store, lifetime, engine, hosts, clockWatch, now, dataFolder }: BackupParts) {
  const transfer = new Transfer({
    store,
    key: new SigningKey(dataFolder ?? ':memory:'),
    hostName: () => hosts.machineName,
    version: VERSION,
    isOnAir: (channel) => engine.observe(channel)?.connState === CONNECTION_STATE.connected,
    now: Date.now
  })
  const backups = lifetime.add(new BackupService({ store, transfer, data: dataFolder, now }))
  clockWatch.stepped.on((step, before) => backups.clockStepped(step, before))
  return backups
}
